import { describe, expect, it } from 'vitest'
import type { DaySum } from './history.rules.ts'
import { firstIdOf } from './history.rules.ts'
import { rangeOfDays, rangesByDay, rangesOfSums } from './listing.rules.ts'

const sum = (day: number, payments: number): DaySum => ({
  day,
  code: 20,
  payments: BigInt(payments),
  faceValue: 0n,
  cost: 0n,
})

const days = (from: number, to: number) => ({ fromId: firstIdOf(from), untilId: firstIdOf(to + 1) })

it('a file looks through each day with payments by itself, newest first', () => {
  const sums = [sum(100, 3), sum(101, 1), sum(103, 0), sum(101, 4), sum(90, 50)]
  expect(rangesByDay(sums)).toEqual([days(101, 101), days(100, 100), days(90, 90)])
})

describe('the place of a page', () => {
  it('is nowhere when no day has any of them', () => {
    expect(rangesOfSums([sum(7, 0)], null, 10)).toEqual([])
  })

  it('leaves out the days that have none, and those behind the day on which there are enough', () => {
    const sums = [sum(100, 3), sum(101, 1), sum(104, 2), sum(103, 2), sum(90, 50)]
    expect(rangesOfSums(sums, null, 5)).toEqual([days(103, 104), days(101, 101)])
    expect(rangesOfSums(sums, null, 6)).toEqual([days(103, 104), days(100, 101)])
    expect(rangesOfSums(sums, null, 9)).toEqual([days(103, 104), days(100, 101), days(90, 90)])
  })

  it('begins where the page before ended, and does not count on what is left of that day', () => {
    const before = firstIdOf(101) + 5n
    const sums = [sum(102, 9), sum(101, 9), sum(100, 9), sum(99, 9)]
    expect(rangesOfSums(sums, before, 5)).toEqual([{ fromId: firstIdOf(100), untilId: before }])
  })
})

it('a day counts all its payments, whatever their codes', () => {
  expect(rangesOfSums([sum(5, 2), sum(5, 3), sum(4, 1)], null, 5)).toEqual([days(5, 5)])
})

it('a page never reaches beyond the last day that was asked for', () => {
  expect(rangeOfDays({ from: 4, to: 5 }, firstIdOf(9))).toEqual(days(4, 5))
  expect(rangeOfDays({ from: 4, to: 5 }, firstIdOf(5))).toEqual(days(4, 4))
})
