import type { Queryable } from '../../../db/database.ts'
import type { Amount } from '../../../lib/money.ts'
import { findStretch, listDownFrom, sumOthers } from './statement.sql.ts'

const DAY_MS = 24 * 3_600_000
/** A whole week: days of the week differ. */
const PERIOD_DAYS = 7

/**
 * What payments took from the wallet per day in the week up to an instant, less what was given back; of a younger
 * wallet, since its first entry, and at least over one day. Undefined when nothing was taken, or too little to be a rate. Payments are not read:
 * they are what the balance changed by, less everything else.
 */
export async function findDailyTrade(
  connection: Queryable,
  resellerId: bigint,
  at: Date,
): Promise<Amount | undefined> {
  const fromMs = at.getTime() - PERIOD_DAYS * DAY_MS
  // The entry of that very millisecond belongs to it.
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
