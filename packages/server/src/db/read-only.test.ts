import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { onServer } from '../testing/cluster.ts'
import type { TestDatabase } from '../testing/database.ts'
import { openTestDatabase } from '../testing/database.ts'
import { createGroupCommit } from './commits/group-commit.ts'
import { ReadOnlyServerError } from './connection.ts'
import type { Database } from './database.ts'
import { isOutOfReach, isReadOnly, openDatabase } from './database.ts'

// A former leader of a cluster, as its clients see it: a server whose transactions only read.

const { connect } = pg.Client.prototype
let test: TestDatabase
let database: Database

beforeAll(async () => {
  test = await openTestDatabase()
  await test.database.query('create table notes (id integer primary key)')
})
afterAll(() => test.close())

beforeEach(() => {
  database = openDatabase({ ...test.database.options, connectionsMax: 1 })
})
afterEach(async () => {
  pg.Client.prototype.connect = connect
  await setReadOnly(false)
  await database.close()
})

/** Makes new connections to the database read only. Those that are open stay as they are. */
async function setReadOnly(isReadOnlyNow: boolean): Promise<void> {
  const { database: name, ...server } = test.connection
  const value = isReadOnlyNow ? 'on' : 'off'
  await onServer(server, (client) =>
    client.query(`alter database ${name} set default_transaction_read_only = ${value}`),
  )
}

/** Makes the pool's one open connection read only, as a server that is demoted under it. */
async function demoteUnder(pool: Database): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>(
    `select pg_backend_pid() as pid, set_config('default_transaction_read_only', 'on', false)`,
  )
  return Number(rows[0]?.pid)
}

/** Lists the driver's connections that are opened from now on, without holding them. */
function watchConnections(): WeakRef<object>[] {
  const connections: WeakRef<object>[] = []
  pg.Client.prototype.connect = function (this: pg.Client, ...given: unknown[]) {
    connections.push(new WeakRef(this))
    return Reflect.apply(connect, this, given)
  } as typeof connect
  return connections
}

const write = (pool: Database, id: number) => pool.query('insert into notes values ($1)', [id])

async function processOf(pool: Database): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  return Number(rows[0]?.pid)
}

describe('a connection to a server that only reads', () => {
  it('is not made: a statement fails as with a database that is out of reach, until the server writes', async () => {
    await setReadOnly(true)
    const error = await database.query('select 1').catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ReadOnlyServerError)
    expect([isOutOfReach(error), isReadOnly(error)]).toEqual([true, true])
    await expect(database.dedicatedConnection()).rejects.toThrow(ReadOnlyServerError)
    await setReadOnly(false)
    await write(database, 1)
  })

  it('is not held in memory after it was refused', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    await setReadOnly(true)
    const connections = watchConnections()
    for (let attempt = 0; attempt < 3; attempt += 1) await database.query('select 1').catch(() => {})
    expect(connections).toHaveLength(3)
    // A socket that was asked to close is held for some seconds more.
    while (connections.some((connection) => connection.deref() !== undefined)) {
      await delay(100)
      collect()
    }
  })

  it('is made for reads that may be old', async () => {
    await setReadOnly(true)
    const reader = openDatabase({ ...test.database.options, connectionsMax: 1, access: 'any' })
    expect((await reader.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await reader.close()
  })

  it.each<[string, (pool: Database) => Promise<unknown>]>([
    ['a statement', (pool) => write(pool, 10)],
    ['a transaction', (pool) => pool.transaction((tx) => tx.query('insert into notes values (11)'))],
    [
      'a held connection',
      (pool) => pool.withConnection((held) => held.query('insert into notes values (12)')),
    ],
  ])('is replaced after the first refused write of %s', async (_, work) => {
    const demoted = await demoteUnder(database)
    const error = await work(database).catch((reason: unknown) => reason)
    expect([isOutOfReach(error), isReadOnly(error)]).toEqual([true, true])
    expect(await processOf(database)).not.toBe(demoted)
    await work(database)
  })

  it('makes a batch run again whole on another one, and each command is written once', async () => {
    const runs: number[][] = []
    const group = createGroupCommit<number, number>({
      name: 'test',
      batchMax: 10,
      queueMax: 10,
      lanes: 1,
      async execute(commands) {
        runs.push([...commands])
        await database.query('insert into notes select unnest($1::integer[])', [commands])
        return commands
      },
    })
    await demoteUnder(database)
    expect(await Promise.all([20, 21, 22].map((id) => group.submit(id)))).toEqual([20, 21, 22])
    expect(runs).toEqual([
      [20, 21, 22],
      [20, 21, 22],
    ])
  })
})
