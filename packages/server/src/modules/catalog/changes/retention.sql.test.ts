import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Tx } from '../../../db/database.ts'
import type { CatalogBench } from '../../../testing/catalog/catalog-store.ts'
import { openCatalogBench } from '../../../testing/catalog/catalog-store.ts'
import { countRowsRead } from '../../../testing/payments/plans.ts'
import { deleteAccountEvents } from './retention.sql.ts'

const ACCOUNTS = 12
const CHANGES = 600

let bench: CatalogBench

beforeAll(async () => {
  bench = await openCatalogBench()
  for (let each = 0; each < ACCOUNTS; each += 1) await bench.newAccount()
  await bench.database.query(
    `insert into catalog_changes (version, reason, concerns_everyone, level_codes, reseller_ids)
     select 1000000 + n, 'test', true, '{}', '{}' from generate_series(1, $1::integer) n`,
    [CHANGES],
  )
  await bench.database.query(
    `insert into account_catalog_events (reseller_id, version, set_ids, reseller_code)
     select r.id, c.version, '{}', '' from resellers r cross join catalog_changes c where c.version > 1000000`,
  )
  await bench.database.query('analyze account_catalog_events')
})

afterAll(() => bench.close())

const readBy = (kept: Parameters<typeof deleteAccountEvents>[1]) =>
  countRowsRead(bench.database, 'account_catalog_events', (connection) =>
    deleteAccountEvents(connection as Tx, kept, 500),
  )

it('accounts without old rows cost one look, at the oldest row', async () => {
  expect(await readBy({ days: 91, fromVersion: undefined })).toBeLessThanOrEqual(2 * ACCOUNTS)
})

it('so is it while everything old is on its way into deliveries', async () => {
  await bench.database.query(`update account_catalog_events set created_at = now() - interval '92 days'`)
  await bench.database.query('vacuum analyze account_catalog_events')
  expect(await readBy({ days: 91, fromVersion: 1_000_001n })).toBeLessThanOrEqual(2 * ACCOUNTS)
})

it('old rows are removed account by account, and nothing else', async () => {
  await bench.database.query(
    `update account_catalog_events set created_at = now() - interval '90 days' where version > 1000010`,
  )
  const { rows } = await bench.database.query<{ count: number }>(
    'select count(*)::integer from account_catalog_events',
  )
  const remove = () =>
    bench.database.transaction((tx) => deleteAccountEvents(tx, { days: 91, fromVersion: undefined }, 500))
  expect(await remove()).toBe(10 * ((rows[0]?.count ?? 0) / CHANGES))
  expect(await remove()).toBe(0)
})
