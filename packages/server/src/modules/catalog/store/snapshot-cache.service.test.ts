import { expect, it } from 'vitest'
import {
  overlayProduct,
  PERCENTAGE,
  sampleBase,
  sampleLevel,
  sampleOption,
  sampleOverlay,
  sampleProduct,
} from '../../../testing/catalog/catalog-samples.ts'
import { EMPTY_STATE, NO_OWN_VIEW } from '../model/state.rules.ts'
import type { CatalogState, OwnView } from '../model/store.types.ts'
import { estimateBytes, openSnapshotCache } from './snapshot-cache.service.ts'

const named = (displayName: string): OwnView => ({
  ...NO_OWN_VIEW,
  overlay: sampleOverlay({ products: [overlayProduct({ displayName })] }),
})

function stateOf(views: readonly OwnView[], change: Partial<CatalogState> = {}): CatalogState {
  return {
    ...EMPTY_STATE,
    version: 1n,
    base: sampleBase(),
    baseVersion: 1n,
    levels: new Map([['STANDARD', sampleLevel()]]),
    levelVersions: new Map([['STANDARD', 1n]]),
    views: new Map(views.map((view, index) => [BigInt(index + 1), view])),
    ...change,
  }
}

const account = (id: number) => ({ id: BigInt(id), priceLevel: 'STANDARD' })

it('equal customisations share one snapshot, and one that says nothing is the plain one', () => {
  const cache = openSnapshotCache()
  const empty: OwnView = { ...NO_OWN_VIEW, overlay: sampleOverlay({ products: [overlayProduct()] }) }
  const state = stateOf([named('Mine'), named('Mine'), named('Other'), empty])
  const [one, two, three, four, five] = [1, 2, 3, 4, 5].map((id) => cache.snapshotFor(state, account(id)))
  expect(one).toBe(two)
  expect(one).not.toBe(three)
  expect(four).toBe(five)
  expect(cache.size().snapshots).toBe(2)
})

it('no more snapshots are kept than the limit, and those used last stay', () => {
  const cache = openSnapshotCache({ snapshotsMax: 2 })
  const state = stateOf([named('A'), named('B'), named('C')])
  const first = cache.snapshotFor(state, account(1))
  const second = cache.snapshotFor(state, account(2))
  expect(cache.snapshotFor(state, account(1))).toBe(first)
  cache.snapshotFor(state, account(3))
  expect(cache.size().snapshots).toBe(2)
  expect(cache.snapshotFor(state, account(1))).toBe(first)
  expect(cache.snapshotFor(state, account(2))).not.toBe(second)
})

it('no more is kept than fits, but always the last one', () => {
  const one = estimateBytes(sampleBase(), named('A').overlay)
  const state = stateOf([named('A'), named('B'), named('C'), named('D')])
  const cache = openSnapshotCache({ bytesMax: 2 * one + 1 })
  for (const id of [1, 2, 3, 4]) cache.snapshotFor(state, account(id))
  expect(cache.size()).toEqual({ snapshots: 2, bytes: 2 * one })
  const tight = openSnapshotCache({ bytesMax: 1 })
  const only = tight.snapshotFor(state, account(1))
  expect(tight.snapshotFor(state, account(1))).toBe(only)
})

it('a list of thousands that a customisation touches weighs more than one that it leaves', () => {
  const listed = Array.from({ length: 5_000 }, (_, index) => sampleOption({ code: `O${index}` }))
  const base = sampleBase({ listed })
  const touched = sampleOverlay({
    options: [{ productCode: 'NOVA', fieldId: 'amount', code: 'O1', isEnabled: false, rrp: null }],
  })
  expect(estimateBytes(base, touched)).toBeGreaterThan(100 * estimateBytes(base, sampleOverlay()))
})

it('snapshots that a new base or a new price made old are let go, and the rest is kept', () => {
  const cache = openSnapshotCache()
  const gold = { code: 'GOLD', name: 'Gold', prices: new Map([['NOVA', PERCENTAGE]]) }
  const levels = new Map([
    ['STANDARD', sampleLevel()],
    ['GOLD', gold],
  ])
  const before = stateOf([named('A')], { levels })
  const standard = cache.snapshotFor(before, account(1))
  const golden = cache.snapshotFor(before, { id: 1n, priceLevel: 'GOLD' })

  const repriced: CatalogState = {
    ...before,
    levels: new Map([...levels, ['GOLD', { ...gold, prices: new Map() }]]),
    levelVersions: new Map([['GOLD', 2n]]),
  }
  expect(cache.snapshotFor(repriced, { id: 1n, priceLevel: 'GOLD' })).not.toBe(golden)
  expect(cache.snapshotFor(repriced, account(1))).toBe(standard)
  expect(cache.size().snapshots).toBe(2)

  const renamed = {
    ...repriced,
    base: sampleBase({ products: [sampleProduct({ name: 'New' })] }),
    baseVersion: 2n,
  }
  expect(cache.snapshotFor(renamed, account(1)).products.get('NOVA')?.product.name).toBe('New')
  expect(cache.size().snapshots).toBe(1)
})
