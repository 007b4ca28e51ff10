import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { SetSize } from './replay.rules.ts'
import { locate } from './replay.rules.ts'

const SIZES = fc.array(fc.record({ coming: fc.nat(6), going: fc.nat(6) }), { maxLength: 8 })

/** Returns the expected order: creations set by set, then deletions from the last set. */
function inOrder(sets: readonly SetSize[]): string[] {
  const places = (id: string, count: number, sort: string) =>
    Array.from({ length: count }, (_, index) => `${id} ${sort} ${index}`)
  return [
    ...sets.flatMap(({ id, coming }) => places(id, coming, 'comes')),
    ...sets.toReversed().flatMap(({ id, going }) => places(id, going, 'goes')),
  ]
}

it('finds exactly the events of a range, in the order in which an account is told of them', () => {
  fc.assert(
    fc.property(SIZES, fc.integer({ min: 1, max: 60 }), fc.nat(40), (sizes, first, more) => {
      const sets = sizes.map((size, index) => ({ id: `s${index}`, ...size }))
      const slices = locate(sets, first, first + more)
      const found = slices.flatMap(({ setId, isGoing, skip, count }) =>
        Array.from({ length: count }, (_, index) => `${setId} ${isGoing ? 'goes' : 'comes'} ${skip + index}`),
      )
      const all = inOrder(sets)
      expect(found).toEqual(all.slice(first - 1, first + more))
      for (const { position, setId, isGoing, skip } of slices) {
        expect(all[position - 1]).toBe(`${setId} ${isGoing ? 'goes' : 'comes'} ${skip}`)
      }
    }),
  )
})
