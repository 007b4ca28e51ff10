import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { repeat } from './repeat.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const unexpected = (error: unknown) => {
  throw error
}

/** Starts as many schedules at the same instant and returns the times of their runs, in milliseconds from now. */
async function runTimes(count: number, pauseMs: number, forMs: number): Promise<number[][]> {
  const startedAtMs = Date.now()
  const times = Array.from({ length: count }, (): number[] => [])
  const schedules = times.map((runs) =>
    repeat(pauseMs, async () => void runs.push(Date.now() - startedAtMs), unexpected),
  )
  await vi.advanceTimersByTimeAsync(forMs)
  await Promise.all(schedules.map((schedule) => schedule.stop()))
  return times
}

describe('repeated work', () => {
  it('work with a short pause runs at each end of it', async () => {
    expect(await runTimes(1, 1_000, 3_500)).toEqual([[1_000, 2_000, 3_000]])
  })

  it('work with a long pause does not run at the same moment as other work that began with it', async () => {
    const times = await runTimes(50, 60_000, 180_000)
    const first = times.map(([at = 0]) => at)
    expect(new Set(first).size).toBeGreaterThan(40)
    for (const at of first) expect(at).toBeGreaterThanOrEqual(30_000)
    for (const at of first) expect(at).toBeLessThanOrEqual(60_000)
    // Only the first pause is shorter.
    for (const [one = 0, two = 0, three = 0] of times)
      expect([two - one, three - two]).toEqual([60_000, 60_000])
  })

  it('work that failed is reported, and runs again', async () => {
    const problems: unknown[] = []
    const schedule = repeat(
      1_000,
      () => Promise.reject(new Error('not now')),
      (problem) => void problems.push(problem),
    )
    await vi.advanceTimersByTimeAsync(2_500)
    await schedule.stop()
    expect(problems).toHaveLength(2)
  })
})
