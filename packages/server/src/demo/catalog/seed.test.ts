import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../db/database.ts'
import { createReseller } from '../../modules/accounts/service.ts'
import { applyBase } from '../../modules/catalog/edit/base.service.ts'
import { removeOverlay } from '../../modules/catalog/edit/overlays.service.ts'
import { findOverlay, loadCatalog } from '../../modules/catalog/store/load.service.ts'
import { printDocument } from '../../modules/catalog/transfer/print.rules.ts'
import { exportCatalog, importFiles } from '../../modules/catalog/transfer/service.ts'
import { listNotices } from '../../modules/network/notices.service.ts'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import { demoCatalog } from './catalog.ts'
import { DEMO_OVERLAY } from './overlay.ts'
import { seedDemoCatalog } from './seed.ts'

let test: TestDatabase
let resellers: { first: bigint; second: bigint }

beforeAll(async () => {
  test = await openTestDatabase()
  const accounts = { database: test.database, vault: test.vault, environment: 'staging' as const }
  const open = (name: string, priceLevel: string) =>
    createReseller(accounts, { name, email: 'demo@example.com', priceLevel })
  resellers = {
    first: (await open('Kedai Maju', 'STANDARD')).id,
    second: (await open('Borneo Reload', 'BORNEO')).id,
  }
})

afterAll(() => test.close())

async function expectWhole(): Promise<void> {
  const { base, levels, views } = await loadCatalog(test.database)
  const { products, options } = demoCatalog()
  expect(base.products).toEqual(products)
  expect([...base.options.values()].flatMap((lists) => [...lists.values()].flat())).toHaveLength(
    options.length,
  )
  expect([...levels.keys()].sort()).toEqual(['BORNEO', 'STANDARD'])
  expect(views.get(resellers.first)?.allowedProducts).toEqual(new Set(['FD']))
  expect(await findOverlay(test.database, resellers.second)).toMatchObject({
    groups: expect.arrayContaining([...DEMO_OVERLAY.groups]),
    products: expect.arrayContaining([...DEMO_OVERLAY.products]),
    options: expect.arrayContaining([...DEMO_OVERLAY.options]),
  })
}

// Seeding the catalogue takes seconds, so the tests run one after the other on one database, as starts do.

it('a start that is interrupted at any point leaves nothing', async () => {
  for (const atQuery of [3, 30]) {
    await expect(seedDemoCatalog(interruptedAt(atQuery), resellers)).rejects.toThrow('interrupted')
    expect((await loadCatalog(test.database)).base.groups).toEqual([])
  }
})

it('later starts complete it, and two at once end with one whole demo catalogue', async () => {
  await Promise.all([
    seedDemoCatalog(test.database, resellers),
    seedDemoCatalog(test.openAnother(), resellers),
  ])
  await expectWhole()
  expect(await listNotices(test.database, { includeOver: true, limit: 10 })).toMatchObject([
    { target: { kind: 'product', code: 'FP' }, stopsPayments: true, endsAt: null },
  ])
})

it('its export reads back as the same catalogue', async () => {
  const bytes = Buffer.from(printDocument(await exportCatalog(test.database)))
  const { summary, differences } = await importFiles(test.database, [{ name: 'catalog.json', bytes }], {
    reason: 'again',
    dryRun: false,
    deactivateMissing: true,
  })
  expect(differences).toEqual([])
  expect(summary.unchanged.options).toBe(demoCatalog().options.length)
})

it('a later start leaves alone what became of the catalogue since', async () => {
  const [nova] = demoCatalog().products
  if (nova === undefined) throw new Error('the demo has products')
  await applyBase(test.database, { products: [{ ...nova, name: 'Renamed' }] }, 'renamed')
  await removeOverlay(test.database, resellers.second, 'removed')
  await seedDemoCatalog(test.database, resellers)
  const { base } = await loadCatalog(test.database)
  expect(base.products.find((product) => product.code === nova.code)?.name).toBe('Renamed')
  expect(await findOverlay(test.database, resellers.second)).toBeUndefined()
})

/** Returns the same database, but its transactions fail at the given statement. */
function interruptedAt(atQuery: number): Database {
  return {
    ...test.database,
    transaction: (work) =>
      test.database.transaction((tx) => {
        let count = 0
        return work({
          ...tx,
          query(statement, values) {
            count += 1
            if (count === atQuery) throw new Error('interrupted')
            return tx.query(statement, values)
          },
        })
      }),
  }
}
