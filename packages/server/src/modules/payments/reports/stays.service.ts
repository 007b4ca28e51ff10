import type { Queryable } from '../../../db/database.ts'
import type { Amount } from '../../../lib/money.ts'
import { statusOf } from '../read/history.rules.ts'
import { listTakenBackRows, sumStayRows } from './stays.sql.ts'
import type { Stay, StaySum, TakenBack } from './stays.types.ts'

/** Sums what members sold in stretches of time, by place, member, category and code. */
export async function sumStays(
  connection: Queryable,
  resellerId: bigint,
  stays: readonly Stay[],
): Promise<StaySum[]> {
  return stays.length === 0 ? [] : sumStayRows(connection, resellerId, stays, null)
}

/** Sales of one member and category. */
export type SoldSum = {
  readonly memberId: bigint
  readonly category: string
  readonly payments: bigint
  readonly faceValue: Amount
}

/**
 * Sums what counted as sold at a moment: payments that succeeded or still might. One that failed or was voided after the
 * moment counted at it, so the sums are the same whenever they are read.
 */
export async function sumSoldAt(
  connection: Queryable,
  resellerId: bigint,
  stays: readonly Stay[],
  momentMs: bigint,
): Promise<SoldSum[]> {
  const sums = stays.length === 0 ? [] : await sumStayRows(connection, resellerId, stays, momentMs)
  const sold = new Map<string, SoldSum>()
  for (const sum of sums) {
    const { memberId, category, code, isLater } = sum
    const status = statusOf(code)
    if (!isLater && status !== 'SUCCESSFUL' && status !== 'PENDING') continue
    const key = `${memberId} ${category}`
    const before = sold.get(key) ?? { payments: 0n, faceValue: 0n }
    const payments = before.payments + sum.payments
    sold.set(key, { memberId, category, payments, faceValue: before.faceValue + sum.faceValue })
  }
  return [...sold.values()]
}

/** Lists payments that counted as sold at a moment and failed or were voided after it, the earliest first. */
export async function listTakenBack(
  connection: Queryable,
  resellerId: bigint,
  stays: readonly Stay[],
  { momentMs, limit }: { readonly momentMs: bigint; readonly limit: number },
): Promise<TakenBack[]> {
  return stays.length === 0 ? [] : listTakenBackRows(connection, resellerId, stays, momentMs, limit)
}
