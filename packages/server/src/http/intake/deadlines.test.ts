import { expect, it, vi } from 'vitest'
import { createDeadlines } from './deadlines.ts'

async function withClock(work: (pass: (ms: number) => Promise<unknown>) => Promise<void>): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  try {
    await work((ms) => vi.advanceTimersByTimeAsync(ms))
  } finally {
    vi.useRealTimers()
  }
}

it('an item that is not taken back in time is reported, each at the end of its own time and once', () =>
  withClock(async (pass) => {
    const late: string[] = []
    const deadlines = createDeadlines<string>(100, (item) => late.push(item))
    deadlines.add('first', performance.now())
    await pass(50)
    deadlines.add('second', performance.now())
    deadlines.add('taken back', performance.now())
    await pass(49)
    expect(late).toEqual([])
    await pass(1)
    expect(late).toEqual(['first'])
    deadlines.remove('taken back')
    await pass(50)
    expect(late).toEqual(['first', 'second'])
    await pass(1_000)
    deadlines.add('third', performance.now())
    await pass(99)
    expect(late).toHaveLength(2)
    await pass(1)
    expect(late).toEqual(['first', 'second', 'third'])
  }))
