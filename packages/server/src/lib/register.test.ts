import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRegister } from './register.ts'

describe('a register', () => {
  it('holds exactly the items that were added and not removed', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20), { maxLength: 200 }), (steps) => {
        const register = createRegister<{ name: number }>()
        const kept: { ticket: number; item: { name: number } }[] = []
        for (const [at, step] of steps.entries()) {
          if (step < kept.length) {
            for (const { ticket } of kept.splice(step, 1)) register.remove(ticket)
          } else {
            const item = { name: at }
            kept.push({ ticket: register.add(item), item })
          }
        }
        const found = new Map<number, { name: number }>()
        register.each((item, ticket) => found.set(ticket, item))
        expect(found).toEqual(new Map(kept.map(({ ticket, item }) => [ticket, item])))
        expect(register.size).toBe(kept.length)
        expect(new Set(register.list())).toEqual(new Set(kept.map(({ item }) => item)))
        expect(register.some((item) => kept.every((each) => each.item !== item))).toBe(false)
        for (const { item } of kept) expect(register.some((each) => each === item)).toBe(true)
      }),
    )
  })

  it('uses the tickets of removed items again, so that it grows with the items and not with the time', () => {
    const register = createRegister<object>()
    const first = register.add({})
    register.add({})
    for (let time = 0; time < 1_000; time += 1) register.remove(register.add({}))
    register.remove(first)
    expect(register.add({})).toBe(first)
    expect(register.add({})).toBe(2)
  })

  it('lets items be removed while they are visited', () => {
    const register = createRegister<object>()
    for (let time = 0; time < 3; time += 1) register.add({})
    register.each((_, ticket) => register.remove(ticket))
    expect(register.size).toBe(0)
  })
})

/**
 * Lets items come and go, 64 at a time, each with several kilobytes that it points to. Returns the bytes that young
 * collections leave, all of them made while no item is under way.
 */
function bytesLeftBehind(add: (item: object) => () => void): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void
  const underway = Array.from({ length: 64 }, () => () => {})
  const run = () => {
    for (let time = 0; time < 1_000; time += 1) {
      underway[time % 64]?.()
      underway[time % 64] = add({ request: Array.from({ length: 200 }, () => ({})) })
    }
    for (const end of underway) end()
    underway.fill(() => {})
  }
  run()
  // Everything that stands now becomes old.
  collect()
  const before = getHeapStatistics().used_heap_size
  for (let time = 0; time < 10; time += 1) {
    run()
    collect({ type: 'minor' })
  }
  return getHeapStatistics().used_heap_size - before
}

describe('garbage collection of young objects', () => {
  it('frees the items that were removed from a register, and not those of a Set', () => {
    const register = createRegister<object>()
    const set = new Set<object>()
    const ofRegister = bytesLeftBehind((item) => {
      const ticket = register.add(item)
      return () => register.remove(ticket)
    })
    const ofSet = bytesLeftBehind((item) => {
      set.add(item)
      return () => set.delete(item)
    })
    expect(ofRegister).toBeLessThan(ofSet / 10)
  })
})
