import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { fillShelf, newPin } from '../../../testing/providers/stock.ts'
import { findGoneSince, withdrawGone } from './lost.service.ts'

let test: TestDatabase

beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

async function listItems(batch: bigint): Promise<bigint[]> {
  const { rows } = await test.database.query<{ id: bigint }>(
    'select id from stock_items where batch_id = $1 order by id',
    [batch],
  )
  return rows.map(({ id }) => id)
}

async function sell(item: bigint | undefined, at: Date): Promise<void> {
  await test.database.query('select bind_stock(array[$1::bigint], array[1::bigint], array[$1::bigint], $2)', [
    item,
    at,
  ])
}

const withdraw = (ids: readonly bigint[]) => test.database.transaction((tx) => withdrawGone(tx, ids))

it('items that were sold or withdrawn after a moment are found, also a sale that committed after it', async () => {
  const { id: batch } = await fillShelf(test, { pins: [newPin(), newPin(), newPin(), newPin(), newPin()] })
  const [old, straddling, sold, withdrawn, free] = await listItems(batch)
  const moment = new Date()
  const minutes = (count: number) => new Date(moment.getTime() + count * 60_000)
  await sell(old, minutes(-60))
  // Dated a moment before its commit, which came after the moment.
  await sell(straddling, minutes(-1))
  await sell(sold, minutes(1))
  if (withdrawn === undefined || free === undefined) expect.unreachable('five items were loaded')
  expect(await withdraw([withdrawn])).toBe(1)
  expect(await findGoneSince(test.database, moment)).toEqual([straddling, sold, withdrawn])
  // An item that the restored database has as sold stays sold.
  expect(await withdraw([old, straddling, free].filter((id) => id !== undefined))).toBe(1)
})
