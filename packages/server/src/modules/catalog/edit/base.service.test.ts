import { afterAll, beforeAll, expect, it } from 'vitest'
import { RequestError } from '../../../lib/errors.ts'
import {
  overlayProduct,
  PERCENTAGE,
  RINGGIT,
  sampleCategory,
  sampleGroup,
  sampleOption,
  sampleProduct,
} from '../../../testing/catalog/catalog-samples.ts'
import type { CatalogBench } from '../../../testing/catalog/catalog-store.ts'
import {
  BASE,
  FIXED,
  makeBillers,
  openCatalogBench,
  seedBase,
} from '../../../testing/catalog/catalog-store.ts'
import type { BaseChange } from '../model/store.types.ts'
import { listLevels, loadBase, loadCatalog } from '../store/load.service.ts'
import { applyBase, previewBase } from './base.service.ts'
import { changeOverlay } from './overlays.service.ts'

let bench: CatalogBench

beforeAll(async () => {
  bench = await openCatalogBench()
  await seedBase(bench.database)
})

afterAll(() => bench.close())

const NONE = { groups: 0, categories: 0, products: 0, options: 0, levels: 0, prices: 0, permissions: 0 }

const apply = (change: BaseChange) => applyBase(bench.database, change, 'test')

async function versionNow(): Promise<bigint> {
  return (await loadCatalog(bench.database)).version
}

async function refusalOf(work: Promise<unknown>): Promise<RequestError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(RequestError)
  return error as RequestError
}

async function countChanges(): Promise<number> {
  const { rows } = await bench.database.query<{ count: number }>(
    'select count(*)::integer as count from catalog_changes',
  )
  return rows[0]?.count ?? 0
}

it('a catalogue that was put in place is read back as it was given', async () => {
  const { base, levels } = await loadCatalog(bench.database)
  expect(base.groups).toEqual(BASE.groups)
  expect(base.categories).toEqual(BASE.categories)
  expect(base.products).toEqual(BASE.products)
  expect([...base.options.values()].flatMap((fields) => [...fields.values()].flat())).toEqual(
    expect.arrayContaining([...BASE.options]),
  )
  for (const { levelCode, productCode, price } of BASE.prices) {
    expect(levels.get(levelCode)?.prices.get(productCode)).toEqual(price)
  }
})

it('every column of every kind survives the way to the database and back', async () => {
  const product = sampleProduct({
    code: 'FULL',
    note: 'Two lines\nof text',
    isHidden: true,
    isRestricted: true,
    isRefundable: true,
    denominationCurrency: 'USD',
    denominationUnitPrice: 99_999_999_999_999n,
    minAmount: 1n,
    maxAmount: 9_999_999_999n,
  })
  const option = sampleOption({
    productCode: 'FULL',
    code: 'a:b:c',
    description: 'Description',
    denomination: 9_999_999_999n,
    validity: '30 days',
    features: ['one', 'two, "three"'],
    rrp: 123_456n,
    minAmount: 1n,
    maxAmount: 2n,
    suggestedCategory: 'Water',
    additionalDescription: [],
    requiresRef2: true,
  })
  await apply({ products: [product], options: [option] })
  const base = await loadBase(bench.database)
  expect(base.products.find((each) => each.code === 'FULL')).toEqual(product)
  expect(base.options.get('FULL')?.get('amount')).toEqual([option])
})

it('a change says what it created, updated, switched off and left alone', async () => {
  const summary = await apply({
    groups: [...BASE.groups, sampleGroup({ code: 'GAMES', name: 'Games' })],
    products: [sampleProduct({ name: 'Nova Prepaid' })],
    options: [sampleOption({ isActive: false }), sampleOption({ code: 'N50', denomination: 50n * RINGGIT })],
    prices: [
      { levelCode: 'GOLD', productCode: 'NOVA', price: FIXED },
      { levelCode: 'GOLD', productCode: 'KITA', price: null },
      { levelCode: 'STANDARD', productCode: 'KITA', price: PERCENTAGE },
    ],
  })
  expect(summary).toMatchObject({
    created: { ...NONE, groups: 1, options: 1 },
    updated: { ...NONE, products: 1, prices: 1 },
    deactivated: { ...NONE, options: 1, prices: 1 },
    unchanged: { ...NONE, groups: 1, prices: 1 },
  })
  await apply({ ...BASE })
})

