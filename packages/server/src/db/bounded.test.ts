import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestDatabase } from '../testing/database.ts'
import { openTestDatabase } from '../testing/database.ts'
import { readWithin } from './bounded.ts'

let test: TestDatabase

beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

async function statementTimeout(): Promise<string | undefined> {
  const { rows } = await test.database.query<{ statement_timeout: string }>('show statement_timeout')
  return rows[0]?.statement_timeout
}

it('a read that takes too long is a 503, and its connection is as before', async () => {
  const before = await statementTimeout()
  const read = readWithin(test.database, 20, (tx) => tx.query('select pg_sleep(600)'))
  await expect(read).rejects.toMatchObject({ status: 503, code: 'read_too_long' })
  expect(await statementTimeout()).toBe(before)
})

it('a bounded read cannot write', async () => {
  const write = readWithin(test.database, 1_000, (tx) => tx.query('create table t (n integer)'))
  await expect(write).rejects.toThrow('read-only')
})
