import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { parseNetwork } from '../../lib/addresses.ts'
import { createBudget } from './budget.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const exempt = [parseNetwork('192.0.2.0/24')].filter((network) => network !== undefined)

function spendTimes(budget: ReturnType<typeof createBudget>, address: string, times: number): number {
  return Array.from({ length: times }, () => budget.spend(address)).filter(Boolean).length
}

describe('a budget', () => {
  it('allows a burst, then so many a second, and another burst after a rest', () => {
    const budget = createBudget({ perSecond: 10, burst: 30, exempt })
    expect(spendTimes(budget, '198.51.100.1', 100)).toBe(30)
    vi.advanceTimersByTime(500)
    expect(spendTimes(budget, '198.51.100.1', 100)).toBe(5)
    vi.advanceTimersByTime(60_000)
    expect(spendTimes(budget, '198.51.100.1', 100)).toBe(30)
  })

  it('lets a steady probe pass for ever, however a flood of another address goes on', () => {
    const budget = createBudget({ perSecond: 10, burst: 30, exempt })
    for (let second = 0; second < 60; second += 1) {
      spendTimes(budget, '198.51.100.2', 100)
      expect(spendTimes(budget, '198.51.100.3', 10)).toBe(10)
      vi.advanceTimersByTime(1_000)
    }
  })

  it('is one for an IPv6 /64, and none for exempt networks', () => {
    const budget = createBudget({ perSecond: 10, burst: 30, exempt })
    for (let host = 1; host <= 30; host += 1) expect(budget.spend(`2001:db8::${host}`)).toBe(true)
    expect(budget.spend('2001:db8::ffff')).toBe(false)
    expect(budget.spend('2001:db8:0:1::1')).toBe(true)
    expect(spendTimes(budget, '192.0.2.9', 1_000)).toBe(1_000)
  })
})
