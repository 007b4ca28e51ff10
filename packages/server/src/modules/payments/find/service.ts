import { readWithin } from '../../../db/bounded.ts'
import type { Database } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import { withFreshKeys } from '../../../db/vault.ts'
import { dayOf } from '../../../lib/dates.ts'
import { openOutput } from '../core/secrets.service.ts'
import { firstIdOf } from '../read/history.rules.ts'
import { cluesOf, endsPin } from './clues.rules.ts'
import type { Recent } from './recent.sql.ts'
import { listByAmount, listByEnd, listSealed } from './recent.sql.ts'

/** Days that are looked through, and the newest payments of them. */
export const FOUND_DAYS = 90
export const FOUND_AMONG = 20_000
/** PINs that are opened for one search. */
export const PINS_OPENED = 1_000
const TIMEOUT_MS = 3_000

export type Finding = {
  readonly resellerId: bigint
  readonly text: string
  /** True: the caller may see PINs, and finds payments by their ends. */
  readonly seesPins: boolean
  readonly now: Date
  readonly limit: number
}

/**
 * Finds payments by a part of what somebody remembers: the end of the number, of the serial or of the PIN, or the amount;
 * in this order, newest first. PINs are opened and compared: a fingerprint of four digits, kept beside them, would tell
 * whoever reads the database which PINs end alike, and a stolen key all their ends.
 */
export async function findByParts(
  { database, vault }: { readonly database: Database; readonly vault: Vault },
  { resellerId, text, seesPins, now, limit }: Finding,
): Promise<readonly bigint[]> {
  const { numberEnd, serialEnd, amount, pinEnd } = cluesOf(text)
  const fromId = firstIdOf(dayOf(now.getTime()) - FOUND_DAYS + 1)
  const recent: Recent = { resellerId, fromId, scanned: FOUND_AMONG, limit }
  return readWithin(database, TIMEOUT_MS, async (tx) => {
    const found = new Set<bigint>()
    const add = (ids: readonly bigint[]) => {
      for (const id of ids) if (found.size < limit) found.add(id)
    }
    if (numberEnd !== null || serialEnd !== null) add(await listByEnd(tx, recent, numberEnd, serialEnd))
    if (found.size < limit && seesPins && pinEnd !== null) {
      const sealed = await listSealed(tx, { ...recent, limit: PINS_OPENED })
      add(
        await withFreshKeys(vault, () =>
          sealed
            .filter((row) => endsPin(openOutput(vault, resellerId, row.id, row.sealed_output).pin, pinEnd))
            .map(({ id }) => id),
        ),
      )
    }
    if (found.size < limit && amount !== null) add(await listByAmount(tx, recent, amount))
    return [...found]
  })
}
