import { Resolver } from 'node:dns/promises'
import type { Network } from '../../../lib/addresses.ts'
import { readTarget, refusalOfAddress } from '../../../outbound/targets.rules.ts'

/** All addresses of a name; none when it has none, or nobody knows. */
export type AddressesOf = (hostname: string) => Promise<readonly string[]>

/** Whoever saves a URL waits for this: a name that nobody knows in time is judged when something is sent. */
const LOOKUP_TIMEOUT_MS = 1_500

/**
 * Why a URL's name must not be connected to when it is saved, so that its owner learns of it at once; every attempt
 * judges the addresses that it connects to anew. A name with one permitted address may stay.
 */
export async function refusalOfName(
  url: string,
  allow: readonly Network[],
  addressesOf: AddressesOf = askNameServers,
): Promise<string | undefined> {
  const reading = readTarget(url)
  if (!reading.ok || reading.target.literal !== undefined) return undefined
  const addresses = await addressesOf(new URL(url).hostname)
  const refusals = addresses.map((address) => refusalOfAddress(address, allow))
  const [first] = refusals
  if (first === undefined || refusals.includes(undefined)) return undefined
  return `resolves to ${first}, which is not connected to`
}

/** The service's own machine, whatever the name servers say. */
const LOCAL = /(^|\.)localhost\.?$/
const LOOPBACK = ['127.0.0.1', '::1']
/** Set aside for examples and tests: no name server has them. */
const NOBODYS = /(^|\.)(example|invalid|test)\.?$/

/** By the network, not by the system's resolver, whose few threads slow names would hold. */
const askNameServers: AddressesOf = async (hostname) => {
  if (LOCAL.test(hostname)) return LOOPBACK
  if (NOBODYS.test(hostname)) return []
  const resolver = new Resolver({ timeout: LOOKUP_TIMEOUT_MS, tries: 1 })
  // However many name servers there are.
  const giveUp = setTimeout(() => resolver.cancel(), LOOKUP_TIMEOUT_MS)
  const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  clearTimeout(giveUp)
  return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
}
