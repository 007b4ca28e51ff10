import type { IncomingHttpHeaders } from 'node:http'
import type { Network } from '../../lib/addresses.ts'
import { isInNetworks, normalizeAddress } from '../../lib/addresses.ts'

const REPORT_EVERY_MS = 10 * 60_000

/** Request with a forwarding header from a peer that is no proxy of ours. */
export type StrangeForward = { readonly peer: string; readonly header: string }

/**
 * Reports forwarding headers of peers that WARUNG_TRUST_PROXY does not name. Most often that is the operator's own
 * proxy, whose clients all count as one address until it is named. Any client can send such a header, so it is reported
 * at most once in ten minutes.
 */
export function createForwardingWatch(
  trusted: readonly Network[],
  report: ((forward: StrangeForward) => void) | undefined,
): (peer: string | undefined, headers: IncomingHttpHeaders) => void {
  let quietUntilMs = Number.NEGATIVE_INFINITY
  return (peer, headers) => {
    if (report === undefined || peer === undefined) return
    const header = findForwarding(headers)
    if (header === undefined || performance.now() < quietUntilMs) return
    const address = normalizeAddress(peer.replace(/%.*$/, ''))
    if (isInNetworks(address, trusted)) return
    quietUntilMs = performance.now() + REPORT_EVERY_MS
    report({ peer: address, header })
  }
}

function findForwarding(headers: IncomingHttpHeaders): string | undefined {
  if (headers['x-forwarded-for'] !== undefined) return 'x-forwarded-for'
  if (headers.forwarded !== undefined) return 'forwarded'
  return headers['x-real-ip'] === undefined ? undefined : 'x-real-ip'
}

const FORWARDING = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]

/**
 * Tells whether a proxy forwarded the request. A proxy that nobody named makes every stranger look like its own
 * machine, so the address of such a request proves nothing.
 */
export function isForwarded(headers: IncomingHttpHeaders): boolean {
  return FORWARDING.some((name) => headers[name] !== undefined)
}
