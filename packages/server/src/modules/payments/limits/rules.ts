import { formatMoney } from '../../../lib/money.ts'
import { REJECTIONS, worded } from '../core/rejections.rules.ts'
import type { Rejection } from '../core/types.ts'
import type { GaugeName, Reached, ReachedRow } from './types.ts'

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

function counted(payments: bigint): string {
  return payments === 1n ? '1 payment' : `${payments} payments`
}
