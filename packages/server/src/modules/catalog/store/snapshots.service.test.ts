import { afterEach, beforeEach, expect, it } from 'vitest'
import { overlayProduct, sampleOption, sampleProduct } from '../../../testing/catalog/catalog-samples.ts'
import type { CatalogBench } from '../../../testing/catalog/catalog-store.ts'
import { FIXED, makeBillers, openCatalogBench, seedBase } from '../../../testing/catalog/catalog-store.ts'
import { applyBase } from '../edit/base.service.ts'
import { changeOverlay, removeOverlay } from '../edit/overlays.service.ts'
import type { BaseChange, Catalog } from '../model/store.types.ts'
import { loadCatalog } from './load.service.ts'
import { openCatalog } from './snapshots.service.ts'

const NEVER_MS = 3_600_000

let bench: CatalogBench

beforeEach(async () => {
  bench = await openCatalogBench()
  await seedBase(bench.database)
})

afterEach(() => bench.close())

const apply = (change: BaseChange) => applyBase(bench.database, change, 'test')

async function until(condition: () => boolean): Promise<void> {
  const deadlineMs = performance.now() + 30_000
  while (!condition()) {
    expect(performance.now()).toBeLessThan(deadlineMs)
    await new Promise((resume) => setTimeout(resume, 5))
  }
}

const nameOf = (node: Catalog) => node.base().products.find((each) => each.code === 'NOVA')?.name

it('a change is heard of without waiting for the poll', async () => {
  const node = await bench.openNode(NEVER_MS)
  await apply({ products: [sampleProduct({ name: 'Heard' })] })
  await until(() => nameOf(node) === 'Heard')
})

