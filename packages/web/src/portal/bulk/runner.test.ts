import { describe, expect, it } from 'vitest'
import type { RunOutcome } from './runner.ts'
import { createRunner } from './runner.ts'

const ANSWERED: RunOutcome = { kind: 'answered', isHalting: false }
const LOST: RunOutcome = { kind: 'unknown', isHalting: true }

/** Service at the edge: each payment waits until the test answers it. */
function openTill(concurrency = 4) {
  const sent: number[] = []
  const waiting = new Map<number, (outcome: RunOutcome) => void>()
  const runner = createRunner<number>({
    concurrency,
    onChange: () => {},
    pay: (item) => {
      sent.push(item)
      return new Promise((resolve) => waiting.set(item, resolve))
    },
  })
  const answer = async (item: number, outcome = ANSWERED) => {
    waiting.get(item)?.(outcome)
    waiting.delete(item)
    await Promise.resolve()
    await Promise.resolve()
    await Promise.resolve()
  }
  return { runner, sent, answer }
}

describe('paying many lines', () => {
  it('sends four at a time, each once, until all are answered', async () => {
    const { runner, sent, answer } = openTill()
    runner.start([1, 2, 3, 4, 5, 6])
    expect(sent).toEqual([1, 2, 3, 4])
    for (const item of [2, 1, 3, 4, 5, 6]) await answer(item)
    expect(sent).toEqual([1, 2, 3, 4, 5, 6])
    expect(runner.view()).toEqual({ state: 'ended', total: 6, answered: 6, inFlight: 0 })
  })

  it('begins nothing while it is paused, and goes on where it was', async () => {
    const { runner, sent, answer } = openTill(1)
    runner.start([1, 2, 3])
    runner.pause()
    await answer(1)
    expect(sent).toEqual([1])
    runner.resume()
    expect(sent).toEqual([1, 2])
  })

  it('pauses when an answer is lost, and sends that line again first', async () => {
    const { runner, sent, answer } = openTill(1)
    runner.start([1, 2])
    await answer(1, LOST)
    expect(runner.view()).toMatchObject({ state: 'paused', answered: 0 })
    runner.resume()
    expect(sent).toEqual([1, 1])
  })

  it('begins no further line once it is stopped, and waits for those under way', async () => {
    const { runner, sent, answer } = openTill(2)
    runner.start([1, 2, 3])
    runner.stop()
    await answer(1)
    await answer(2)
    expect(sent).toEqual([1, 2])
    expect(runner.view().state).toBe('ended')
  })
})
