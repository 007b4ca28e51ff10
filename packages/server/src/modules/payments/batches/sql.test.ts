import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { insertBackfill, newReseller, PAST, today } from '../../../testing/payments/history.ts'
import {
  deleteOldBatches,
  findBatchOwner,
  insertBatch,
  insertBatchLines,
  listBatchLineRows,
  listBatchRows,
} from './sql.ts'
import type { BatchLine } from './types.ts'
import { BATCHES_MAX, KEPT_LINES_MAX } from './types.ts'

let test: TestDatabase

beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

const lineOf = (line: number, refid = `bulk-${line}`): BatchLine => ({
  line,
  refid,
  product: 'NOVA',
  account: '60123456789',
  amount: '10',
  subproductCode: null,
  billerCode: null,
  ref2: null,
  remarks: null,
  reference: null,
})

async function keep(resellerId: bigint, name: string, lines: readonly BatchLine[]): Promise<bigint> {
  return test.database.transaction(async (tx) => {
    const id = await insertBatch(tx, resellerId, { memberId: 7n, name })
    await insertBatchLines(tx, resellerId, id, lines)
    await deleteOldBatches(tx, resellerId)
    return id
  })
}

async function refidOf(resellerId: bigint, id: bigint): Promise<string> {
  const { rows } = await test.database.query<{ refid: string }>(
    'select refid from payments where reseller_id = $1 and id = $2',
    [resellerId, id],
  )
  return rows[0]?.refid ?? ''
}

it('batches count what became of their lines, of their own reseller alone', async () => {
  const [resellerId, other] = [await newReseller(test), await newReseller(test)]
  const day = (await today(test.database)) - 1
  const codes = [20, 20, 48, 53, 1] as const
  const ids = await insertBackfill(
    test.database,
    resellerId,
    codes.map((code) => ({ ...PAST, day, code })),
  )
  const refids = await Promise.all(ids.map((id) => refidOf(resellerId, id)))
  const lines = refids.map((refid, index) => lineOf(index + 2, refid))
  await keep(other, 'theirs', lines)
  await keep(resellerId, 'mine', [...lines, lineOf(99, 'bulk-none')])
  const [found, ...none] = await listBatchRows(test.database, resellerId)
  expect(none).toEqual([])
  const counts = { lines: 6, successful: 2, pending: 1, failed: 1, refunded: 1, unpaid: 1 }
  expect(found).toMatchObject({ name: 'mine', memberId: 7n, counts })
  expect((await listBatchRows(test.database, other))[0]?.counts).toMatchObject({ lines: 5, unpaid: 5 })
  expect(await findBatchOwner(test.database, other, found?.id ?? 0n)).toBeUndefined()
})

it('lines come in the order of the file, page by page, and a part that is kept twice is there once', async () => {
  const resellerId = await newReseller(test)
  const id = await keep(resellerId, '', [lineOf(5), lineOf(2), lineOf(0)])
  await test.database.transaction((tx) => insertBatchLines(tx, resellerId, id, [lineOf(5), lineOf(9)]))
  const page = async (after: number) =>
    (await listBatchLineRows(test.database, resellerId, id, { after, limit: 2 })).map(({ line }) => line)
  expect([await page(-1), await page(2), await page(9)]).toEqual([[0, 2], [5, 9], []])
})

it('the oldest batches go, by number and by lines, and the newest one stays', async () => {
  const resellerId = await newReseller(test)
  const kept: bigint[] = []
  for (let at = 0; at < BATCHES_MAX + 2; at += 1) kept.push(await keep(resellerId, String(at), [lineOf(1)]))
  const names = async () => (await listBatchRows(test.database, resellerId)).map(({ name }) => name)
  expect(await names()).toHaveLength(BATCHES_MAX)
  expect(await names()).not.toContain('1')
  await test.database.query(
    `insert into payment_batch_lines (reseller_id, batch_id, line, refid, product, account, amount)
     select $1, $2, n, 'bulk-' || n, 'NOVA', '1', '1' from generate_series(2, $3::integer) n`,
    [resellerId, kept.at(-1), KEPT_LINES_MAX],
  )
  await test.database.transaction((tx) => deleteOldBatches(tx, resellerId))
  expect(await names()).toEqual([String(BATCHES_MAX + 1)])
})
