import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TestDatabase } from '../testing/database.ts'
import { openTestDatabase } from '../testing/database.ts'
import type { Routine } from './functions.ts'
import { readFunctions, readRoutines } from './functions.ts'
import type { Migration } from './migrate.ts'
import { listSuperseded, migrate, pendingMigrations, readMigrations } from './migrate.ts'

let test: TestDatabase
let functions: Routine[]
let migrations: Migration[]
beforeEach(async () => {
  test = await openTestDatabase()
  functions = await readFunctions()
  migrations = await readMigrations()
})
afterEach(() => test.close())

/** Builds a version of the service that has one function more. */
function version(text: string): Routine[] {
  return [...functions, ...readRoutines('x/greet.sql', text)]
}

const greeting = (word: string, result = 'text') =>
  `create or replace function greet() returns ${result} language sql as $$ select '${word}'::${result} $$;`

async function greet(call = 'greet()'): Promise<string | undefined> {
  const { rows } = await test.database.query<{ said: string }>(`select ${call}::text as said`)
  return rows[0]?.said
}

function migrationAfter(text: string): Migration[] {
  const number = migrations.length + 1
  return [...migrations, { number, name: 'one_more', text, checksum: `of ${text}` }]
}

describe('functions', () => {
  it('are applied when their text is new, and then left alone', async () => {
    const [one, two] = [version(greeting('one')), version(greeting('two'))]
    expect(await migrate(test.database, migrations, one)).toMatchObject([{ routine: 'greet' }])
    expect(await migrate(test.database, migrations, one)).toEqual([])
    expect(await greet()).toBe('one')
    expect(await migrate(test.database, migrations, two)).toMatchObject([{ routine: 'greet' }])
    expect(await greet()).toBe('two')
  })

  it('are applied once, however many nodes start together', async () => {
    const nodes = Array.from({ length: 5 }, () => test.openAnother())
    const one = version(greeting('one'))
    const applied = await Promise.all(nodes.map((node) => migrate(node, migrations, one)))
    expect(applied.map((each) => each.length).sort()).toEqual([0, 0, 0, 0, 1])
  })

  it('functions that a newer version replaced are not put back by an older node that restarts', async () => {
    const [older, newer] = [version(greeting('one')), version(greeting('two'))]
    await migrate(test.database, migrations, older)
    await migrate(test.database, migrations, newer)
    expect(await migrate(test.openAnother(), migrations, older)).toEqual([])
    expect(await greet()).toBe('two')
  })

  it('functions with other parameters stand beside the old ones until a migration drops those', async () => {
    const named = `create or replace function greet(p_name text) returns text language sql as $$ select p_name $$;`
    await migrate(test.database, migrations, version(greeting('one')))
    await migrate(test.database, migrations, version(named))
    expect([await greet(), await greet(`greet(p_name => 'Ana')`)]).toEqual(['one', 'Ana'])
    await migrate(test.database, migrationAfter('drop function greet()'), version(named))
    await expect(greet()).rejects.toThrow(/does not exist/)
    expect(await greet(`greet('Ana')`)).toBe('Ana')
  })

  it('functions with another result are refused with the way out, and nothing is changed', async () => {
    await migrate(test.database, migrations, version(greeting('1')))
    const changed = [...version(greeting('2', 'integer')), ...readRoutines('x/also.sql', aside)]
    await expect(migrate(test.database, migrations, changed)).rejects.toThrow(
      /function greet failed.*another name or other parameters.*a migration of a later release/s,
    )
    expect(await greet()).toBe('1')
    await expect(greet('also()')).rejects.toThrow(/does not exist/)
  })

  it('functions that a migration dropped, and triggers whose table was made anew, are applied again', async () => {
    const text = `drop function raise_alert(text, text, text, text);
      create table anew (like transfer_chain including all); drop table transfer_chain;
      alter table anew rename to transfer_chain`
    const applied = await migrate(test.database, migrationAfter(text))
    expect(applied.slice(1)).toMatchObject([
      { routine: 'raise_alert' },
      { routine: 'transfer_chain_immutable on transfer_chain' },
    ])
    await expect(test.database.query('delete from transfer_chain')).rejects.toThrow(/immutable/)
  })

  it('functions that are pending or replaced by a newer version are known beforehand', async () => {
    expect([await pendingMigrations(test.database), await listSuperseded(test.database)]).toEqual([[], []])
    await test.database.query(`delete from schema_functions where name = 'event_id'`)
    expect(await pendingMigrations(test.database)).toMatchObject([{ kind: 'function', routine: 'event_id' }])
    const newer = functions.map((each) => (each.routine === 'retry_at' ? changedText(each) : each))
    await migrate(test.database, migrations, newer)
    expect(await pendingMigrations(test.database)).toEqual([])
    expect(await listSuperseded(test.database)).toEqual(['function retry_at'])
  })

  it('all have bodies that the database accepts, in whatever order they are made', async () => {
    await test.database.transaction(async (tx) => {
      for (const { text } of functions.toReversed()) await tx.query(text)
    })
  })

  it.each([
    ['another name', greeting('one').replace('greet', 'meet')],
    ['another statement', `${greeting('one')} select 1;`],
    ['no function', 'create or replace trigger t after insert on users execute function f();'],
    ['nothing', '-- Empty.'],
  ])('are refused in a file that holds %s', (_, text) => {
    expect(() => readRoutines('x/greet.sql', text)).toThrow(/x\/greet\.sql: /)
  })
})

const aside = 'create or replace function also() returns integer language sql as $$ select 1 $$;'

function changedText(routine: Routine): Routine {
  return { ...routine, text: `-- Changed.\n${routine.text}`, checksum: `changed ${routine.checksum}` }
}
