import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { withDeadline } from './deadline.ts'

const untilAborted = (signal: AbortSignal) =>
  new Promise<string>((resolve) => {
    if (signal.aborted) resolve('ended')
    signal.addEventListener('abort', () => resolve('ended'))
  })

describe('a deadline', () => {
  it('ends what is done under it, and so does the caller', async () => {
    expect(await withDeadline(1, new AbortController().signal, untilAborted)).toBe('ended')
    const caller = new AbortController()
    const acted = withDeadline(600_000, caller.signal, untilAborted)
    caller.abort()
    expect(await acted).toBe('ended')
    expect(await withDeadline(600_000, caller.signal, untilAborted)).toBe('ended')
  })

  it('leaves nothing behind at the caller’s signal', async () => {
    const { signal } = new AbortController()
    await withDeadline(600_000, signal, () => Promise.resolve())
    await expect(withDeadline(600_000, signal, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })
})
