import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { EmbeddedServer } from '../embedded/server.ts'
import { startEmbedded } from '../embedded/server.ts'
import { onServer } from '../testing/cluster.ts'
import { setSynchronousStandby, untilCommitsWait } from '../testing/synchronous-commits.ts'
import { createGroupCommit, UncertainOutcomeError } from './commits/group-commit.ts'
import type { Database } from './database.ts'
import { openDatabase, UncertainCommitError } from './database.ts'
import { createCommitProbe } from './readiness.ts'

// The test has a server of its own: the setting belongs to the whole server.

const STATEMENT_MS = 500

let dataDir: string
let server: EmbeddedServer
let database: Database

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'warung-replication-'))
  server = await startEmbedded({ dataDir, settings: { fsync: 'off' } })
})

afterAll(async () => {
  await server?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

beforeEach(async () => {
  database = openDatabase({
    connection: server.connection,
    connectionsMax: 4,
    applicationName: 'replication test',
    statementMs: STATEMENT_MS,
  })
  await database.query('drop table if exists notes')
  await database.query('create table notes (id integer primary key)')
})

afterEach(async () => {
  await requireStandby('')
  await database.close()
})

const asOperator = <T>(work: (client: pg.Client) => Promise<T>) => onServer(server.connection, work)

/** Makes commits wait for a standby of this name, which does not exist. With an empty name they do not wait. */
async function requireStandby(name: string): Promise<void> {
  await setSynchronousStandby(server.connection, name)
  if (name !== '') await untilCommitsWait(server.connection)
}

/** Ends the first session that waits for the standby, as the shutdown of a demoted server does. */
async function terminateWait(): Promise<void> {
  await asOperator((client) =>
    until('the wait is ended', async () => {
      const { rowCount } = await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`,
      )
      return rowCount === 1
    }),
  )
}

/** Cancels every wait for the standby, again and again until `done`; resolves with the number of waits cancelled. */
async function cancelWaitsUntil(done: Promise<unknown>, timesMax: number): Promise<number> {
  let isDone = false
  void done.then(
    () => (isDone = true),
    () => (isDone = true),
  )
  let cancelled = 0
  await asOperator((client) =>
    until('it is done', async () => {
      if (cancelled < timesMax) {
        const { rows } = await client.query(
          `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`,
        )
        cancelled += rows.length
      }
      return isDone
    }),
  )
  return cancelled
}

async function isVisible(id: number): Promise<boolean> {
  return asOperator(async (client) => {
    const { rowCount } = await client.query('select 1 from notes where id = $1', [id])
    return rowCount === 1
  })
}

async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const giveUpAtMs = performance.now() + 30_000
  while (!(await isTrue())) {
    if (performance.now() > giveUpAtMs) throw new Error(`gave up waiting until ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

describe('a commit whose wait for the standby is cancelled', () => {
  it('is uncertain, although the server reports success: in a transaction', async () => {
    await requireStandby('nobody')
    const commit = database.transaction((tx) => tx.query('insert into notes values (1)'))
    const settled = commit.catch((reason: unknown) => reason)
    expect(await cancelWaitsUntil(settled, 1)).toBe(1)
    expect(await settled).toBeInstanceOf(UncertainCommitError)
    expect(await isVisible(1)).toBe(true)
  })

  it.each([
    ['a single statement', 'insert into notes values (1)'],
    ['a prepared statement', { name: 'note', text: 'insert into notes values (2)' }],
  ])('is uncertain as %s', async (_, statement) => {
    await requireStandby('nobody')
    const settled = database.query(statement).catch((reason: unknown) => reason)
    expect(await cancelWaitsUntil(settled, 1)).toBe(1)
    expect(await settled).toBeInstanceOf(UncertainCommitError)
  })

  it('is uncertain in a group commit too: a second run that finds its row is no proof', async () => {
    await requireStandby('nobody')
    let runs = 0
    const group = createGroupCommit<number, string>({
      name: 'test',
      batchMax: 10,
      queueMax: 10,
      lanes: 1,
      async execute(ids) {
        runs += 1
        const { rowCount } = await database.query(
          `insert into notes select id from unnest($1::integer[]) as id
           where not exists (select 1 from notes where notes.id = id) on conflict do nothing`,
          [ids],
        )
        return ids.map(() => (rowCount === 0 ? 'existing' : 'created'))
      },
    })
    const settled = group.submit(1).catch((reason: unknown) => reason)
    expect(await cancelWaitsUntil(settled, 1)).toBe(1)
    expect(await settled).toBeInstanceOf(UncertainOutcomeError)
    expect(runs).toBe(2)
  })

  it('is a success once a later commit has been confirmed', async () => {
    await requireStandby('nobody')
    const commit = database.transaction((tx) => tx.query('insert into notes values (1)'))
    // The first wait is cancelled; the next one, which confirms it, ends because the standby is no longer required.
    await asOperator((client) =>
      until('the first wait is cancelled', async () => {
        const { rowCount } = await client.query(
          `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`,
        )
        return rowCount === 1
      }),
    )
    await requireStandby('')
    await commit
    expect(await isVisible(1)).toBe(true)
  })
})

describe('a commit whose session is ended while it waits for the standby', () => {
  it('is uncertain: the transaction may be on this server alone', async () => {
    await requireStandby('nobody')
    const commit = database.transaction((tx) => tx.query('insert into notes values (1)'))
    const settled = commit.catch((reason: unknown) => reason)
    await terminateWait()
    expect(await settled).toBeInstanceOf(UncertainCommitError)
    expect(await isVisible(1)).toBe(true)
  })

  it('is no success as a single statement, nor on a held connection', async () => {
    await requireStandby('nobody')
    const single = database.query('insert into notes values (1)').catch((reason: unknown) => reason)
    await terminateWait()
    expect(await single).toBeInstanceOf(Error)
    const held = database
      .withConnection((connection) => connection.query('insert into notes values (2)'))
      .catch((reason: unknown) => reason)
    await terminateWait()
    expect(await held).toBeInstanceOf(Error)
    expect([await isVisible(1), await isVisible(2)]).toEqual([true, true])
  })
})

it('a commit on a held connection whose wait for the standby is cancelled is uncertain', async () => {
  await requireStandby('nobody')
  const settled = database
    .withConnection(async (connection) => {
      await connection.query('begin')
      await connection.query('insert into notes values (1)')
      await connection.query('commit')
    })
    .catch((reason: unknown) => reason)
  expect(await cancelWaitsUntil(settled, 1)).toBe(1)
  expect(await settled).toBeInstanceOf(UncertainCommitError)
})

it('the probe of readiness fails while commits wait for a standby that is gone', async () => {
  const probe = createCommitProbe(database, { answerMs: 300, freshMs: 0 })
  await requireStandby('nobody')
  expect(await probe.succeeds()).toBe(false)
  await requireStandby('')
  await until('the probe succeeds', () => probe.succeeds())
})

it('a server whose standby is gone is not filled with connections', async () => {
  await requireStandby('nobody')
  let next = 0
  for (let round = 0; round < 4; round += 1) {
    const attempts = Array.from({ length: 4 }, () =>
      database.query('insert into notes values ($1)', [next++]),
    )
    await Promise.allSettled(attempts)
  }
  const held = await asOperator(async (client) => {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::integer as count from pg_stat_activity where application_name = 'replication test'`,
    )
    return rows[0]?.count ?? 0
  })
  expect(held).toBeLessThanOrEqual(8)
  await requireStandby('')
  await until('statements are answered again', () =>
    database.query('select 1').then(
      () => true,
      () => false,
    ),
  )
})
