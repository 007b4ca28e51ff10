import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isIP } from 'node:net'
import { rootCertificates } from 'node:tls'
import type { buildConnector } from 'undici'
import buildConnection from 'undici/lib/core/connect.js'
import type { Network } from '../lib/addresses.ts'
import { refusalOfAddress } from './targets.rules.ts'

/** Returns every address of a name. Rejects when there is none, with an error that has a code. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>

export type ConnectorSettings = {
  /** Networks that are allowed although they are not the open internet. */
  readonly allow: readonly Network[]
  /** Certificates, in PEM, of an authority that is trusted beside the public ones. */
  readonly ca?: string | undefined
  readonly resolve: Resolve
  readonly connectTimeoutMs: number
}

export const REFUSED_ADDRESS = 'REFUSED_ADDRESS'

/** Time for one address of several before the next one is tried. */
const ATTEMPT_TIMEOUT_MS = 1_000

/**
 * Opens connections to permitted addresses alone. The check stands between resolving and connecting: the socket gets
 * exactly the addresses that were checked, so a name that resolves differently the next moment gains nothing.
 */
export function createConnector(settings: ConnectorSettings): buildConnector.connector {
  const { allow, ca, connectTimeoutMs } = settings
  const connect = buildConnection({
    timeout: connectTimeoutMs,
    // The option is explicit, since NODE_TLS_REJECT_UNAUTHORIZED could say otherwise.
    rejectUnauthorized: true,
    lookup: guardedLookup(settings.resolve, allow),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_TIMEOUT_MS,
    ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
  })
  return (options, callback) => {
    // Addresses are checked here, because sockets look up names alone.
    const refusal = isIP(options.hostname) === 0 ? undefined : refusalOfAddress(options.hostname, allow)
    if (refusal === undefined) connect(options, callback)
    else setImmediate(() => callback(refusedError(refusal), null))
  }
}

function guardedLookup(resolve: Resolve, allow: readonly Network[]): LookupFunction {
  return (hostname, options, callback) => {
    const found = resolve(hostname).then((addresses) => permitted(addresses, allow))
    found.then(
      (addresses) => {
        const [first] = addresses
        if (options.all === true || first === undefined) callback(null, [...addresses])
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    )
  }
}

function permitted(addresses: readonly LookupAddress[], allow: readonly Network[]): LookupAddress[] {
  const judged = addresses.map((each) => ({ each, refusal: refusalOfAddress(each.address, allow) }))
  const open = judged.flatMap(({ each, refusal }) => (refusal === undefined ? [each] : []))
  if (open.length > 0) return open
  throw refusedError(judged[0]?.refusal ?? 'no address at all')
}

function refusedError(refusal: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`the host is ${refusal}`), { code: REFUSED_ADDRESS })
}
