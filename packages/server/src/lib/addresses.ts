import ipaddr from 'ipaddr.js'

export type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

/** An IPv4 or IPv6 address, or a CIDR; undefined when it is neither. `10.0.0.5/8` means 10.0.0.0/8. */
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
  // ::ffff:10.0.0.1 is how a dual-stack socket names an IPv4 peer.
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}

const SPELLINGS_MAX = 10_000
const spellings = new Map<string, string>()

/** The one spelling of an address used in logs, counters and comparisons. Asked on every request: remembered. */
export function normalizeAddress(text: string): string {
  const known = spellings.get(text)
  if (known !== undefined) return known
  const spelling = parseAddress(text)?.toString() ?? text
  if (spellings.size >= SPELLINGS_MAX) spellings.clear()
  spellings.set(text, spelling)
  return spelling
}

/** The first 64 bits of an IPv6 address: one customer of a network operator holds all addresses that share them. */
const IPV6_NETWORK_GROUPS = 4

/**
 * Whoever is counted as one sender: an IPv4 address as it is, an IPv6 address as its /64. Takes a normalized address;
 * text that is no address is its own network.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const parsed = parseAddress(address)
  if (parsed === undefined) return address
  if (!('parts' in parsed)) return parsed.toString()
  const groups = parsed.parts.slice(0, IPV6_NETWORK_GROUPS).map((group) => group.toString(16))
  return `${groups.join(':')}::/64`
}

export function isInNetworks(text: string, networks: readonly Network[]): boolean {
  const address = parseAddress(text)
  if (address === undefined) return false
  return networks.some((network) => address.kind() === network[0].kind() && address.match(network as never))
}

const PRIVATE_RANGES = new Set(['private', 'loopback', 'linkLocal', 'uniqueLocal', 'carrierGradeNat'])

/** An address that no client on the internet can have: this machine's, or one of the operator's own network. */
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
