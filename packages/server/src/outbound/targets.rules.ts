import type { Network } from '../lib/addresses.ts'
import { isInNetworks, parseAddress, parseNetwork } from '../lib/addresses.ts'

/** URL that may be connected to, if its address may. */
export type Target = {
  /** Scheme, host and port, for the cache of connections. */
  readonly origin: string
  /** Path and query, as they stand in the request line. */
  readonly path: string
  readonly hostname: string
  /** Address when the URL names one, in its one spelling; undefined for a name that has to be looked up. */
  readonly literal: string | undefined
}

export type TargetReading =
  | { readonly ok: true; readonly target: Target }
  | { readonly ok: false; readonly problem: string }

/**
 * Reads a URL as the client will use it. The parser turns decimal, octal and hexadecimal spellings of an IPv4 address
 * into the usual one, and takes no zone ids, so that the checked address is the one that is connected to.
 */
export function readTarget(text: string): TargetReading {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined) return { ok: false, problem: 'is no absolute URL' }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return { ok: false, problem: 'must begin with https:// or http://' }
  }
  if (hasCredentials(text)) return { ok: false, problem: 'must carry no credentials' }
  // An empty fragment leaves no trace in `hash`.
  if (text.includes('#')) return { ok: false, problem: 'must carry no fragment' }
  return {
    ok: true,
    target: {
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      hostname: url.hostname,
      literal: literalOf(url.hostname),
    },
  }
}

/**
 * Checks the text, because the parser leaves no trace of empty credentials (`https://@host/`). The first colon ends the
 * scheme, and a backslash counts as a slash, as it does for the parser.
 */
function hasCredentials(url: string): boolean {
  return /^[^:]*:[\\/\t\r\n]*[^\\/?#]*@/.test(url)
}

function literalOf(hostname: string): string | undefined {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return parseAddress(bare) === undefined ? undefined : bare
}

/** Names of the kinds of address that are never connected to, unless they are allowed. */
const REFUSED_KINDS: Readonly<Record<string, string>> = {
  loopback: 'a loopback address',
  private: 'a private address',
  uniqueLocal: 'a private address',
  deprecatedSiteLocal: 'a private address',
  linkLocal: 'a link-local address',
  carrierGradeNat: 'an address of carrier-grade NAT',
  multicast: 'a multicast address',
  broadcast: 'a broadcast address',
  unspecified: 'no address of any host',
}

const GLOBAL_IPV6: readonly Network[] = [parseNetwork('2000::/3')].filter((each) => each !== undefined)

/**
 * Returns why an address must not be connected to; undefined when it may. Only the open internet can be reached:
 * everything that the registries set aside is refused by default, so that a kind unknown here is refused as well.
 */
export function refusalOfAddress(text: string, allowed: readonly Network[]): string | undefined {
  if (isInNetworks(text, allowed)) return undefined
  // A zone id is refused, and an IPv4 address inside an IPv6 one, which translators and tunnels would unwrap.
  const address = parseAddress(text)
  if (address === undefined) return 'no plain address'
  if (text.includes(':') && address.kind() === 'ipv4') return 'an IPv4 address inside an IPv6 one'
  const kind = address.range()
  // The library calls every address unicast that it has no name for; only this part of IPv6 was ever given to hosts.
  const isOpen = kind === 'unicast' && (address.kind() === 'ipv4' || isInNetworks(text, GLOBAL_IPV6))
  return isOpen ? undefined : (REFUSED_KINDS[kind] ?? 'an address set aside for special uses')
}

/**
 * Returns why a URL must not be connected to, as far as this is known without looking up its name; undefined when it
 * may.
 */
export function refusalOfUrl(url: string, allowed: readonly Network[]): string | undefined {
  const reading = readTarget(url)
  if (!reading.ok) return reading.problem
  const { literal } = reading.target
  const refusal = literal === undefined ? undefined : refusalOfAddress(literal, allowed)
  return refusal === undefined ? undefined : `is ${refusal}, which is not connected to`
}
