import { describe, expect, it } from 'vitest'
import { parseDay } from '../../lib/dates.ts'
import { MOVES, mayMove, readTransferDay, refuseMove } from './rules.ts'
import { DEPOSIT_STATES } from './types.ts'

describe('states', () => {
  it('money that is in the wallet, a refusal and a withdrawal are final', () => {
    const final = DEPOSIT_STATES.filter((state) => MOVES[state].length === 0)
    expect(final).toEqual(['credited', 'refused', 'withdrawn'])
  })

  it('only an accepted request is credited', () => {
    expect(DEPOSIT_STATES.filter((state) => mayMove(state, 'credited'))).toEqual(['accepted'])
  })

  it('a change that the table does not have is a conflict', () => {
    for (const from of DEPOSIT_STATES) {
      for (const to of DEPOSIT_STATES) {
        const attempt = () => refuseMove(from, to)
        if (mayMove(from, to)) attempt()
        else expect(attempt).toThrow(expect.objectContaining({ status: 409 }))
      }
    }
  })
})

it('a report is of a day of the last year, and at most tomorrow', () => {
  const today = parseDay('2026-11-16') ?? 0
  const read = (day: string) => readTransferDay(parseDay(day) ?? 0, today)
  for (const day of ['2026-11-16', '2026-11-17', '2025-11-15']) expect(read(day)).toBe(parseDay(day))
  for (const day of ['2026-11-18', '2025-11-14']) {
    expect(() => read(day)).toThrow(expect.objectContaining({ status: 400 }))
  }
})
