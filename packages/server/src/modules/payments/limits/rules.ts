import { formatMoney } from '../../../lib/money.ts'
import { REJECTIONS, worded } from '../core/rejections.rules.ts'
import type { Rejection } from '../core/types.ts'
import type { GaugeName, Limit, MemberLimit, Reached, ReachedRow } from './types.ts'

export function reachedOf(row: ReachedRow): Reached {
  const { used_payments: payments, used_sum: sum, resets_ms: resetsMs } = row
  const isUsed = payments !== undefined && sum !== undefined && resetsMs !== undefined
  return {
    name: row.name,
    payments: bigintOf(row.payments),
    sum: bigintOf(row.sum),
    used: isUsed ? { payments: BigInt(payments), sum: BigInt(sum), resetsAt: new Date(resetsMs) } : undefined,
  }
}

function bigintOf(text: string | null = null): bigint | null {
  return text === null ? null : BigInt(text)
}

const BY_NAME: Readonly<Record<GaugeName, Rejection>> = {
  Account_Daily_Limit: REJECTIONS.accountDailyLimit,
  Account_Monthly_Limit: REJECTIONS.accountMonthlyLimit,
  Daily_Limit: REJECTIONS.dailyLimit,
  Monthly_Limit: REJECTIONS.monthlyLimit,
  Member_Daily_Limit: REJECTIONS.memberDailyLimit,
  Member_Monthly_Limit: REJECTIONS.memberMonthlyLimit,
  Key_Amount_Cap: REJECTIONS.keyAmountCap,
  Key_Daily_Cap: REJECTIONS.keyDailyCap,
  Key_Monthly_Cap: REJECTIONS.keyMonthlyCap,
}

/** Rejects a payment, with the limit, what is used of it and when that begins anew. */
export function limitRejection({ name, payments, sum, used }: Reached): Rejection {
  const rejection = BY_NAME[name]
  const limits = [
    ...(payments === null ? [] : [{ limit: counted(payments), used: used && counted(used.payments) }]),
    ...(sum === null ? [] : [{ limit: formatMoney(sum), used: used && formatMoney(used.sum) }]),
  ]
  const limit = limits.map((each) => each.limit).join(' and ')
  if (used === undefined) return worded(rejection, `At most ${limit}.`)
  const spent = limits.map((each) => each.used).join(' and ')
  return worded(
    rejection,
    `At most ${limit}, of which ${spent} are used. Begins anew at ${used.resetsAt.toISOString()}.`,
  )
}

/** Compares what a member may sell by the day and by the month, as limits of a whole account are compared. */
export function asLimit(limit: MemberLimit): Limit {
  return { ...limit, scope: 'reseller', category: null }
}

function counted(payments: bigint): string {
  return payments === 1n ? '1 payment' : `${payments} payments`
}

type Measure = Pick<Limit, 'payments' | 'sum'>

/** Entries with one key replace each other. */
export function limitKey({ scope, period, category }: Pick<Limit, 'scope' | 'period' | 'category'>): string {
  return [scope, period, category ?? ''].join(' ')
}

/** Returns the operator's limits for a reseller: an entry of its own replaces that of its level. */
export function operatorLimits(own: readonly Limit[], level: readonly Limit[]): readonly Limit[] {
  const keys = new Set(own.map(limitKey))
  return [...own, ...level.filter((each) => !keys.has(limitKey(each)))]
}

/** Tells whether anything may pass after a change that might not before it. */
export function isWider(before: readonly Limit[], after: readonly Limit[]): boolean {
  const byKey = new Map(after.map((each) => [limitKey(each), each]))
  return before.some((each) => allowsMore(byKey.get(limitKey(each)) ?? NONE, each))
}

const NONE: Measure = { payments: null, sum: null }

function allowsMore(one: Measure, other: Measure): boolean {
  const { payments, sum } = other
  return (
    (payments !== null && (one.payments === null || one.payments > payments)) ||
    (sum !== null && (one.sum === null || one.sum > sum))
  )
}

/** Finds the operator's limit that an own one of the same key goes beyond. One that says nothing goes beyond nothing. */
export function findLooser(own: readonly Limit[], operators: readonly Limit[]): Limit | undefined {
  const byKey = new Map(own.map((each) => [limitKey(each), each]))
  return operators.find((theirs) => {
    const mine = byKey.get(limitKey(theirs))
    if (mine === undefined) return false
    const { payments, sum } = theirs
    return (
      (payments !== null && mine.payments !== null && mine.payments > payments) ||
      (sum !== null && mine.sum !== null && mine.sum > sum)
    )
  })
}
