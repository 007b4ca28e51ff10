import type { Environment } from '../../../config.ts'
import type { Database, Queryable } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import type { Network } from '../../../lib/addresses.ts'
import { invalidFields } from '../../../lib/errors.ts'
import { readFields } from '../../../lib/input/fields.ts'
import { required } from '../../../lib/input/parameters.ts'
import type { Outbound } from '../../../outbound/types.ts'
import { STREAM_TRAITS } from '../streams.rules.ts'
import type { Stream } from '../types.ts'
import { METHOD, notConfigured, readGrace, TYPES } from './endpoints.rules.ts'
import type { EndpointKey, NewSecret } from './endpoints.sql.ts'
import {
  deleteEndpoint,
  findEndpoint,
  findStatus,
  putEndpoint,
  updateEnabled,
  updateSecret,
  updateTypes,
} from './endpoints.sql.ts'
import type { Endpoint, EndpointMethod, EndpointStatus, WebhookStream } from './endpoints.types.ts'
import type { AddressesOf } from './names.service.ts'
import { refusalOfName } from './names.service.ts'
import { newSecret, sealSecret } from './secrets.service.ts'
import { URL_TEXT, urlProblemOf } from './urls.rules.ts'

export type Put = {
  readonly endpoint: Endpoint
  /** Secret of a new endpoint, shown this once; undefined: the endpoint existed. */
  readonly secret: string | undefined
}

/** Runs the statements of a change: in a transaction of the caller's own, where more belongs to the commit. */
export type Write = <T>(work: (connection: Queryable) => Promise<T>) => Promise<T>

/** Without `write` a change is a commit of its own. */
export type Endpoints = {
  find(resellerId: bigint, stream: Stream, connection?: Queryable): Promise<Endpoint | undefined>
  putWebhook(resellerId: bigint, stream: WebhookStream, url: unknown, write?: Write): Promise<Put>
  putCallback(resellerId: bigint, wanted: { url: unknown; method: unknown }, write?: Write): Promise<Put>
  setEnabled(resellerId: bigint, stream: WebhookStream, isEnabled: boolean, write?: Write): Promise<Endpoint>
  /** Makes a new secret. The old one ends at once, or signs beside the new one for the grace period. */
  rotateSecret(
    resellerId: bigint,
    stream: Stream,
    graceSeconds: unknown,
    write?: Write,
  ): Promise<{ endpoint: Endpoint; secret: string }>
  setTypes(resellerId: bigint, types: unknown, write?: Write): Promise<Endpoint>
  /** Succeeds also when there is nothing to remove. */
  remove(resellerId: bigint, stream: Stream, write?: Write): Promise<void>
  getStatus(resellerId: bigint, stream: Stream): Promise<EndpointStatus>
}

export type EndpointsSettings = {
  readonly database: Database
  readonly vault: Vault
  readonly environment: Environment
  readonly outbound: Pick<Outbound, 'refusalOf'>
  /** Networks outside the open internet that are allowed nevertheless. */
  readonly allow: readonly Network[]
  readonly addressesOf: AddressesOf
}

export function createEndpoints(settings: EndpointsSettings): Endpoints {
  const { database, vault } = settings

  function makeSecret({ resellerId, stream }: EndpointKey): NewSecret & { shown: string } {
    const shown = newSecret()
    return { shown, sealed: sealSecret(vault, resellerId, stream, shown), lastFour: shown.slice(-4) }
  }

  // A transaction, because a single statement whose answer is lost would be reported as one that did nothing.
  const alone: Write = (work) => database.transaction(work)

  async function put(key: EndpointKey, url: string, method: EndpointMethod, write = alone): Promise<Put> {
    await checkUrl(settings, key, url)
    const secret = makeSecret(key)
    const types = STREAM_TRAITS[key.stream].typesAtFirst
    const { endpoint, isNew } = await write((connection) =>
      putEndpoint(connection, key, { url, method, types, secret }),
    )
    return { endpoint, secret: isNew ? secret.shown : undefined }
  }

  return {
    find: (resellerId, stream, connection = database) => findEndpoint(connection, { resellerId, stream }),
    putWebhook(resellerId, stream, url, write) {
      const wanted = readFields({ url: required('url', URL_TEXT) }, { url })
      return put({ resellerId, stream }, wanted.url, 'POST', write)
    },
    putCallback(resellerId, wanted, write) {
      const { url, method } = readFields({ url: required('url', URL_TEXT), method: METHOD }, wanted)
      return put({ resellerId, stream: 'callback' }, url, method, write)
    },
    setEnabled(resellerId, stream, isEnabled, write = alone) {
      return write(async (connection) =>
        existing(stream, await updateEnabled(connection, { resellerId, stream }, isEnabled)),
      )
    },
    async rotateSecret(resellerId, stream, wantedGrace, write = alone) {
      const graceSeconds = readGrace(stream, wantedGrace)
      const key = { resellerId, stream }
      const secret = makeSecret(key)
      const endpoint = await write(async (connection) =>
        existing(stream, await updateSecret(connection, key, secret, graceSeconds)),
      )
      return { endpoint, secret: secret.shown }
    },
    async setTypes(resellerId, wanted, write = alone) {
      const { types } = readFields({ types: TYPES }, { types: wanted })
      const key = { resellerId, stream: 'balance' } as const
      return write(async (connection) => existing('balance', await updateTypes(connection, key, types)))
    },
    remove: (resellerId, stream, write = alone) =>
      write((connection) => deleteEndpoint(connection, { resellerId, stream })),
    getStatus: (resellerId, stream) => findStatus(database, { resellerId, stream }),
  }
}

async function checkUrl(
  { environment, outbound, allow, addressesOf }: EndpointsSettings,
  { resellerId, stream }: EndpointKey,
  url: string,
): Promise<void> {
  const problem =
    urlProblemOf(stream, environment === 'production', outbound.refusalOf, url) ??
    (await refusalOfName(url, resellerId, allow, addressesOf))
  if (problem !== undefined) throw invalidFields({ url: [`The url field ${problem}.`] })
}

function existing(stream: Stream, endpoint: Endpoint | undefined): Endpoint {
  if (endpoint === undefined) throw notConfigured(stream)
  return endpoint
}
