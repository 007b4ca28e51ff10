import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestDatabase } from '../testing/database.ts'
import { openTestDatabase } from '../testing/database.ts'
import { isOutOfReach } from './database.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

it('a connection lost in the middle of a transaction fails that transaction and nothing else', async () => {
  const lost = test.database.transaction(async (tx) => {
    const { rows } = await tx.query<{ pid: number }>('select pg_backend_pid() as pid')
    const ended = test.openAnother()
    await ended.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    // The server's word arrives while nobody has a statement under way: it must not end the process.
    await new Promise((resolve) => setImmediate(resolve))
    await ended.query('select 1')
    return tx.query('select 1')
  })
  const error = await lost.catch((reason: unknown) => reason)
  expect(isOutOfReach(error)).toBe(true)
  expect((await test.database.query<{ one: number }>('select 1 as one')).rows).toEqual([{ one: 1 }])
})
