import { formatDay, parseDay } from '../../../lib/dates.ts'
import type { Rule } from '../../../lib/input/fields.ts'
import { textRule } from '../../../lib/input/fields.ts'
import { formatMoney } from '../../../lib/money.ts'
import type { Movements } from '../../wallet/statement/periods.types.ts'
import { addMovements, NO_MOVEMENTS } from '../closings/closings.rules.ts'
import type { Month, MonthStatement, WalletDay } from '../closings/types.ts'

const MONTH_FORM = /^\d{4}-\d\d$/

/** Reads a month yyyy-MM; undefined for any other text. */
export function parseMonth(text: string): Month | undefined {
  if (!MONTH_FORM.test(text)) return undefined
  const from = parseDay(`${text}-01`)
  if (from === undefined) return undefined
  let to = from + 27
  while (formatDay(to + 1).startsWith(text)) to += 1
  return { name: text, from, to }
}

export const MONTH: Rule<Month> = textRule({
  message: 'must be a month yyyy-MM',
  schema: { pattern: MONTH_FORM.source },
  parse: parseMonth,
})

export function totalsOf(days: readonly WalletDay[]): Movements {
  return days.reduce((sum, { movements }) => addMovements(sum, movements), NO_MOVEMENTS)
}

/** Returns the number under which a statement is filed: the same for every print of a month that is over. */
export function statementNumber({
  account,
  month,
  asOf,
}: Pick<MonthStatement, 'account' | 'month' | 'asOf'>): string {
  const number = `ST-${account}-${month.name.replace('-', '')}`
  return asOf > month.to ? number : `${number}-P${formatDay(asOf).slice(-2)}`
}

const SEN = 100n

/**
 * Returns a formatter: two decimals if all amounts are whole sen, otherwise four, so that the points of a column align.
 */
export function sameDecimals(amounts: readonly bigint[]): (amount: bigint) => string {
  const decimals = amounts.every((amount) => amount % SEN === 0n) ? 2 : 4
  return (amount) => {
    const [whole = '', fraction = ''] = formatMoney(amount).split('.')
    return groupThousands(`${whole}.${fraction.padEnd(decimals, '0')}`)
  }
}

/** Formats an amount as 1,234.50: for readers, not for programs. */
export function groupThousands(amount: string): string {
  return amount.replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',')
}
