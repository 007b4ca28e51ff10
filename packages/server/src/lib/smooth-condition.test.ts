import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { smoothCondition } from './smooth-condition.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function watch() {
  const state = { isTrue: false }
  return { state, watched: smoothCondition(() => state.isTrue) }
}

describe('a smoothed condition', () => {
  it('is not so before anything was seen', () => {
    expect(watch().watched.isTrue()).toBe(false)
  })

  it('is so after a few tenths of a second of it, and not after a moment', () => {
    const { state, watched } = watch()
    state.isTrue = true
    vi.advanceTimersByTime(60)
    expect(watched.isTrue()).toBe(false)
    vi.advanceTimersByTime(300)
    expect(watched.isTrue()).toBe(true)
  })

  it('ends a few tenths of a second after it ended, and not at the first moment without', () => {
    const { state, watched } = watch()
    state.isTrue = true
    vi.advanceTimersByTime(5_000)
    state.isTrue = false
    vi.advanceTimersByTime(60)
    expect(watched.isTrue()).toBe(true)
    vi.advanceTimersByTime(300)
    expect(watched.isTrue()).toBe(false)
  })

  it.each([
    [8, true],
    [2, false],
  ])('a thing that is true %i times in ten is %s, at whatever moment it is asked', (times, expected) => {
    let looks = 0
    const watched = smoothCondition(() => looks++ % 10 < times)
    vi.advanceTimersByTime(5_000)
    for (let moment = 0; moment < 20; moment += 1) {
      vi.advanceTimersByTime(20)
      expect(watched.isTrue()).toBe(expected)
    }
  })

  it('is looked at seldom while it does not hold', () => {
    let looks = 0
    smoothCondition(() => {
      looks += 1
      return false
    })
    vi.advanceTimersByTime(10_000)
    expect(looks).toBeLessThanOrEqual(50)
  })

  it('looks no more when it is stopped', async () => {
    let looks = 0
    const watched = smoothCondition(() => {
      looks += 1
      return true
    })
    await watched.stop()
    vi.advanceTimersByTime(5_000)
    expect(looks).toBe(0)
  })
})
