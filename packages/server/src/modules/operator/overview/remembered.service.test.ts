import { describe, expect, it } from 'vitest'
import { remember } from './remembered.service.ts'

/** Reads 1, then 2, and so on. */
function counter(): () => Promise<number> {
  let reads = 0
  return () => {
    reads += 1
    return Promise.resolve(reads)
  }
}

describe('a remembered read', () => {
  it('is done once for all who ask at the same time, and while it is fresh', async () => {
    const part = remember(counter(), { nowMs: () => 7, freshMs: 60_000 })
    const both = await Promise.all([part.get(), part.get()])
    expect(both.map(({ value }) => value)).toEqual([1, 1])
    expect(await part.get()).toMatchObject({ value: 1, atMs: 7 })
  })

  it('is done again when it is not fresh any more', async () => {
    const part = remember(counter(), { nowMs: () => 0, freshMs: 0, restFactor: 0 })
    await part.get()
    expect((await part.get()).value).toBe(2)
  })

  it('rests for a multiple of the time that it took', async () => {
    const next = counter()
    const slow = () => {
      const endMs = performance.now() + 5
      while (performance.now() < endMs);
      return next()
    }
    const part = remember(slow, { nowMs: () => 0, freshMs: 0, restFactor: 10_000 })
    await part.get()
    expect((await part.get()).value).toBe(1)
  })

  it('a remembered read that failed is tried again by the next who asks', async () => {
    let reads = 0
    const part = remember(
      () => {
        reads += 1
        return reads === 1 ? Promise.reject(new Error('away')) : Promise.resolve(reads)
      },
      { nowMs: () => 0 },
    )
    await expect(part.get()).rejects.toThrow('away')
    expect((await part.get()).value).toBe(2)
  })
})
