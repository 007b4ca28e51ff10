import { afterEach, beforeEach, expect, it } from 'vitest'
import type { CatalogBench } from '../../../testing/catalog/catalog-store.ts'
import { openCatalogBench } from '../../../testing/catalog/catalog-store.ts'
import { stampViews } from './views.sql.ts'

let bench: CatalogBench

beforeEach(async () => {
  bench = await openCatalogBench()
})

afterEach(() => bench.close())

it('one change gives all its accounts one time', async () => {
  // So many that writing them takes many milliseconds. The rows need no accounts behind them here.
  const ids = Array.from({ length: 20_000 }, (_, index) => BigInt(index + 1))
  const { rows } = await bench.database.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica')
    await stampViews(tx, ids, 7n, 'access')
    return tx.query<{ times: bigint; rows: bigint }>(
      'select count(distinct access_updated_at) as times, count(*) as rows from account_views where version = 7',
    )
  })
  expect(rows).toEqual([{ times: 1n, rows: 20_000n }])
})
