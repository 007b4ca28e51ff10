import { describe, expect, it } from 'vitest'
import { createAllowance } from './allowance.service.ts'

const NEVER_MS = 1_000_000

function takeAll({ take }: { take(): boolean }, max = 10_000): number {
  let count = 0
  while (count < max && take()) count += 1
  return count
}

describe('allowance', () => {
  it('gives any number while nothing is short of the processors', () => {
    const allowance = createAllowance({ isBusy: () => false, onMore: () => {} })
    expect(takeAll(allowance, 10_000)).toBe(10_000)
    expect(allowance.perStep).toBe(Number.POSITIVE_INFINITY)
  })

  it('gives a few in each step while payments wait, and tells when there are more', async () => {
    let more = () => {}
    const told = new Promise<void>((resolve) => {
      more = resolve
    })
    const allowance = createAllowance({ isBusy: () => true, onMore: () => more(), stepMs: 1 })
    const few = takeAll(allowance)
    expect(few).toBe(allowance.perStep)
    expect(few).toBeLessThan(100)
    await told
    expect(takeAll(allowance)).toBe(few)
  })

  it('gives more and more when payments go on waiting, and begins with few at the next burst', async () => {
    let isBusy = true
    const allowance = createAllowance({ isBusy: () => isBusy, onMore: () => {}, doubleMs: 5 })
    const first = allowance.perStep
    while (allowance.perStep < 8 * first) await new Promise((resolve) => setImmediate(resolve))
    isBusy = false
    expect(allowance.perStep).toBe(Number.POSITIVE_INFINITY)
    isBusy = true
    const again = createAllowance({ isBusy: () => isBusy, onMore: () => {}, doubleMs: NEVER_MS })
    expect(again.perStep).toBe(first)
    expect(allowance.perStep).toBeLessThan(8 * first)
  })
})
