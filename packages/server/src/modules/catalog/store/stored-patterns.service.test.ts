import { afterAll, beforeAll, expect, it } from 'vitest'
import { sampleProduct, textField } from '../../../testing/catalog/catalog-samples.ts'
import type { CatalogBench } from '../../../testing/catalog/catalog-store.ts'
import { BASE, openCatalogBench, seedBase } from '../../../testing/catalog/catalog-store.ts'
import { createAlerts, listAlerts } from '../../alerts/core/service.ts'
import { applyBase } from '../edit/base.service.ts'
import { loadBase } from './load.service.ts'
import { reportStoredPatterns } from './stored-patterns.service.ts'

let bench: CatalogBench

beforeAll(async () => {
  bench = await openCatalogBench()
  await seedBase(bench.database)
})

afterAll(() => bench.close())

const DEAR = `^${'.?'.repeat(20)}.{80}x$`

/** Stores a pattern without a check, as an earlier version did. */
async function store(pattern: string): Promise<string> {
  const [product] = (await loadBase(bench.database)).products
  await bench.database.query(
    `update catalog_products set fields = jsonb_set(fields, '{0,validation,pattern}', to_jsonb($2::text)) where code = $1`,
    [product?.code, pattern],
  )
  return product?.code ?? ''
}

it('a stored pattern that would be refused now is named to operators until it is gone', async () => {
  const { database } = bench
  const alerts = createAlerts({ database, onRaised: () => {} })
  const report = async () => {
    await reportStoredPatterns(await loadBase(database), alerts)
    return listAlerts(database, { limit: 10, withCleared: false })
  }
  expect(await report()).toEqual([])
  const code = await store(DEAR)
  expect(await report()).toMatchObject([
    { kind: 'catalogue_pattern', severity: 'warning', text: expect.stringContaining(`${code}, field `) },
  ])
  await store('^\\d+$')
  expect(await report()).toEqual([])
})

it('a stored pattern that would be refused now stops no other change, and none can be added', async () => {
  const { database } = bench
  await store(DEAR)
  const renamed = BASE.categories.map((each) => ({ ...each, name: `${each.name} 2` }))
  expect(await applyBase(database, { categories: renamed }, 'test')).toMatchObject({
    updated: { categories: renamed.length },
  })
  const fields = [textField({ validation: { pattern: `^${'.?'.repeat(21)}.{79}x$` } })]
  await expect(
    applyBase(
      database,
      {
        products: [
          sampleProduct({ code: 'NEWONE', fields: [...fields, ...sampleProduct().fields.slice(1)] }),
        ],
      },
      'test',
    ),
  ).rejects.toMatchObject({ status: 400 })
})
