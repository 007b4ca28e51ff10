import { expect, it } from 'vitest'
import { pausingAfterTrouble, workThrough } from './batches.ts'

const going = () => false

/** Claims these batches one after the other. */
function claimsOf(...batches: string[][]) {
  return async () => batches.shift() ?? []
}

it('batches are worked through until nothing is due', async () => {
  const done: string[] = []
  const result = await workThrough({
    isStopped: going,
    claim: claimsOf(['a', 'b'], ['c']),
    work: async (each: string) => void done.push(each),
    conclude: async () => 'done',
  })
  expect(result).toBe('done')
  expect(done).toEqual(['a', 'b', 'c'])
})

it('a batch that meets trouble ends the run, and nothing more is claimed', async () => {
  const claimed: string[][] = []
  const claim = claimsOf(['a'], ['b'])
  const result = await workThrough({
    isStopped: going,
    async claim() {
      const batch = await claim()
      claimed.push(batch)
      return batch
    },
    work: async (each: string) => each,
    conclude: async (results) => (results.includes('a') ? 'failing' : 'done'),
  })
  expect(result).toBe('failing')
  expect(claimed).toEqual([['a']])
})

it('work whose result cannot be recorded fails the run after the others of its batch have ended', async () => {
  const done: string[] = []
  let finish = () => {}
  const slow = new Promise<void>((resolve) => {
    finish = resolve
  })
  const run = workThrough({
    isStopped: going,
    claim: claimsOf(['fails', 'slow']),
    async work(each: string) {
      if (each === 'fails') throw new Error('not recorded')
      await slow
      done.push(each)
    },
    conclude: async () => 'done',
  })
  let isOver = false
  run.catch(() => {
    isOver = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(isOver).toBe(false)
  finish()
  await expect(run).rejects.toThrow('not recorded')
  expect(done).toEqual(['slow'])
})

it('a run that is stopped claims no further batch', async () => {
  let isStopped = false
  const done: string[] = []
  await workThrough({
    isStopped: () => isStopped,
    claim: claimsOf(['a'], ['b']),
    async work(each: string) {
      done.push(each)
      isStopped = true
    },
    conclude: async () => 'done',
  })
  expect(done).toEqual(['a'])
})

it('after a run with trouble the work is begun again when the pause is over, and not before', async () => {
  let nowMs = 0
  let runs = 0
  const work = pausingAfterTrouble(
    100,
    async () => {
      runs += 1
      return runs === 1 ? 'failing' : 'done'
    },
    () => nowMs,
  )
  await work()
  nowMs = 99
  await work()
  expect(runs).toBe(1)
  nowMs = 100
  await work()
  await work()
  expect(runs).toBe(3)
})
