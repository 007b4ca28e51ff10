import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CatalogBench } from '../../testing/catalog/catalog-store.ts'
import { openCatalogBench, seedBase } from '../../testing/catalog/catalog-store.ts'
import { contextOf, editReseller } from '../../testing/grants.ts'
import { updateReseller, within } from '../accounts/service.ts'
import { lockCatalog } from '../catalog/operators.service.ts'
import type { OperatorCaller } from '../sessions/people/types.ts'

const CALLER: OperatorCaller = {
  kind: 'operator',
  operatorId: 7n,
  email: 'siti@example.com',
  name: 'Siti',
  role: 'admin',
  via: 'session',
  credentialId: '41',
  address: '203.0.113.9',
}

let bench: CatalogBench

beforeAll(async () => {
  bench = await openCatalogBench()
  await seedBase(bench.database)
})
afterAll(() => bench.close())

async function untilSomebodyWaits(): Promise<void> {
  const deadline = Date.now() + 60_000
  for (;;) {
    const { rows } = await bench.database.query<{ waiting: number }>(
      `select count(*)::integer as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if ((rows[0]?.waiting ?? 0) > 0) return
    if (Date.now() > deadline) throw new Error('nobody waits for a lock')
  }
}

it('a move of a reseller to another level waits for the catalogue first, and does not hold the directory meanwhile', async () => {
  const { database, accounts } = bench
  const moved = await bench.newAccount()
  const other = await bench.newAccount()
  const context = contextOf(bench)
  const move = await database.transaction(async (tx) => {
    await lockCatalog(tx)
    const moving = editReseller(context, CALLER, moved.account, { price_level: 'GOLD' }, 'Sells more')
    moving.catch(() => {})
    await untilSomebodyWaits()
    // Every writer of both takes the locks in this order. In the other order PostgreSQL would end one of the two as a
    // deadlock.
    await updateReseller(within(tx, accounts), other.id, { name: 'Kedai Baru' })
    return { moving }
  })
  expect(await move.moving).toMatchObject({ done: { priceLevel: 'GOLD' } })
})
