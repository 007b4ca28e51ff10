import { describe, expect, it } from 'vitest'
import { isWorthKeeping } from './answers.service.ts'

const BILLERS = 21_500

describe('pages that are kept', () => {
  it('are those of the default size and everything at once, of short lists too', () => {
    expect(isWorthKeeping({ page: 1, perPage: 100 }, 5)).toBe(true)
    expect(isWorthKeeping({ page: 215, perPage: 100 }, BILLERS)).toBe(true)
    expect(isWorthKeeping({ page: 1, perPage: 25_000 }, 5)).toBe(true)
    expect(isWorthKeeping({ page: 1, perPage: 25_000 }, BILLERS)).toBe(true)
  })

  it('are large ones of other sizes', () => {
    expect(isWorthKeeping({ page: 22, perPage: 1_000 }, BILLERS)).toBe(true)
    expect(isWorthKeeping({ page: 1, perPage: 24_999 }, BILLERS)).toBe(true)
  })

  it('are never so many as callers can name: small sizes and pages past the end are not among them', () => {
    for (const perPage of [1, 99, 101, 499]) expect(isWorthKeeping({ page: 1, perPage }, BILLERS)).toBe(false)
    for (const perPage of [101, 24_999]) expect(isWorthKeeping({ page: 1, perPage }, 5)).toBe(false)
    expect(isWorthKeeping({ page: 216, perPage: 100 }, BILLERS)).toBe(false)
    expect(isWorthKeeping({ page: 999_999_999, perPage: 25_000 }, BILLERS)).toBe(false)
    expect(isWorthKeeping({ page: 1, perPage: 100 }, 0)).toBe(false)
  })
})
