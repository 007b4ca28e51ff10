import type { Network } from '../lib/addresses.ts'
import { isInNetworks, parseAddress, parseNetwork } from '../lib/addresses.ts'

/** A URL that may be connected to, if its address may. */
export type Target = {
  /** For the cache of connections: scheme, host and port. */
  readonly origin: string
  /** Path and query, as they stand in the request line. */
  readonly path: string
  readonly hostname: string
  /** The address when the URL names one, in its one spelling; undefined: a name that has to be looked up. */
  readonly literal: string | undefined
}

export type TargetReading =
  | { readonly ok: true; readonly target: Target }
  | { readonly ok: false; readonly problem: string }

/**
 * Reads a URL as the client will use it. The parser turns decimal, octal and hexadecimal spellings of an IPv4 address
 * into the usual one, and takes no zone ids, so that what is judged is what is connected to.
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
 * Looks at the text: of empty credentials (`https://@host/`) the parser leaves no trace. The first colon ends the
 * scheme, and a backslash counts as a slash, as it does for the parser.
 */
function hasCredentials(url: string): boolean {
  return /^[^:]*:[\\/\t\r\n]*[^\\/?#]*@/.test(url)
}

function literalOf(hostname: string): string | undefined {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return parseAddress(bare) === undefined ? undefined : bare
}

/** What kinds of address are called that are never connected to, unless they were opened. */
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
 * Why an address must not be connected to; undefined: it may. What can be reached is the open internet: everything
 * that the registries set aside is refused by default, so that a kind nobody thought of here is refused as well.
 */
export function refusalOfAddress(text: string, allowed: readonly Network[]): string | undefined {
  if (isInNetworks(text, allowed)) return undefined
  // A zone id, or an IPv4 address inside an IPv6 one, which translators and tunnels would unwrap.
  const address = parseAddress(text)
  if (address === undefined) return 'no plain address'
  if (text.includes(':') && address.kind() === 'ipv4') return 'an IPv4 address inside an IPv6 one'
  const kind = address.range()
  // The library calls everything unicast that it has no name for; of IPv6 only this part was ever given to hosts.
  const isOpen = kind === 'unicast' && (address.kind() === 'ipv4' || isInNetworks(text, GLOBAL_IPV6))
  return isOpen ? undefined : (REFUSED_KINDS[kind] ?? 'an address set aside for special uses')
}

/** Why a URL must not be connected to, as far as can be told without looking up its name; undefined: it may. */
export function refusalOfUrl(url: string, allowed: readonly Network[]): string | undefined {
  const reading = readTarget(url)
  if (!reading.ok) return reading.problem
  const { literal } = reading.target
  const refusal = literal === undefined ? undefined : refusalOfAddress(literal, allowed)
  return refusal === undefined ? undefined : `is ${refusal}, which is not connected to`
}
