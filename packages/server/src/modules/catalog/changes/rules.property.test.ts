import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isSame } from '../../../lib/input/same.ts'
import type { Copy } from '../../../testing/catalog/catalog-copies.ts'
import { applyEvents, copyOf, touchedBetween } from '../../../testing/catalog/catalog-copies.ts'
import { accountViews, bases, levels } from '../../../testing/catalog/catalog-samples.ts'
import { runs } from '../../../testing/runs.ts'
import type { CatalogEvent } from '../model/changes.types.ts'
import { compileLevel, compileSnapshot } from '../model/compile.rules.ts'
import { EMPTY_STATE, getLevel, NO_OWN_VIEW, patched } from '../model/state.rules.ts'
import type { CatalogState, Diff, Touched } from '../model/store.types.ts'
import {
  countTouched,
  decodeTouched,
  encodeTouched,
  joinTouched,
  NOTHING_TOUCHED,
} from '../model/touched.rules.ts'
import type { Snapshot } from '../model/types.ts'
import type { Expansion } from './expansion.service.ts'
import { openExpansion, openSwitch } from './expansion.service.ts'
import { eventsBetween } from './rules.ts'
import { describe } from './view.ts'

// Finding a small example for a failure may take very long; a large example now is better.
const IMPATIENT = { interruptAfterTimeLimit: 40_000 }

const ACCOUNTS = [
  { id: 1n, levelCode: 'STANDARD' },
  { id: 2n, levelCode: 'OTHER' },
  { id: 3n, levelCode: 'STANDARD' },
]

/** Catalogues with two levels, two accounts with their own data and one without. */
const worlds: fc.Arbitrary<CatalogState> = fc
  .tuple(bases, levels, levels, accountViews, accountViews)
  .map(([base, standard, other, one, two]) => ({
    ...EMPTY_STATE,
    base,
    levels: new Map([
      ['STANDARD', standard],
      ['OTHER', { ...other, code: 'OTHER' }],
    ]),
    views: new Map([
      [1n, one],
      [2n, two],
    ]),
  }))

type Pair = readonly [CatalogState, CatalogState]

/** Pairs of catalogues in which everything differs. */
const revolutions: fc.Arbitrary<Pair> = fc.tuple(worlds, worlds)

/** Pairs in which one to three rows differ, each as a whole or in one member only. */
const steps: fc.Arbitrary<Pair> = fc
  .tuple(worlds, worlds, fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 3 }))
  .map(([before, other, picks]) => {
    const all = Object.entries(touchedBetween(before, other)).flatMap(([kind, diffs]) =>
      diffs.map((diff: Diff<unknown>) => ({ kind, diff })),
    )
    const chosen = new Map(picks.map(([which, member]) => [which % Math.max(1, all.length), member]))
    const touched = Object.fromEntries(
      Object.keys(NOTHING_TOUCHED).map((kind) => [kind, [] as Diff<unknown>[]]),
    )
    for (const [index, member] of chosen) {
      const entry = all[index]
      if (entry !== undefined) touched[entry.kind]?.push(narrowed(entry.diff, member))
    }
    return [before, patched(before, touched as unknown as Touched, 'after')]
  })

function narrowed<D extends Diff<unknown>>(diff: D, member: number): D {
  const { before, after } = diff
  if (!isRow(before) || !isRow(after) || member % 4 === 0) return diff
  const changed = Object.keys(after).filter((name) => !isSame(before[name], after[name]))
  const name = changed[member % changed.length]
  return name === undefined ? diff : { ...diff, after: { ...before, [name]: after[name] } }
}

function isRow(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && 'code' in value
}

const pairs = fc.oneof({ weight: 1, arbitrary: revolutions }, { weight: 4, arbitrary: steps })

function see(state: CatalogState, id: bigint, levelCode: string): Snapshot {
  const level = compileLevel(state.base, getLevel(state, levelCode), { base: '', level: '' })
  return compileSnapshot(level, { ...(state.views.get(id) ?? NO_OWN_VIEW), levelCode })
}

function expansionOf(before: CatalogState, after: CatalogState): Expansion {
  // Small chunks make several of them.
  const sizes = { products: 2, options: 3 }
  return openExpansion({ before, after, touched: touchedBetween(before, after) }, sizes)
}

/** Compares copies cheaply while they are equal, and readably when they are not. */
function expectSame(copy: Copy, wanted: Copy): void {
  const isEqual = copy.size === wanted.size && [...copy].every(([key, data]) => wanted.get(key) === data)
  if (!isEqual) expect(copy).toEqual(wanted)
}

it('the events of a change turn every copy of the old view into exactly the new one', () => {
  fc.assert(
    fc.property(pairs, ([before, after]) => {
      const expansion = expansionOf(before, after)
      for (const { id, levelCode } of ACCOUNTS) {
        const copy = copyOf(see(before, id, levelCode))
        const tellings = expansion.partsFor({ id, levelBefore: levelCode, levelAfter: levelCode })
        for (const { events } of tellings) applyEvents(copy, events())
        expectSame(copy, copyOf(see(after, id, levelCode)))
      }
    }),
    { numRuns: runs(600), ...IMPATIENT },
  )
})

