import type { Queryable } from '../../../db/database.ts'
import type { DirectoryReseller } from '../../accounts/types.ts'
import type { RepeatedPayment, WantedPayment } from './sql.ts'
import { findSamePayments } from './sql.ts'

export type { RepeatedPayment }

/** Seconds in which the same payment again is probably a slip, where the reseller's own window is shorter. */
export const REPEATED_SECONDS = 120

/** Finds, for each payment, the latest one that it would repeat; undefined: it repeats none. */
export async function findRepeated(
  connection: Queryable,
  { id, duplicateWindowSeconds }: Pick<DirectoryReseller, 'id' | 'duplicateWindowSeconds'>,
  payments: readonly WantedPayment[],
  nowMs: number,
): Promise<(RepeatedPayment | undefined)[]> {
  if (payments.length === 0) return []
  const seconds = Math.max(duplicateWindowSeconds, REPEATED_SECONDS)
  const found = await findSamePayments(connection, id, payments, seconds, nowMs)
  const byPlace = new Map(found.map((each) => [each.place, each]))
  return payments.map((_, index) => byPlace.get(index + 1))
}