it('a change without a difference takes no version and leaves no record', async () => {
  await apply({ ...BASE })
  const before = [await versionNow(), await countChanges()]
  const summary = await apply({ ...BASE })
  expect(summary).toMatchObject({ created: NONE, updated: NONE, deactivated: NONE, accountsAffected: 0 })
  expect(summary.version).toBe(before[0])
  expect([await versionNow(), await countChanges()]).toEqual(before)
})

it('only rows that differ get a new version', async () => {
  const summary = await apply({
    ...BASE,
    options: BASE.options.map((option) => (option.code === 'B1' ? { ...option, label: 'Renamed' } : option)),
  })
  const { rows } = await bench.database.query<{ code: string }>(
    `select code from catalog_options where version = $1
     union all select code from catalog_products where version = $1
     union all select code from catalog_groups where version = $1
     union all select code from price_levels where version = $1`,
    [summary.version],
  )
  expect(rows).toEqual([{ code: 'B1' }])
})

it('the time of the catalogue moves with groups, categories and products, and with nothing else', async () => {
  const time = async () => (await loadBase(bench.database)).updatedAt.getTime()
  let last = await time()
  await apply({ options: [sampleOption({ label: 'Ten ringgit' })] })
  await apply({ prices: [{ levelCode: 'GOLD', productCode: 'NOVA', price: FIXED }] })
  await apply({ levels: [{ code: 'SILVER', name: 'Silver' }] })
  expect(await time()).toBe(last)
  for (const change of [
    { groups: [sampleGroup({ name: 'Phones' })] },
    { categories: [sampleCategory({ name: 'Reloads' })] },
    { products: [sampleProduct({ name: 'Nova Reload' })] },
  ]) {
    await apply(change)
    expect(await time()).toBeGreaterThan(last)
    last = await time()
  }
})

it('a refused change names all its problems at once and leaves nothing behind', async () => {
  const before = await loadCatalog(bench.database)
  const error = await refusalOf(
    apply({
      groups: [sampleGroup({ name: 'Would be new' })],
      categories: [sampleCategory({ code: 'LOST', groupCode: 'NOWHERE' })],
      products: [sampleProduct({ code: 'ODD', imageUrl: 'ftp://x', denominationUnitPrice: 0n })],
      prices: [
        { levelCode: 'NOBODY', productCode: 'NOVA', price: PERCENTAGE },
        { levelCode: 'GOLD', productCode: 'GHOST', price: PERCENTAGE },
      ],
    }),
  )
  expect(error).toMatchObject({ status: 400, code: 'validation_failed' })
  expect(Object.keys(error.fields ?? {})).toEqual(
    expect.arrayContaining([
      'categories.LOST.groupCode',
      'products.ODD.imageUrl',
      'products.ODD.denominationUnitPrice',
      'prices.NOBODY.NOVA.levelCode',
      'prices.GOLD.GHOST.productCode',
    ]),
  )
  expect(await loadCatalog(bench.database)).toEqual(before)
})

it('a new denomination is refused where an old price would give it away', async () => {
  await apply({ prices: [{ levelCode: 'GOLD', productCode: 'NOVA', price: FIXED }] })
  const error = await refusalOf(apply({ options: [sampleOption({ code: 'TINY', denomination: 4_000n })] }))
  expect(Object.keys(error.fields ?? {})).toEqual(['prices.GOLD.NOVA.unitPrice'])
})

it('a change that says something twice is refused', async () => {
  const error = await refusalOf(apply({ groups: [sampleGroup(), sampleGroup({ name: 'Other' })] }))
  expect(error.fields).toEqual({ 'groups.MOBILE': ['is given twice'] })
})

it('permissions for unknown resellers and products are refused', async () => {
  const { id } = await bench.newAccount()
  const error = await refusalOf(
    apply({
      permissions: [
        { resellerId: id, productCode: 'GHOST', isAllowed: true },
        { resellerId: id + 1_000n, productCode: 'NOVA', isAllowed: false },
      ],
    }),
  )
  expect(Object.keys(error.fields ?? {})).toEqual([`permissions.${id}.GHOST`, `permissions.${id + 1_000n}`])
})

