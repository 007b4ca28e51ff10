import { formatMoney, moneyToNumber } from '../../../lib/money.ts'
import type { Threshold } from './thresholds.service.ts'

/** Makes the answer. The two operations format the time differently. */
export function thresholdView({ amount, email, at }: Threshold, formatTime: (instant: Date) => string) {
  return {
    data: {
      Status: amount === null ? '' : 'Success',
      Email: email,
      BalanceThreshold: amount === null ? 0 : moneyToNumber(amount),
      Note:
        amount === null ? '' : `An e-mail is sent when the balance drops below MYR ${formatMoney(amount)}`,
    },
    '@metadata': { status_code: 200 as const, last_updated: formatTime(at) },
  }
}
