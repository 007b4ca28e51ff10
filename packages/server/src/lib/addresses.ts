import { isIP, isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Rule } from './input/fields.ts'
import { readText, textRule, wholeNumber } from './input/fields.ts'

export type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

/** Parses an IPv4 or IPv6 address, or a CIDR; undefined when it is neither. `10.0.0.5/8` means 10.0.0.0/8. */
export function parseNetwork(text: string): Network | undefined {
  const trimmed = text.trim()
  if (
    ipaddr.IPv4.isValidCIDRFourPartDecimal(trimmed) ||
    (trimmed.includes(':') && ipaddr.isValidCIDR(trimmed))
  ) {
    return ipaddr.parseCIDR(trimmed)
  }
  const address = parseAddress(trimmed)
  if (address === undefined) return undefined
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** Reads four-part decimal IPv4 and IPv6 alone; `1`, `0x7f.1` and zone ids are not addresses here. */
export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  if (text.includes('%') || !ipaddr.IPv6.isValid(text)) return undefined
  const address = ipaddr.IPv6.parse(text)
  // A dual-stack socket names an IPv4 peer as ::ffff:10.0.0.1.
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}

const SPELLINGS_MAX = 10_000
const spellings = new Map<string, string>()

/**
 * Returns the one spelling of an address for logs, counters and comparisons. It runs on every request, so results are
 * cached.
 */
export function normalizeAddress(text: string): string {
  const known = spellings.get(text)
  if (known !== undefined) return known
  const spelling = parseAddress(text)?.toString() ?? text
  if (spellings.size >= SPELLINGS_MAX) spellings.clear()
  spellings.set(text, spelling)
  return spelling
}

const NETWORK_PREFIX_IPV6 = 64
const networks = new Map<string, string>()

/**
 * Returns the unit that rates, blocks and caps count by. An IPv4 address is its own unit. An IPv6 address counts with
 * its whole /64 (`2001:db8::/64`), because one subscriber holds all addresses of a /64. An IPv4-mapped address counts
 * as its IPv4 address. A text that is no address is its own unit. A /64 as this function spells it is returned
 * unchanged.
 */
export function networkOf(address: string): string {
  // An IPv4 text has one spelling and needs no lookup; this check runs on every request.
  if (!address.includes(':')) return address
  const known = networks.get(address)
  if (known !== undefined) return known
  const network = findNetwork(address)
  if (networks.size >= SPELLINGS_MAX) networks.clear()
  networks.set(address, network)
  return network
}

function findNetwork(text: string): string {
  // A link-local socket names its interface (`fe80::1%eth0`), which is no part of the address.
  const address = parseAddress(text.replace(/%.*$/, ''))
  if (address === undefined) return text
  return address.kind() === 'ipv4' ? address.toString() : networkToString([address, NETWORK_PREFIX_IPV6])
}

const NEIGHBOURHOOD_PREFIXES = { ipv4: 24, ipv6: 48 } as const

/** Returns the network around an address that one subscriber often holds whole: a /24, or an IPv6 /48. */
export function neighbourhoodOf(text: string): string {
  const address = parseAddress(text.replace(/%.*$/, ''))
  return address === undefined ? text : networkToString([address, NEIGHBOURHOOD_PREFIXES[address.kind()]])
}

export function isInNetworks(text: string, networks: readonly Network[]): boolean {
  const address = parseAddress(text)
  if (address === undefined) return false
  return networks.some((network) => address.kind() === network[0].kind() && address.match(network as never))
}

/** Tells whether every address of one network lies in another. */
export function isWithin([address, prefix]: Network, outer: Network): boolean {
  return (
    address.kind() === outer[0].kind() && prefix >= outer[1] && address.match(outer[0] as never, outer[1])
  )
}

const PRIVATE_RANGES = new Set(['private', 'loopback', 'linkLocal', 'uniqueLocal', 'carrierGradeNat'])

/** Tells an address that no client on the internet can have: this machine's, or one of the operator's own network. */
export function isPrivateAddress(text: string): boolean {
  const address = parseAddress(text)
  return address !== undefined && PRIVATE_RANGES.has(address.range())
}

export function networkToString(network: Network): string {
  const [address, prefix] = network
  const full = address.kind() === 'ipv4' ? 32 : 128
  const base =
    address.kind() === 'ipv4'
      ? ipaddr.IPv4.networkAddressFromCIDR(`${address.toString()}/${prefix}`)
      : ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${prefix}`)
  return prefix === full ? base.toString() : `${base.toString()}/${prefix}`
}

/** Returns the host of a URL without the brackets that stand around an IPv6 address. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}

// ── Fields ──

/** Rule for a port to listen on; 0 picks a free one. */
export const PORT = wholeNumber(0, 65_535)

/** Limit of characters; no address with its prefix is longer. */
const NETWORK_LENGTH_MAX = 50
const MAPPED_PREFIX_BITS = 96

/** Rule for an address or a CIDR of clients. */
export const NETWORK: Rule<Network> = textRule({
  message: 'must be an IPv4 or IPv6 address or CIDR',
  schema: { maxLength: NETWORK_LENGTH_MAX },
  parse(text) {
    const trimmed = text.trim()
    // A zone names a network interface of one machine and says nothing about a caller elsewhere.
    const isLong = trimmed.length > NETWORK_LENGTH_MAX
    const network = isLong || trimmed.includes('%') ? undefined : parseNetwork(trimmed)
    return network && withoutMapping(network)
  },
})

/** Turns ::ffff:10.0.0.0/104 into 10.0.0.0/8, because callers appear with their IPv4 address. */
function withoutMapping(network: Network): Network {
  const [address, prefix] = network
  const unmapped = parseAddress(address.toString())
  if (unmapped === undefined || unmapped.kind() === address.kind() || prefix < MAPPED_PREFIX_BITS)
    return network
  return [unmapped, prefix - MAPPED_PREFIX_BITS]
}

/** Rule for the address of a name server: `address` or `address:port`, IPv6 with a port in brackets. */
export const NAME_SERVER: Rule<string> = textRule({
  message: 'must be an address, or an address with a port',
  schema: { maxLength: NETWORK_LENGTH_MAX },
  parse(text) {
    const [, bracketed, plain, port = '53'] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? []
    const isAddress = isIP(text) !== 0 || isIPv6(bracketed ?? '') || isIPv4(plain ?? '')
    const number = readText(PORT, port) ?? 0
    return isAddress && number > 0 ? text : undefined
  },
})