it('an account that moves to another level is told exactly what looks otherwise there', () => {
  fc.assert(
    fc.property(worlds, (state) => {
      for (const { id } of ACCOUNTS) {
        const copy = copyOf(see(state, id, 'STANDARD'))
        const tellings = openSwitch(state).partsFor({ id, levelBefore: 'STANDARD', levelAfter: 'OTHER' })
        for (const { events } of tellings) applyEvents(copy, events())
        expectSame(copy, copyOf(see(state, id, 'OTHER')))
      }
    }),
    { numRuns: runs(100) },
  )
})

it('additions in one set are told container first; removals are told last, container last', () => {
  const ranks = { groups: 0, categories: 1, products: 2, options: 3 }
  fc.assert(
    fc.property(pairs, ([before, after]) => {
      const account = { id: 1n, levelBefore: 'STANDARD', levelAfter: 'STANDARD' }
      const sets = expansionOf(before, after)
        .partsFor(account)
        .map(({ events }) => [...events()])
      for (const events of sets) {
        const places = events.map(({ resource, data }) =>
          data === null ? 10 - ranks[resource] : ranks[resource],
        )
        expect(places).toEqual([...places].sort((a, b) => a - b))
      }
      const ids = sets.flat().map(({ resource, id }) => `${resource} ${id}`)
      expect(new Set(ids).size).toBe(ids.length)
    }),
    { numRuns: runs(100) },
  )
})

it('accounts whose tellings have equal keys have equal events', () => {
  fc.assert(
    fc.property(pairs, fc.boolean(), ([one, other], isTwin) => {
      // The two accounts have the same own data before or after the change, so most of their view is equal, but
      // not all.
      const views = (state: CatalogState) =>
        new Map([...state.views, [2n, state.views.get(1n) ?? NO_OWN_VIEW]])
      const before = isTwin ? { ...one, views: views(one) } : one
      const after = isTwin ? other : { ...other, views: views(other) }
      const expansion = expansionOf(before, after)
      const told = new Map<string, CatalogEvent[]>()
      for (const id of [1n, 2n, 3n, 4n]) {
        for (const part of expansion.partsFor({ id, levelBefore: 'STANDARD', levelAfter: 'STANDARD' })) {
          const events = [...part.events()]
          expect(events).toEqual(told.get(part.key) ?? events)
          told.set(part.key, events)
        }
      }
    }),
    { numRuns: runs(300), ...IMPATIENT },
  )
})

it('a change that was written down leads forwards and backwards, in parts of any size', () => {
  fc.assert(
    fc.property(pairs, fc.integer({ min: 1, max: 9 }), ([before, after], max) => {
      const touched = touchedBetween(before, after)
      const written = encodeTouched(touched, max).map((part) => decodeTouched(JSON.parse(part)))
      expect(joinTouched(written)).toEqual(touched)
      for (const part of written) expect(countTouched(part)).toBeLessThanOrEqual(max)

      const forwards = written.reduce((state, part) => patched(state, part, 'after'), before)
      const backwards = written.toReversed().reduce((state, part) => patched(state, part, 'before'), after)
      for (const { id, levelCode } of ACCOUNTS) {
        expectSame(copyOf(see(bare(forwards), id, levelCode)), copyOf(see(bare(after), id, levelCode)))
        expectSame(copyOf(see(bare(backwards), id, levelCode)), copyOf(see(bare(before), id, levelCode)))
      }
    }),
    { numRuns: runs(100) },
  )
})

/** Removes the memory of withdrawn prices. */
function bare(state: CatalogState): CatalogState {
  const levels = [...state.levels].map(([code, level]) => [code, { ...level, withdrawn: undefined }] as const)
  return { ...state, levels: new Map(levels) }
}

it('a price that is taken away is kept as the last one, and taken up again on the way back', () => {
  fc.assert(
    fc.property(pairs, ([before, after]) => {
      const touched = touchedBetween(before, after)
      const forwards = patched(before, touched, 'after')
      const backwards = patched(forwards, touched, 'before')
      for (const { levelCode, productCode, before: price, after: next } of touched.prices) {
        const left = forwards.levels.get(levelCode)?.withdrawn?.get(productCode)
        if (forwards.levels.has(levelCode)) expect(left).toEqual(next === null ? price : undefined)
        expect(backwards.levels.get(levelCode)?.withdrawn?.get(productCode)).toBeUndefined()
      }
    }),
    { numRuns: runs(100) },
  )
})

it('nothing is said of what stays as it is', () => {
  fc.assert(
    fc.property(worlds, (state) => {
      const one = describe(see(state, 1n, 'STANDARD'))
      const everything = { groups: 'all', categories: 'all', products: 'all', options: new Map() } as const
      expect([...eventsBetween(one, one, everything)]).toEqual([])
    }),
    { numRuns: runs(100) },
  )
})
