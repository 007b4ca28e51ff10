import { expect, it } from 'vitest'
import { formatDay, parseDay } from '../../../lib/dates.ts'
import { lastMonths } from './statement.rules.ts'

function monthsBefore(day: string, count: number): string[] {
  const today = parseDay(day)
  if (today === undefined) throw new Error(`${day} is no day`)
  return lastMonths(today, count).map(({ from, to }) => `${formatDay(from)} ${formatDay(to)}`)
}

it('months go back over the turn of the year, the present one up to today', () => {
  expect(monthsBefore('2026-02-10', 4)).toEqual([
    '2026-02-01 2026-02-10',
    '2026-01-01 2026-01-31',
    '2025-12-01 2025-12-31',
    '2025-11-01 2025-11-30',
  ])
})

it('months follow one another without a gap, leap years included', () => {
  const today = parseDay('2024-03-01') ?? 0
  const months = lastMonths(today, 36)
  for (const [index, month] of months.entries()) {
    expect(month.from).toBeLessThanOrEqual(month.to)
    const later = months[index - 1]
    if (later !== undefined) expect(month.to + 1).toBe(later.from)
  }
  expect(monthsBefore('2024-03-01', 2)[1]).toBe('2024-02-01 2024-02-29')
})
