import { describe, expect, it } from 'vitest'
import type { TurnLimits, Turns } from './turns.ts'
import { createTurns } from './turns.ts'

const LIMITS: TurnLimits = { atOnceMax: 3, perOwnerMax: 2, waitingPerOwnerMax: 2, waitMs: 600_000 }

/** Begins work that goes on until the test ends it. */
function begin(turns: Turns, owner: bigint, isAwaited?: () => boolean) {
  let end = () => {}
  const state = { isBegun: false }
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const done = turns.take(
    owner,
    () => {
      state.isBegun = true
      return ended
    },
    isAwaited,
  )
  done.catch(() => {})
  return { state, end, done }
}

describe('turns', () => {
  it('are so many at once and so many of one owner, whose waiting holds nobody else up', async () => {
    const turns = createTurns(LIMITS)
    const [one, two, three] = [begin(turns, 1n), begin(turns, 1n), begin(turns, 1n)]
    const other = begin(turns, 2n)
    expect([one, two, three, other].map(({ state }) => state.isBegun)).toEqual([true, true, false, true])
    const third = begin(turns, 3n)
    expect(third.state.isBegun).toBe(false)
    other.end()
    await other.done
    await expect.poll(() => third.state.isBegun).toBe(true)
    expect(three.state.isBegun).toBe(false)
    one.end()
    await expect.poll(() => three.state.isBegun).toBe(true)
    for (const each of [two, three, third]) each.end()
    await Promise.all([two, three, third].map(({ done }) => done))
    expect(turns.underway).toBe(0)
  })

  it('are refused to an owner of whom too many wait, and only to that one', async () => {
    const turns = createTurns(LIMITS)
    const own = Array.from({ length: 5 }, () => begin(turns, 1n))
    await expect(own[4]?.done).rejects.toMatchObject({ status: 429, code: 'too_many_at_once' })
    expect(begin(turns, 2n).state.isBegun).toBe(true)
  })

  it('come first to the owner who has the fewest, and then to whoever came first', async () => {
    const turns = createTurns(LIMITS)
    const [one, other, third] = [begin(turns, 1n), begin(turns, 2n), begin(turns, 3n)]
    const waiting = [begin(turns, 1n), begin(turns, 4n), begin(turns, 3n)]
    const begun = () => waiting.map(({ state }) => state.isBegun)
    third.end()
    await expect.poll(begun).toEqual([false, true, false])
    other.end()
    await expect.poll(begun).toEqual([false, true, true])
    one.end()
    await expect.poll(begun).toEqual([true, true, true])
    for (const each of waiting) each.end()
    await expect.poll(() => turns.underway).toBe(0)
  })

  it('are not taken by work whose result nobody waits for any longer, which keeps nobody from waiting', async () => {
    const turns = createTurns({ ...LIMITS, perOwnerMax: 1, waitingPerOwnerMax: 1 })
    let isAwaited = true
    const [first, gone] = [begin(turns, 1n), begin(turns, 1n, () => isAwaited)]
    isAwaited = false
    const next = begin(turns, 1n, () => isAwaited)
    await expect(gone.done).rejects.toMatchObject({ status: 503 })
    first.end()
    await expect(next.done).rejects.toMatchObject({ status: 503 })
    await expect.poll(() => turns.underway).toBe(0)
    expect([gone, next].map(({ state }) => state.isBegun)).toEqual([false, false])
  })

  it('turns that do not come in time are not taken later', async () => {
    const turns = createTurns({ ...LIMITS, perOwnerMax: 1, waitMs: 1 })
    const [first, late] = [begin(turns, 1n), begin(turns, 1n)]
    await expect(late.done).rejects.toMatchObject({ status: 503 })
    first.end()
    await first.done
    expect([late.state.isBegun, turns.underway]).toEqual([false, 0])
  })

  it('are kept for a rest after the work, whose result is not held up by it', async () => {
    const turns = createTurns({ ...LIMITS, perOwnerMax: 1, restFactor: 10 })
    const turning = begin(turns, 1n)
    await new Promise((resolve) => setImmediate(resolve))
    turning.end()
    await turning.done
    expect(turns.underway).toBe(1)
    const next = begin(turns, 1n)
    expect(next.state.isBegun).toBe(false)
    await expect.poll(() => next.state.isBegun).toBe(true)
    next.end()
  })

  it('are given back by work that fails', async () => {
    const turns = createTurns({ ...LIMITS, perOwnerMax: 1 })
    await expect(turns.take(1n, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await turns.take(1n, () => Promise.resolve('yes'))).toBe('yes')
  })
})