it('a node that lost its connection finds what it missed at a later poll', async () => {
  const problems: string[] = []
  const node = await openCatalog({
    database: bench.database,
    pollMs: 20,
    onProblem: (text) => problems.push(text),
  })
  try {
    await bench.database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and query like '%catalog_version%' and pid <> pg_backend_pid()`,
    )
    await apply({ products: [sampleProduct({ name: 'Missed' })] })
    await until(() => nameOf(node) === 'Missed')
    expect(node.ageMs()).toBeLessThan(20_000)
  } finally {
    await node.close()
  }
})

it('following change by change leads to what a new node loads', async () => {
  const node = await bench.openNode()
  const account = await bench.newAccount()
  const steps = [
    () => apply({ products: [sampleProduct({ name: 'Other', displayOrder: 9 })] }),
    () => apply({ options: [...makeBillers(10), sampleOption({ isActive: false })] }),
    () => apply({ prices: [{ levelCode: 'GOLD', productCode: 'NOVA', price: FIXED }] }),
    () => apply({ prices: [{ levelCode: 'GOLD', productCode: 'NOVA', price: null }] }),
    () => apply({ permissions: [{ resellerId: account.id, productCode: 'KITA', isAllowed: false }] }),
    () =>
      changeOverlay(
        bench.database,
        account.id,
        { products: [overlayProduct({ displayName: 'Mine' })] },
        'test',
      ),
    () => removeOverlay(bench.database, account.id, 'test'),
  ]
  for (const step of steps) {
    await step()
    await node.refresh()
    expect(node.state()).toEqual(await loadCatalog(bench.database))
  }
  const fresh = await bench.openNode()
  expect(fresh.snapshotFor(account).fingerprint).toBe(node.snapshotFor(account).fingerprint)
})

it('an object that a change did not touch stays the same, and is not compiled again', async () => {
  const node = await bench.openNode(NEVER_MS)
  const plain = await bench.newAccount()
  const custom = await bench.newAccount()
  const before = { base: node.base(), plain: node.snapshotFor(plain) }
  await changeOverlay(
    bench.database,
    custom.id,
    { products: [overlayProduct({ displayName: 'Mine' })] },
    'test',
  )
  await node.refresh()
  expect(node.base()).toBe(before.base)
  expect(node.snapshotFor(plain)).toBe(before.plain)
  const mine = node.snapshotFor(custom)
  expect(mine.products.get('NOVA')?.name).toBe('Mine')
  expect(mine.products.get('KITA')).toBe(before.plain.products.get('KITA'))

  await apply({ prices: [{ levelCode: 'GOLD', productCode: 'NOVA', price: FIXED }] })
  await node.refresh()
  expect(node.snapshotFor(plain)).toBe(before.plain)
  expect(node.snapshotFor(custom)).toBe(mine)

  await apply({ products: [sampleProduct({ note: 'New' })] })
  await node.refresh()
  const billers = (catalog: typeof before.base) => catalog.options.get('BILLPAY')?.get('biller')
  expect(billers(node.base())).toBe(billers(before.base))
})

it('accounts that see the same share one snapshot', async () => {
  const node = await bench.openNode()
  const [one, two, gold] = [
    await bench.newAccount(),
    await bench.newAccount(),
    await bench.newAccount('GOLD'),
  ]
  await apply({
    permissions: [one, two].map(({ id }) => ({ resellerId: id, productCode: 'KITA', isAllowed: false })),
  })
  await node.refresh()
  expect(node.snapshotFor(one)).toBe(node.snapshotFor(two))
  expect(node.snapshotFor(one).products.get('KITA')?.isPurchasable).toBe(false)
  expect(node.snapshotFor(gold)).not.toBe(node.snapshotFor(one))
  expect(node.snapshotFor(gold)).toBe(node.snapshotFor({ id: gold.id + 100n, priceLevel: 'GOLD' }))
})

it('the time an account is shown never goes back, also when its customisation is removed', async () => {
  const node = await bench.openNode()
  const account = await bench.newAccount()
  const times = [node.snapshotFor(account).lastUpdated.getTime()]
  const steps = [
    () =>
      changeOverlay(bench.database, account.id, { products: [overlayProduct({ isEnabled: false })] }, 'test'),
    () => removeOverlay(bench.database, account.id, 'test'),
    () => apply({ products: [sampleProduct({ note: 'New' })] }),
  ]
  for (const step of steps) {
    await step()
    await node.refresh()
    times.push(node.snapshotFor(account).lastUpdated.getTime())
  }
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
  await apply({ options: [sampleOption({ label: 'Ten' })] })
  await node.refresh()
  expect(node.snapshotFor(account).lastUpdated.getTime()).toBe(times.at(-1))
})

it('an account of a level that nobody set up may buy nothing', async () => {
  const node = await bench.openNode()
  const snapshot = node.snapshotFor({ id: 1n, priceLevel: 'NOBODY' })
  expect([...snapshot.products.values()].filter((product) => product.isPurchasable)).toEqual([])
  await apply({
    levels: [{ code: 'NOBODY', name: 'Somebody' }],
    prices: [{ levelCode: 'NOBODY', productCode: 'NOVA', price: FIXED }],
  })
  await node.refresh()
  expect(node.snapshotFor({ id: 1n, priceLevel: 'NOBODY' }).products.get('NOVA')?.isPurchasable).toBe(true)
})

it('a database that was restored to an earlier day is loaded anew', async () => {
  const node = await bench.openNode()
  await apply({ products: [sampleProduct({ code: 'LATER' })] })
  await node.refresh()
  expect(node.base().products.map((product) => product.code)).toContain('LATER')
  await bench.database.query('delete from catalog_products where code = $1', ['LATER'])
  await bench.database.query('update catalog_version set version = version - 1')
  await node.refresh()
  expect(node.base().products.map((product) => product.code)).not.toContain('LATER')
})

it('a closed catalogue asks no more', async () => {
  const node = await openCatalog({ database: bench.database, pollMs: 5 })
  await node.close()
  await expect(node.refresh()).rejects.toThrow('closed')
})
