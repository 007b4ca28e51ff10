import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestDatabase } from '../testing/database.ts'
import { openTestDatabase } from '../testing/database.ts'
import type { Migration } from './migrate.ts'
import { migrate, pendingMigrations, readMigrations } from './migrate.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

async function withOneMore(text: string): Promise<Migration[]> {
  const known = await readMigrations()
  return [...known, { number: known.length + 1, name: 'one_more', text, checksum: `checksum of ${text}` }]
}

describe('migrations', () => {
  it('are applied once, however many processes start together', async () => {
    const migrations = await withOneMore('create table one_more (id integer)')
    const nodes = Array.from({ length: 5 }, () => test.openAnother())
    const applied = await Promise.all(nodes.map((database) => migrate(database, migrations)))
    expect(applied.map((each) => each.length).sort()).toEqual([0, 0, 0, 0, 1])
  })

  it('a version that does not know what the database has refuses it', async () => {
    await expect(pendingMigrations(test.database)).rejects.toThrow(/does not know/)
  })

  it('an edited migration is refused', async () => {
    const migrations = await withOneMore('create table one_more (id bigint)')
    await expect(migrate(test.database, migrations)).rejects.toThrow(/changed after it had been applied/)
  })

  it('a failing migration leaves nothing behind', async () => {
    const fresh = await openTestDatabase()
    const migrations = await withOneMore('create table half (id integer); select 1 / 0')
    await expect(migrate(fresh.database, migrations)).rejects.toThrow(/one_more/)
    const { rows } = await fresh.database.query<{ there: boolean }>(
      `select to_regclass('half') is not null as there`,
    )
    expect(rows[0]?.there).toBe(false)
    expect(await pendingMigrations(fresh.database)).toEqual([])
    await fresh.close()
  })
})
