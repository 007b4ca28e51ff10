import { afterAll, beforeAll, expect, it } from 'vitest'
import { withBreakableDatabase } from '../../testing/network/breakable-line.ts'
import { payWith } from '../../testing/payments/payments.ts'
import type { TestShop, TillsBench } from '../../testing/tills.ts'
import { openTillsBench } from '../../testing/tills.ts'
import { findShiftDetails } from './service.ts'

let bench: TillsBench

beforeAll(async () => {
  bench = await openTillsBench()
})
afterAll(() => bench.close())

async function openWithSale() {
  const shop = await bench.newShop()
  const cashier = await shop.newPerson()
  const { id } = await shop.open(cashier, await shop.newTill(), '50.00')
  const sale = { memberId: String(cashier.userId), category: 'A', cost: 10_000n, amount: 20_000n }
  await payWith(bench.openNode(), shop.id, sale)
  return { shop, cashier, id }
}

/** State of a shift as the database has it: its number and the sales of its report. */
async function stateOf({ id: resellerId }: TestShop, id: bigint) {
  const details = await findShiftDetails(bench.database, resellerId, id)
  const { rows } = await bench.database.query<{ open: bigint }>(
    'select count(*) as open from shift_stays where reseller_id = $1 and until_ms is null',
    [resellerId],
  )
  return {
    number: details?.shift.end?.number ?? null,
    sales: details?.sales.length,
    open: Number(rows[0]?.open),
  }
}

const OPEN = { number: null, sales: 0, open: 1 }
const CLOSED = { number: 1, sales: 1, open: 0 }

it.each([
  ['before its commit', 'before', OPEN],
  ['after its commit', 'after', CLOSED],
] as const)('a close whose connection ends right %s leaves a whole state', async (_, when, expected) => {
  const { shop, cashier, id } = await openWithSale()
  await withBreakableDatabase(bench.connection, async (database, line) => {
    const doomed = await bench.on(shop, database)
    line.breakCommit(when)
    await expect(doomed.close(cashier, id)).rejects.toThrow()
  })
  expect(await stateOf(shop, id)).toEqual(expected)
})

it('a close that is killed in its middle leaves the shift open, and the next one gives the report its number', async () => {
  const { shop, cashier, id } = await openWithSale()
  await bench.database.query(
    `create function end_the_node() returns trigger language plpgsql as $$
     begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$`,
  )
  for (const table of ['shift_stays', 'shift_sales', 'shifts']) {
    await bench.database.query(
      `create trigger crash after insert or update on ${table} for each row execute function end_the_node()`,
    )
    await expect(shop.close(cashier, id)).rejects.toThrow()
    await bench.database.query(`drop trigger crash on ${table}`)
    expect(await stateOf(shop, id)).toEqual(OPEN)
  }
  const { end } = await shop.close(cashier, id, '52.00')
  expect(end).toMatchObject({ number: 1, expected: 520_000n, counted: 520_000n })
  expect(await stateOf(shop, id)).toEqual(CLOSED)
})
