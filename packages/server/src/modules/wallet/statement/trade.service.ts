import type { Queryable } from '../../../db/database.ts'
import type { Amount } from '../../../lib/money.ts'
import { findStretch, listDownFrom, sumOthers } from './statement.sql.ts'

const DAY_MS = 24 * 3_600_000
/** Days of the period: a whole week, because the days of a week differ. */
const PERIOD_DAYS = 7

/**
 * Returns what payments took from the wallet per day in the week up to an instant, less refunds. For a younger wallet
 * the period begins at its first entry, and is at least one day. Returns undefined if nothing was taken, or too little
 * for a rate. Payments are not read: they are the change of the balance less everything else.
 */
export async function findDailyTrade(
  connection: Queryable,
  resellerId: bigint,
  at: Date,
): Promise<Amount | undefined> {
  const fromMs = at.getTime() - PERIOD_DAYS * DAY_MS
  // An entry of exactly that millisecond is included.
  const until = new Date(at.getTime() + 1)
  const stretch = await findStretch(connection, resellerId, new Date(fromMs), until)
  if (stretch === undefined || stretch.last === stretch.before) return undefined
  const others = await sumOthers(connection, resellerId, stretch)
  const otherwise = [...others.values()].reduce((sum, { amount }) => sum + amount, 0n)
  const paid = stretch.balanceLast - stretch.balanceBefore - otherwise
  const taken = -(paid + (others.get('refund')?.amount ?? 0n))
  if (taken <= 0n) return undefined
  const [first] = stretch.before === 0n ? await listDownFrom(connection, resellerId, stretch, 1n, 1) : []
  const sinceMs = until.getTime() - (first?.createdAt.getTime() ?? fromMs)
  const periodMs = Math.min(Math.max(sinceMs, DAY_MS), PERIOD_DAYS * DAY_MS)
  const perDay = (taken * BigInt(DAY_MS)) / BigInt(periodMs)
  return perDay > 0n ? perDay : undefined
}
