import { expect, it } from 'vitest'
import { formatDay } from '../../../lib/dates.ts'
import { groupThousands, parseMonth } from './statement.rules.ts'

it.each([
  ['2026-02', '2026-02-01', '2026-02-28'],
  ['2024-02', '2024-02-01', '2024-02-29'],
  ['2026-04', '2026-04-01', '2026-04-30'],
  ['2026-12', '2026-12-01', '2026-12-31'],
])('%s is a month from its first day to its last', (text, first, last) => {
  const month = parseMonth(text)
  expect([formatDay(month?.from ?? 0), formatDay(month?.to ?? 0)]).toEqual([first, last])
})

it.each(['', '2026', '2026-13', '2026-00', '2026-1', '26-01', '2026-01-01', ' 2026-01'])(
  '"%s" is no month',
  (text) => expect(parseMonth(text)).toBeUndefined(),
)

it.each([
  ['0.00', '0.00'],
  ['999.1234', '999.1234'],
  ['-1000.00', '-1,000.00'],
  ['1234567.8901', '1,234,567.8901'],
])('%s is shown as %s', (amount, shown) => expect(groupThousands(amount)).toBe(shown))
