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
    const deadlines = createDeadlines<{ name: string }>(100, ({ name }) => late.push(name))
    deadlines.add({ name: 'first' }, performance.now())
    await pass(50)
    deadlines.add({ name: 'second' }, performance.now())
    const takenBack = deadlines.add({ name: 'taken back' }, performance.now())
    await pass(49)
    expect(late).toEqual([])
    await pass(1)
    expect(late).toEqual(['first'])
    deadlines.remove(takenBack)
    await pass(50)
    expect(late).toEqual(['first', 'second'])
    await pass(1_000)
    deadlines.add({ name: 'third' }, performance.now())
    await pass(99)
    expect(late).toHaveLength(2)
    await pass(1)
    expect(late).toEqual(['first', 'second', 'third'])
  }))

it('an item that is removed after its time gives its place to another, which gets its whole time', () =>
  withClock(async (pass) => {
    const late: string[] = []
    const deadlines = createDeadlines<{ name: string }>(100, ({ name }) => late.push(name))
    const first = deadlines.add({ name: 'first' }, performance.now())
    await pass(60)
    deadlines.add({ name: 'second' }, performance.now())
    await pass(40)
    expect(late).toEqual(['first'])
    deadlines.remove(first)
    expect(deadlines.add({ name: 'third' }, performance.now())).toBe(first)
    await pass(60)
    expect(late).toEqual(['first', 'second'])
    await pass(40)
    expect(late).toEqual(['first', 'second', 'third'])
  }))
