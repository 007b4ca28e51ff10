import type { Network } from '../../../lib/addresses.ts'
import { startDeadline } from '../../../outbound/deadline.ts'
import type { Names } from '../../../outbound/names.ts'
import { readTarget, refusalOfAddress } from '../../../outbound/targets.rules.ts'

/** All addresses of a name that a reseller gave; none when it has none, or nobody knows. */
export type AddressesOf = (hostname: string, resellerId: bigint) => Promise<readonly string[]>

/** Whoever saves a URL waits for this: a name that nobody knows in time is judged when something is sent. */
const LOOKUP_TIMEOUT_MS = 1_500

/**
 * Why a URL's name must not be connected to when it is saved, so that its owner learns of it at once; every attempt
 * judges the addresses that it connects to anew. A name with one permitted address may stay.
 */
export async function refusalOfName(
  url: string,
  resellerId: bigint,
  allow: readonly Network[],
  addressesOf: AddressesOf,
): Promise<string | undefined> {
  const reading = readTarget(url)
  if (!reading.ok || reading.target.literal !== undefined) return undefined
  const addresses = await addressesOf(reading.target.hostname, resellerId)
  const refusals = addresses.map((address) => refusalOfAddress(address, allow))
  const [first] = refusals
  if (first === undefined || refusals.includes(undefined)) return undefined
  return `resolves to ${first}, which is not connected to`
}

/** Set aside for examples and tests: no name server has them. */
const NOBODYS = /(^|\.)(example|test)\.?$/

/** By the resolver of the deliveries, within the bounds that each reseller has there. */
export function addressesBy(names: Names): AddressesOf {
  return async (hostname, resellerId) => {
    if (NOBODYS.test(hostname)) return []
    const signal = startDeadline(LOOKUP_TIMEOUT_MS)
    try {
      const found = await names.resolve(hostname, { owner: String(resellerId), signal })
      return found.map(({ address }) => address)
    } catch {
      return []
    } finally {
      signal.clear()
    }
  }
}
