import { afterAll, beforeAll, expect, it } from 'vitest'
import { sampleOption, sampleProduct } from '../../../testing/catalog/catalog-samples.ts'
import type { CatalogBench } from '../../../testing/catalog/catalog-store.ts'
import { BASE, openCatalogBench, seedBase } from '../../../testing/catalog/catalog-store.ts'
import { expandChanges } from '../changes/jobs.ts'
import { applyBase } from '../edit/base.service.ts'
import { changeOverlay } from '../edit/overlays.service.ts'
import type { BaseChange, Catalog, CatalogState } from '../model/store.types.ts'
import { decodeTouched } from '../model/touched.rules.ts'
import type { Product } from '../model/types.ts'
import { loadCatalog } from './load.service.ts'

const WRITERS = 6
const ROUNDS = 12

let bench: CatalogBench

beforeAll(async () => {
  bench = await openCatalogBench()
  await seedBase(bench.database)
})

afterAll(() => bench.close())

/** Returns a change of four rows in four tables; a reader must see all four or none. */
function stamped(stamp: number): BaseChange {
  const text = String(stamp)
  return {
    products: [sampleProduct({ note: text })],
    options: [sampleOption({ description: text })],
    levels: [{ code: 'GOLD', name: text }],
    prices: [
      {
        levelCode: 'GOLD',
        productCode: 'NOVA',
        price: { discountType: 'percentage', unitPrice: 50_000_000n + BigInt(stamp), currency: 'MYR' },
      },
    ],
  }
}

function stampsOf({ base, levels }: CatalogState): (string | null | undefined)[] {
  const level = levels.get('GOLD')
  const price = level?.prices.get('NOVA')
  return [
    base.products.find((each) => each.code === 'NOVA')?.note,
    base.options
      .get('NOVA')
      ?.get('amount')
      ?.find((each) => each.code === 'N10')?.description,
    level?.name,
    price === undefined ? undefined : String(price.unitPrice - 50_000_000n),
  ]
}

async function watch(node: Catalog, isOver: () => boolean): Promise<number> {
  const seen = new Set<bigint>()
  while (!isOver()) {
    const state = node.state()
    const [first, ...others] = stampsOf(state)
    for (const other of others) expect(other).toBe(first)
    const snapshot = node.snapshotFor({ id: 1n, priceLevel: 'GOLD' }).products.get('NOVA')
    expect(snapshot?.product.note).toBe(first)
    expect(snapshot?.findOption('amount', 'N10')?.option.description).toBe(first)
    expect(String((snapshot?.wholesale?.unitPrice ?? 0n) - 50_000_000n)).toBe(first)
    seen.add(state.version)
    await new Promise((resume) => setImmediate(resume))
  }
  return seen.size
}

it('readers never see a mixture while writers race, and versions come without a gap', async () => {
  await applyBase(bench.database, stamped(0), 'test')
  const nodes = [await bench.openNode(1), await bench.openNode(1_000)]
  const first = (await loadCatalog(bench.database)).version
  let isOver = false
  const watching = nodes.map((node) => watch(node, () => isOver))
  const versions: bigint[] = []
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    const database = bench.openAnother()
    for (let round = 0; round < ROUNDS; round += 1) {
      const { version } = await applyBase(database, stamped(1 + writer + round * WRITERS), 'test')
      versions.push(version)
    }
  })
  await Promise.all(writers)
  isOver = true
  const seen = await Promise.all(watching)

  const count = WRITERS * ROUNDS
  expect(versions.toSorted((a, b) => Number(a - b))).toEqual(
    Array.from({ length: count }, (_, index) => first + 1n + BigInt(index)),
  )
  expect(Math.max(...seen)).toBeGreaterThan(5)
  for (const node of nodes) {
    await node.refresh()
    expect(node.state()).toEqual(await loadCatalog(bench.database))
  }
})

it('no update is lost: each change begins where the one before it ended', async () => {
  const { rows } = await bench.database.query<{ touched: unknown }>(
    'select touched from catalog_change_parts order by version, part',
  )
  let last: Product | null = null
  let links = 0
  for (const { touched } of rows) {
    for (const { before, after } of decodeTouched(touched).products) {
      if ((after ?? before)?.code !== 'NOVA') continue
      expect(before).toEqual(last)
      last = after
      links += 1
    }
  }
  expect(links).toBeGreaterThan(WRITERS * ROUNDS)
  expect((await loadCatalog(bench.database)).base.products.find((each) => each.code === 'NOVA')).toEqual(last)
})

it('writers of different rows all have their way, and accounts are told of each once', async () => {
  const node = await bench.openNode()
  await expandChanges({ database: bench.database, catalog: node })
  const account = await bench.newAccount()
  const products = Array.from({ length: 8 }, (_, index) => sampleProduct({ code: `R${index}` }))
  await Promise.all([
    ...products.map((product) => applyBase(bench.openAnother(), { products: [product] }, 'test')),
    ...BASE.products.map(({ code }) =>
      changeOverlay(
        bench.openAnother(),
        account.id,
        {
          products: [
            {
              code,
              categoryCode: null,
              displayName: 'Mine',
              imageUrl: null,
              displayOrder: null,
              isEnabled: true,
              adjustment: null,
              minAmount: null,
              maxAmount: null,
            },
          ],
        },
        'test',
      ),
    ),
    expandChanges({ database: bench.openAnother(), catalog: node }),
  ])
  await expandChanges({ database: bench.database, catalog: node })
  const state = await loadCatalog(bench.database)
  expect(state.base.products.filter((product) => product.code.startsWith('R'))).toHaveLength(8)
  expect(state.views.get(account.id)?.overlay?.products).toHaveLength(BASE.products.length)
  const told = (await bench.eventsOf(account)).map(({ type, id }) => `${type} ${id}`).sort()
  expect(told).toEqual(
    [
      ...products.map(({ code }) => `product.created ${code}`),
      ...BASE.products.map(({ code }) => `product.updated ${code}`),
    ].sort(),
  )
})
