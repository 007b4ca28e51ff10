import { afterEach, expect, it, vi } from 'vitest'
import { answerForMetrics } from './worker-metrics.ts'

const { send, connected } = process

afterEach(() => {
  vi.restoreAllMocks()
  Object.assign(process, { send, connected })
})

type Told = (error: Error | null) => void

/** Makes this process a worker whose first process has just ended, as Node shows it: only the write tells. */
function becomeOrphan(): { sent: unknown[]; unheard: Error[]; ask: (question: unknown) => void } {
  const sent: unknown[] = []
  const unheard: Error[] = []
  let ask: (question: unknown) => void = () => {}
  vi.spyOn(process, 'on').mockImplementation((name, listener) => {
    if (name === 'message') ask = listener as typeof ask
    return process
  })
  const lose = (message: unknown, told?: Told) => {
    sent.push(message)
    const error = new Error('write EPIPE')
    // Node emits an error that has no callback as an event of the process, which ends it.
    if (told === undefined) unheard.push(error)
    else told(error)
    return false
  }
  Object.assign(process, { send: lose, connected: true })
  return { sent, unheard, ask: (question) => ask(question) }
}

it.each([
  ['metrics', () => ({ read: async () => [] })],
  ['no metrics yet', () => undefined],
  ['metrics that cannot be read', () => ({ read: () => Promise.reject(new Error('broken')) })],
])('a worker with %s goes on when the first process ends before it has its answer', async (_, source) => {
  const { sent, unheard, ask } = becomeOrphan()
  answerForMetrics(source)
  ask({ kind: 'metrics_asked', id: 7 })
  await new Promise((resolve) => setImmediate(resolve))
  expect(sent).toEqual([{ kind: 'metrics', id: 7, figures: [] }])
  expect(unheard).toEqual([])
})
