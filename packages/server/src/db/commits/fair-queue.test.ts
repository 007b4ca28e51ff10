import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

describe('the fair queue', () => {
  it('gives everything out once, and each key in its own order', () => {
    const command = fc.record({ key: fc.integer({ min: 0, max: 4 }), take: fc.integer({ min: 0, max: 5 }) })
    fc.assert(
      fc.property(fc.array(command, { maxLength: 300 }), (commands) => {
        const queue = createFairQueue<{ key: number; order: number }>()
        const taken: { key: number; order: number }[] = []
        for (const [order, { key, take }] of commands.entries()) {
          queue.add(key, { key, order })
          if (take > 0) taken.push(...queue.take(take))
        }
        taken.push(...queue.take(Number.MAX_SAFE_INTEGER))
        expect(queue.size).toBe(0)
        expect(taken.map((item) => item.order).sort((a, b) => a - b)).toEqual(
          commands.map((_, index) => index),
        )
        for (let key = 0; key <= 4; key += 1) {
          const orders = taken.filter((item) => item.key === key).map((item) => item.order)
          expect(orders).toEqual([...orders].sort((a, b) => a - b))
        }
      }),
    )
  })

  it('a flood under one key leaves room in the very next batch for another', () => {
    const queue = createFairQueue<string>()
    for (let index = 0; index < 5_000; index += 1) queue.add('flood', `flood ${index}`)
    queue.add('small', 'small')
    expect(queue.take(100)).toContain('small')
  })

  it('lines of many keys share a batch, and keys that come once leave nothing behind that disturbs', () => {
    const queue = createFairQueue<number>()
    for (let round = 0; round < 3; round += 1) {
      const keys = Array.from({ length: 6_000 }, (_, index) => round * 6_000 + index)
      for (const key of keys) queue.add(key, key)
      for (const key of keys) queue.add(key, -key - 1)
      expect(queue.take(6_000)).toEqual(keys)
      expect(queue.take(Number.MAX_SAFE_INTEGER)).toEqual(keys.map((key) => -key - 1))
      expect(queue.size).toBe(0)
    }
  })

  it('a line that is never empty keeps its order however long it stands', () => {
    const queue = createFairQueue<number>()
    const taken: number[] = []
    for (let index = 0; index < 10_000; index += 1) {
      queue.add('only', index)
      if (index >= 10) taken.push(...queue.take(1))
    }
    taken.push(...queue.take(100))
    expect(taken).toEqual(Array.from({ length: 10_000 }, (_, index) => index))
  })

  it('a taken item is not held while others of its line wait', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const queue = createFairQueue<object>()
    const taken = addAndTake(queue)
    await new Promise((done) => setImmediate(done))
    collect()
    expect(taken.deref()).toBeUndefined()
    expect(queue.size).toBe(1)
  })
})

function addAndTake(queue: ReturnType<typeof createFairQueue<object>>): WeakRef<object> {
  queue.add('only', { large: true })
  queue.add('only', {})
  return new WeakRef(queue.take(1)[0] as object)
}
