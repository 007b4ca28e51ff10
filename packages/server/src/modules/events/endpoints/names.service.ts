import type { Network } from '../../../lib/addresses.ts'
import { startDeadline } from '../../../outbound/deadline.ts'
import type { Names } from '../../../outbound/names.ts'
import { readTarget, refusalOfAddress } from '../../../outbound/targets.rules.ts'

/** Resolves a name that a reseller gave; empty: it has no address, or no name server answered. */
export type AddressesOf = (hostname: string, resellerId: bigint) => Promise<readonly string[]>

/** Limit of a lookup while the owner waits for the URL to be saved. A name without an answer is judged at each attempt. */
const LOOKUP_TIMEOUT_MS = 1_500

/**
 * Refuses a URL whose name resolves only to addresses that must not be connected to, so that the owner learns of it when
 * the URL is saved. Every attempt judges its addresses again. One permitted address is enough for the name to be saved.
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

/** Names that are reserved for examples and tests: no name server has them. */
const RESERVED_NAME = /(^|\.)(example|test)\.?$/

/** Uses the resolver of the deliveries, within the bounds that each reseller has there. */
export function addressesBy(names: Names): AddressesOf {
  return async (hostname, resellerId) => {
    if (RESERVED_NAME.test(hostname)) return []
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
