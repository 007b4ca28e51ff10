import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { RequestError } from '../../../lib/errors.ts'
import { overlayProduct, RINGGIT } from '../../../testing/catalog/catalog-samples.ts'
import type { Account, CatalogBench } from '../../../testing/catalog/catalog-store.ts'
import { openCatalogBench, seedBase } from '../../../testing/catalog/catalog-store.ts'
import type { OverlayChange } from '../model/store.types.ts'
import { findOverlay, loadCatalog } from '../store/load.service.ts'
import { changeOverlay, changePriceLevel, removeOverlay } from './overlays.service.ts'

let bench: CatalogBench
let account: Account

beforeAll(async () => {
  bench = await openCatalogBench()
  await seedBase(bench.database)
})

beforeEach(async () => {
  account = await bench.newAccount()
})

afterAll(() => bench.close())

const change = (wanted: OverlayChange) => changeOverlay(bench.database, account.id, wanted, 'test')
const overlay = () => findOverlay(bench.database, account.id)

const FULL = {
  groups: [{ code: 'MINE', isOwn: true, name: 'My group', iconUrl: null, displayOrder: 3 }],
  categories: [
    { code: 'OWN', isOwn: true, groupCode: 'MINE', name: 'My own', iconUrl: null, displayOrder: null },
    { code: 'PREPAID', isOwn: false, groupCode: null, name: 'Top up', iconUrl: null, displayOrder: null },
  ],
  products: [
    overlayProduct({ code: 'KITA', minAmount: 10n * RINGGIT, maxAmount: 20n * RINGGIT }),
    overlayProduct({
      categoryCode: 'OWN',
      displayName: 'Nova ku',
      imageUrl: 'https://img.example/mine.png',
      displayOrder: 4,
      isEnabled: false,
      adjustment: { type: 'percentage', value: 105_000_000n },
    }),
  ],
  options: [{ productCode: 'NOVA', fieldId: 'amount', code: 'N10', isEnabled: false, rrp: 12n * RINGGIT }],
} satisfies OverlayChange

it('a customisation is read back as it was given', async () => {
  expect((await change(FULL)).isChanged).toBe(true)
  expect(await overlay()).toMatchObject(FULL)
  expect((await change(FULL)).isChanged).toBe(false)
})

it('entries are replaced and taken away one by one, and the others stay', async () => {
  await change(FULL)
  await change({
    products: [overlayProduct({ displayName: 'Nova lagi' })],
    removed: {
      categories: ['PREPAID'],
      options: [{ productCode: 'NOVA', fieldId: 'amount', code: 'N10' }],
      products: ['GONE'],
    },
  })
  expect(await overlay()).toMatchObject({
    groups: FULL.groups,
    categories: [FULL.categories[0]],
    products: [FULL.products[0], overlayProduct({ displayName: 'Nova lagi' })],
    options: [],
  })
})

it('a removed customisation is gone, and removing it again changes nothing', async () => {
  await change(FULL)
  const removed = await removeOverlay(bench.database, account.id, 'test')
  expect(removed.isChanged).toBe(true)
  expect(await overlay()).toBeUndefined()
  expect(await removeOverlay(bench.database, account.id, 'test')).toEqual({
    version: removed.version,
    isChanged: false,
  })
})

async function refusalOf(work: Promise<unknown>): Promise<RequestError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(RequestError)
  return error as RequestError
}

it('a refused customisation names all its problems and changes nothing', async () => {
  await change(FULL)
  const before = await loadCatalog(bench.database)
  const error = await refusalOf(
    change({
      products: [overlayProduct({ code: 'GHOST' }), overlayProduct({ categoryCode: 'NOWHERE' })],
      options: [{ productCode: 'NOVA', fieldId: 'amount', code: 'N99', isEnabled: false, rrp: null }],
      removed: { groups: ['MINE'] },
    }),
  )
  expect(error.status).toBe(400)
  expect(Object.keys(error.fields ?? {}).sort()).toEqual([
    'categories.OWN.groupCode',
    'options.NOVA:amount:N99.code',
    'products.GHOST.code',
    'products.NOVA.categoryCode',
  ])
  expect(await loadCatalog(bench.database)).toEqual(before)
})

it('a customisation that gives a row twice is refused and changes nothing', async () => {
  const renamed = FULL.groups.map((group) => ({ ...group, name: 'Other' }))
  const error = await refusalOf(change({ groups: [...FULL.groups, ...renamed] }))
  expect(error.fields).toEqual({ 'groups.MINE.code': ['is given twice'] })
  expect(await overlay()).toBeUndefined()
})

it('an adjustment that leaves a customer nothing to pay is refused, whoever makes it, and changes nothing', async () => {
  const nova = (value: bigint) => ({
    products: [overlayProduct({ adjustment: { type: 'fixed' as const, value } })],
  })
  const error = await refusalOf(change(nova(-10n * RINGGIT)))
  expect(error.status).toBe(400)
  expect(error.fields).toEqual({
    'products.NOVA.adjustment.value': ['must leave a price greater than 0: RM 10 would be MYR 0.00'],
  })
  expect(await overlay()).toBeUndefined()
  expect((await change(nova(-9n * RINGGIT))).isChanged).toBe(true)
  const kita = overlayProduct({ code: 'KITA', adjustment: { type: 'fixed', value: -5n * RINGGIT } })
  expect((await refusalOf(change({ products: [kita] }))).fields).toHaveProperty([
    'products.KITA.adjustment.value',
  ])
})

it('a reseller that does not exist has no customisation', async () => {
  const error = await refusalOf(changeOverlay(bench.database, 999_999n, FULL, 'test'))
  expect(error.status).toBe(404)
  expect(await findOverlay(bench.database, 999_999n)).toBeUndefined()
})

it('a move to a level that does not exist is refused, and a move to the same level is none', async () => {
  const { version } = await loadCatalog(bench.database)
  const move = (level: string) =>
    bench.database.transaction((tx) => changePriceLevel(tx, account.id, level, 'test'))
  expect((await refusalOf(move('NOBODY'))).fields).toHaveProperty('price_level')
  await move('STANDARD')
  expect((await loadCatalog(bench.database)).version).toBe(version)
  await move('GOLD')
  expect((await loadCatalog(bench.database)).version).toBe(version + 1n)
})
