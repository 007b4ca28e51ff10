import { expect, it } from 'vitest'
import { loadOnce } from './load-once.ts'

it('a value is loaded once, also for callers that come while it is loading', async () => {
  let count = 0
  const load = loadOnce(async () => {
    count += 1
    return count
  })
  expect(await Promise.all([load(), load()])).toEqual([1, 1])
  expect(await load()).toBe(1)
})

it('a failure reaches everybody who waits for it, and the next call loads again', async () => {
  let count = 0
  const load = loadOnce(async () => {
    count += 1
    if (count === 1) throw new Error('offline')
    return count
  })
  const waiting = await Promise.allSettled([load(), load()])
  expect(waiting.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await load()).toBe(2)
  expect(count).toBe(2)
})
