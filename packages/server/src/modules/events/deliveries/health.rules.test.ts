import { describe, expect, it } from 'vitest'
import type { Bearing } from './attempt.rules.ts'
import type { Health } from './health.rules.ts'
import { firstHealth, healthAfter } from './health.rules.ts'

const after = (first: Health, ...bearings: Bearing[]) => bearings.reduce(healthAfter, first)
const many = (bearing: Bearing, count: number) => Array<Bearing>(count).fill(bearing)

describe('the number of requests to a receiver at a time', () => {
  it('begins small, and with one while it fails', () => {
    expect(firstHealth(false)).toEqual({ window: 2, isProven: false })
    expect(firstHealth(true)).toEqual({ window: 1, isProven: false })
  })

  it('grows with every success, up to a bound', () => {
    expect(after(firstHealth(false), 'well')).toEqual({ window: 3, isProven: true })
    expect(after(firstHealth(false), ...many('well', 100))).toEqual({ window: 16, isProven: true })
  })

  it('is halved by an answer that says no, and never none', () => {
    const well = after(firstHealth(false), ...many('well', 100))
    expect(after(well, 'strained')).toEqual({ window: 8, isProven: false })
    expect(after(well, ...many('strained', 100)).window).toBe(1)
  })

  it('is one at once when nobody answers', () => {
    expect(after(firstHealth(false), ...many('well', 100), 'silent')).toEqual({ window: 1, isProven: false })
  })

  it('stays when a receiver answers that it does not want one', () => {
    const well = after(firstHealth(false), ...many('well', 5))
    expect(after(well, 'neutral')).toEqual(well)
  })
})
