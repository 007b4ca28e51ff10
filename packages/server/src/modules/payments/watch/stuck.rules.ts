import { formatMoney } from '../../../lib/money.ts'
import type { Finding } from './findings.rules.ts'

/** Payments past their due time at one provider. */
export type StuckSum = {
  readonly provider: string
  readonly payments: number
  readonly cost: bigint
  readonly oldestDueAt: Date
  readonly overdueSeconds: number
}

/** Time past the due time from which payments are an alert; it ends when none is past it. */
const OPENS_AFTER_SECONDS = 30 * 60

export function stuckFinding({ provider, payments, cost, oldestDueAt, overdueSeconds }: StuckSum): Finding {
  const hours = Math.floor(overdueSeconds / 3_600)
  const age = hours === 0 ? '' : ` (${hours === 1 ? '1 hour' : `${hours} hours`})`
  const count = payments === 1 ? '1 payment is' : `${payments} payments are`
  return {
    subject: provider === '' ? 'no supplier' : provider,
    text: `${count} past the due time, RM ${formatMoney(cost)} in all; the oldest since ${oldestDueAt.toISOString()}${age}`,
    state: overdueSeconds >= OPENS_AFTER_SECONDS ? 'bad' : 'unclear',
  }
}
