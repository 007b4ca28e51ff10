import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import type { TestDatabase } from '../testing/database.ts'
import { openTestDatabase } from '../testing/database.ts'
import type { TcpProxy } from '../testing/network/tcp-proxy.ts'
import { openTcpProxy, targetOf } from '../testing/network/tcp-proxy.ts'
import { createGroupCommit } from './commits/group-commit.ts'
import type { Database } from './database.ts'
import { isOutOfReach, openDatabase, UncertainCommitError } from './database.ts'
import { startFollowing } from './follower.ts'
import { withLongStatements } from './long-statements.ts'
import { createCommitProbe } from './readiness.ts'

const STATEMENT_MS = 1_500

let test: TestDatabase
let proxy: TcpProxy
let database: Database

beforeEach(async () => {
  test = await openTestDatabase()
  proxy = await openTcpProxy(targetOf(inject('cluster')))
  database = through(proxy, 4)
  await test.database.query('create table notes (id integer primary key)')
})

afterEach(async () => {
  await database.close()
  await proxy.close()
  await test.close()
})

/** Opens a pool whose every connection goes through the proxy. */
function through({ port }: TcpProxy, connectionsMax: number): Database {
  return openDatabase({
    connection: { ...test.connection, host: '127.0.0.1', port },
    connectionsMax,
    applicationName: 'silence test',
    statementMs: STATEMENT_MS,
  })
}

const one = () => database.query<{ one: number }>('select 1 as one')

async function countNotes(): Promise<number> {
  const { rows } = await test.database.query<{ count: number }>(
    'select count(*)::integer as count from notes',
  )
  return rows[0]?.count ?? -1
}

async function until(what: string, isTrue: () => Promise<boolean> | boolean): Promise<void> {
  const giveUpAtMs = performance.now() + 30_000
  while (!(await isTrue())) {
    if (performance.now() > giveUpAtMs) throw new Error(`gave up waiting until ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

describe('a connection that falls silent', () => {
  it('fails its statement, is replaced, and the next statement is answered', async () => {
    await one()
    proxy.holdAll()
    const error = await one().catch((reason: unknown) => reason)
    expect(isOutOfReach(error)).toBe(true)
    expect((await one()).rows).toEqual([{ one: 1 }])
  })

  it('does not keep the others of a full pool waiting: every connection is replaced', async () => {
    await Promise.all([one(), one(), one(), one()])
    proxy.holdAll()
    const failed = await Promise.allSettled([one(), one(), one(), one()])
    expect(failed.map((each) => each.status)).toEqual(Array(4).fill('rejected'))
    expect(await Promise.all([one(), one(), one(), one(), one()])).toHaveLength(5)
  })

  it('makes a batch run again on another connection, and each command is answered once', async () => {
    const group = createGroupCommit<number, number>({
      name: 'test',
      batchMax: 10,
      queueMax: 10,
      lanes: 1,
      async execute(commands) {
        await database.query('insert into notes select unnest($1::integer[]) on conflict do nothing', [
          commands,
        ])
        return commands
      },
    })
    await group.submit(0)
    proxy.holdAll()
    expect(await Promise.all([group.submit(1), group.submit(2)])).toEqual([1, 2])
    expect(await countNotes()).toBe(3)
  })

  it('is noticed when it only listens, and the follower hears again', async () => {
    let looks = 0
    const follower = await startFollowing({
      database,
      what: 'notes',
      channel: 'notes',
      pollMs: 50,
      statementTimeoutMs: STATEMENT_MS,
      catchUp: async () => {
        looks += 1
      },
    })
    proxy.holdAll()
    await until('the view is out of date', () => follower.ageMs() > STATEMENT_MS)
    const before = looks
    await until('the view is fresh again', () => looks > before && follower.ageMs() < STATEMENT_MS)
    await follower.close()
  })

  it('leaves no session behind that holds a lock', async () => {
    const stuck = database.transaction(async (tx) => {
      await tx.query('lock table notes in exclusive mode')
      proxy.holdAll()
      await tx.query('select 1')
    })
    await expect(stuck).rejects.toThrow()
    // The next connection ends the rest of the silent one; the server itself would wait for minutes.
    await one()
    await test.database.query('insert into notes values (1)')
    expect(await countNotes()).toBe(1)
  })
})

describe('a statement that is slow', () => {
  it('is ended by the server, which undoes it, and its connection goes on', async () => {
    const slow = database.query('insert into notes select 1 from pg_sleep(600)')
    await expect(slow).rejects.toMatchObject({ severity: 'ERROR', code: '57014' })
    expect(proxy.connections()).toHaveLength(1)
    await one()
    expect(proxy.connections()).toHaveLength(1)
  })

  it('has the time that a job gives it, and the connection is as before', async () => {
    const nap = STATEMENT_MS / 1_000 + 0.2
    await withLongStatements(database).query('select pg_sleep($1)', [nap])
    await withLongStatements(database).transaction((tx) => tx.query('select pg_sleep($1)', [nap]))
    const { rows } = await database.query<{ statement_timeout: string }>('show statement_timeout')
    expect(rows[0]?.statement_timeout).toBe(`${STATEMENT_MS}ms`)
  })
})

describe('the readiness probe', () => {
  it('fails while nothing answers, and succeeds when the network is back', async () => {
    const probe = createCommitProbe(database, { answerMs: 2_000, freshMs: 0 })
    expect(await probe.succeeds()).toBe(true)
    proxy.holdAll({ alsoNew: true })
    expect(await probe.succeeds()).toBe(false)
    expect(await probe.succeeds()).toBe(false)
    proxy.resumeAll()
    await until('the probe succeeds', () => probe.succeeds())
  })
})

describe('a transaction', () => {
  it('a transaction whose COMMIT gets no answer is uncertain, and any other loss is certain', async () => {
    const before = database.transaction(async (tx) => {
      await tx.query('insert into notes values (1)')
      for (const link of proxy.connections()) link.cut()
      await tx.query('insert into notes values (2)')
    })
    const error = await before.catch((reason: unknown) => reason)
    expect(error).not.toBeInstanceOf(UncertainCommitError)
    expect(await countNotes()).toBe(0)

    const during = database.transaction(async (tx) => {
      await tx.query('insert into notes values (1)')
      for (const link of proxy.connections()) link.hold('to client')
    })
    await expect(during).rejects.toBeInstanceOf(UncertainCommitError)
    await until('the server has committed', async () => (await countNotes()) === 1)
  })

  it('a transaction that ignored the error of a statement does not count as committed', async () => {
    const ignored = database.transaction(async (tx) => {
      await tx.query('insert into notes values (1)')
      await tx.query('insert into notes values (1)').catch(() => {})
    })
    await expect(ignored).rejects.toThrow('rolled back')
    expect(await countNotes()).toBe(0)
  })
})