it('permissions are set, turned round and taken away', async () => {
  const { id } = await bench.newAccount()
  const sets = async () => {
    const view = (await loadCatalog(bench.database)).views.get(id)
    return [[...(view?.allowedProducts ?? [])], [...(view?.deniedProducts ?? [])]]
  }
  const permit = (isAllowed: boolean | null) =>
    apply({ permissions: [{ resellerId: id, productCode: 'NOVA', isAllowed }] })
  expect((await permit(true)).created.permissions).toBe(1)
  expect(await sets()).toEqual([['NOVA'], []])
  expect((await permit(false)).updated.permissions).toBe(1)
  expect(await sets()).toEqual([[], ['NOVA']])
  expect((await permit(null)).deactivated.permissions).toBe(1)
  expect(await sets()).toEqual([[], []])
  expect((await permit(null)).unchanged.permissions).toBe(1)
})

it('a preview measures the change, refuses what would be refused, and leaves nothing behind', async () => {
  const before = await loadCatalog(bench.database)
  const records = await countChanges()
  const preview = await previewBase(bench.database, { products: [sampleProduct({ name: 'Preview' })] })
  expect(preview).toMatchObject({ version: before.version + 1n, updated: { products: 1 } })
  await refusalOf(previewBase(bench.database, { products: [sampleProduct({ imageUrl: '' })] }))
  expect(await loadCatalog(bench.database)).toEqual(before)
  expect(await countChanges()).toBe(records)
})

it('a preview counts the accounts that would see a difference, and no others', async () => {
  const own = await openCatalogBench()
  try {
    await seedBase(own.database)
    const standard = await own.newAccount()
    const renamed = await own.newAccount()
    await own.newAccount('GOLD')
    await changeOverlay(
      own.database,
      renamed.id,
      { products: [overlayProduct({ displayName: 'Mine', displayOrder: 9 })] },
      'test',
    )
    const count = async (change: BaseChange) => (await previewBase(own.database, change)).accountsAffected
    expect(await count({ products: [sampleProduct({ name: 'Everybody' })] })).toBe(3)
    // The customised account's own order hides the base's order. Its own name does not hide the base's name:
    // events carry both.
    expect(await count({ products: [sampleProduct({ displayOrder: 7 })] })).toBe(2)
    expect(await count({ prices: [{ levelCode: 'GOLD', productCode: 'NOVA', price: FIXED }] })).toBe(1)
    expect(await count({ levels: [{ code: 'GOLD', name: 'Golden' }] })).toBe(0)
    expect(
      await count({ permissions: [{ resellerId: standard.id, productCode: 'NOVA', isAllowed: false }] }),
    ).toBe(1)
  } finally {
    await own.close()
  }
})

it('25,000 options are put in place in one change, and its record comes in parts', {
  timeout: 240_000,
}, async () => {
  const billers = makeBillers(25_000)
  const startedAtMs = performance.now()
  const { version, created, updated } = await apply({ options: billers })
  const insertedAtMs = performance.now()
  expect(created.options + updated.options).toBeGreaterThanOrEqual(24_997)
  const again = await apply({ options: billers })
  const comparedAtMs = performance.now()
  expect(again).toMatchObject({ version, unchanged: { options: 25_000 } })
  const renamed = makeBillers(25_000, { label: 'Renamed' })
  await apply({ options: renamed })
  const updatedAtMs = performance.now()
  process.stdout.write(
    `25,000 options: inserted in ${Math.round(insertedAtMs - startedAtMs)} ms, ` +
      `found equal in ${Math.round(comparedAtMs - insertedAtMs)} ms, ` +
      `updated in ${Math.round(updatedAtMs - comparedAtMs)} ms\n`,
  )
  const { rows } = await bench.database.query<{ parts: number; largest: number }>(
    `select count(*)::integer as parts, max(jsonb_array_length(touched -> 'options')) as largest
     from catalog_change_parts where version = $1`,
    [version],
  )
  expect(rows).toEqual([{ parts: 13, largest: 2_000 }])
  expect((await listLevels(bench.database)).map((level) => level.code)).toContain('GOLD')
})
