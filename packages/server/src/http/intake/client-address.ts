import type { Network } from '../../lib/addresses.ts'
import { isInNetworks, normalizeAddress, parseAddress } from '../../lib/addresses.ts'

/**
 * Finds the caller's address: the socket's, unless that is a trusted proxy. Then X-Forwarded-For is read from its right
 * end, where our own proxies wrote, and the first address that is not a trusted proxy is the caller. Addresses further
 * left were written by the caller and prove nothing.
 */
export function clientAddress(
  socketAddress: string,
  forwardedFor: string | string[] | undefined,
  trusted: readonly Network[],
): string {
  // A link-local socket names its interface (`fe80::1%eth0`), which is no part of an address elsewhere.
  let address = normalizeAddress(socketAddress.replace(/%.*$/, ''))
  if (trusted.length === 0 || forwardedFor === undefined) return address
  const hops = (Array.isArray(forwardedFor) ? forwardedFor.join(',') : forwardedFor).split(',')
  for (let index = hops.length - 1; index >= 0 && isInNetworks(address, trusted); index -= 1) {
    const hop = parseAddress(stripPort(hops[index]?.trim() ?? ''))
    if (hop === undefined) break
    address = hop.toString()
  }
  return address
}

/** Removes the port that some proxies add: `10.0.0.1:4711`, `[2001:db8::1]:4711`. */
function stripPort(text: string): string {
  const bracketed = /^\[(.+)\](?::\d+)?$/.exec(text)
  if (bracketed !== null) return String(bracketed[1])
  return /^\d+\.\d+\.\d+\.\d+:\d+$/.test(text) ? text.slice(0, text.indexOf(':')) : text
}
