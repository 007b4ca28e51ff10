import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startEmbedded } from '../../embedded/server.ts'
import { onServer } from '../../testing/cluster.ts'
import type { Database } from '../database.ts'
import { openDatabase } from '../database.ts'
import { migrate } from '../migrate.ts'
import { dropKept } from './kept.ts'
import { chooseMover } from './mover.ts'
import { findPlace } from './place.ts'
import type { MoveStep } from './steps.ts'
import { MOVE_STEPS } from './steps.ts'
import type { MoveEnds, MoveReport } from './types.ts'

// Two servers of their own, whose numbers lie far apart. Nodes write while a group is moved, and know the place alone at
// which they were opened.

const SETTINGS = { fsync: 'off', autovacuum: 'off', shared_buffers: '64MB', wal_level: 'logical' } as const
const PATIENT_MS = 600_000

type Server = { readonly connection: pg.ClientConfig; close(): Promise<void> }

const servers: Server[] = []
const opened: Database[] = []

async function startServer(): Promise<Server> {
  const dataDir = await mkdtemp(join(tmpdir(), 'warung-move-'))
  const server = await startEmbedded({ dataDir, settings: SETTINGS })
  return {
    connection: server.connection,
    async close() {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

beforeAll(async () => {
  servers.push(...(await Promise.all([startServer(), startServer()])))
}, PATIENT_MS)

afterAll(async () => {
  for (const each of opened) await each.close()
  for (const server of servers) await server.close()
})

function urlOf({ host, port, user, password, database }: pg.ClientConfig): string {
  return `postgres://${user}:${encodeURIComponent(String(password))}@localhost:${port}/${database}?host=${encodeURIComponent(String(host))}`
}

/** Makes a database of its own at a server, and returns its address. */
async function makePlace(server: Server | undefined, name: string): Promise<string> {
  if (server === undefined) throw new Error('the servers run')
  await onServer({ ...server.connection, database: 'postgres' }, (client) =>
    client.query(`create database ${name}`),
  )
  return urlOf({ ...server.connection, database: name })
}

function open(address: string, group: string, node = false): Database {
  const database = openDatabase({
    connection: { connectionString: address },
    schema: group,
    connectionsMax: 4,
    applicationName: 'test',
    statementMs: 60_000,
    ...(node && { openAddress: async (sealed: Buffer) => sealed.toString('utf8') }),
  })
  opened.push(database)
  return database
}

class Killed extends Error {}

/** A group at one place that is to be moved to another. */
async function prepare(group: string, from = servers[0], to = servers[1]) {
  const source = await makePlace(from, `${group}_from`)
  const target = await makePlace(to, `${group}_to`)
  const older = open(source, group)
  await migrate(older)
  await older.query("select setval('payment_numbers', 281474976710656)")
  await older.query(
    "insert into group_move_steps select 900000, 'kept ' || n from generate_series(1, 5000) n",
  )
  const listed: string[] = []
  const endsOf = (reached: MoveEnds['reached'], address = target): MoveEnds => ({
    group,
    source: open(source, group),
    target: open(address, group),
    connections: { source: { connectionString: source }, target: { connectionString: address } },
    labels: { source: `from/${group}`, target: `to/${new URL(address).pathname}` },
    sealed: Buffer.from(address, 'utf8'),
    isEmpty: async () => true,
    list: async () => void listed.push(address),
    note: () => {},
    reached,
  })
  return {
    source,
    target,
    listed,
    endsOf,
    async move(endAt?: MoveStep): Promise<MoveReport> {
      const ends = endsOf((step) => {
        if (step === endAt) throw new Killed(step)
      })
      return (await chooseMover(ends)).move(ends)
    },
    async abort(): Promise<void> {
      const ends = endsOf(() => {})
      await (await chooseMover(ends)).abort(ends)
    },
  }
}

type Moving = Awaited<ReturnType<typeof prepare>>

/** Writes without a pause through nodes that know the older place alone; each acknowledged write is counted. */
function startWriting(moving: Moving, group: string) {
  const nodes = [open(moving.source, group, true), open(moving.source, group, true)]
  const acknowledged: string[] = []
  const failures: unknown[] = []
  let slowestMs = 0
  let stopped = false
  const writers = nodes.map(async (node, index) => {
    for (let n = 0; !stopped && failures.length < 100; n += 1) {
      const step = `${index} ${n}`
      const startedMs = performance.now()
      try {
        await node.query('insert into group_move_steps (move, step) values (800000, $1)', [step])
        acknowledged.push(step)
      } catch (error) {
        failures.push(error)
      }
      slowestMs = Math.max(slowestMs, performance.now() - startedMs)
    }
  })
  return {
    nodes,
    async stop() {
      stopped = true
      await Promise.all(writers)
      return { acknowledged, failures, slowestMs }
    },
  }
}

async function writtenAt(address: string, group: string): Promise<string[]> {
  const { rows } = await open(address, group).query<{ step: string }>(
    'select step from group_move_steps where move = 800000',
  )
  return rows.map(({ step }) => step)
}

describe('a group that is moved while nodes write', { timeout: PATIENT_MS }, () => {
  it('loses no acknowledged write, and doubles none', async () => {
    const moving = await prepare('whole')
    const writing = startWriting(moving, 'whole')
    const first = moving.move().finally(writing.stop)
    const runs = await Promise.allSettled([first, moving.move()])
    // A move that is begun twice at once is begun once.
    expect(runs.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { message: 'another command moves this group now' } },
    ])
    const report = runs.flatMap((run) => (run.status === 'fulfilled' ? run.value : []))[0]
    const { acknowledged, failures, slowestMs } = await writing.stop()
    expect(failures).toEqual([])
    expect((await writtenAt(moving.target, 'whole')).sort()).toEqual(acknowledged.sort())
    process.stdout.write(
      `held ${report?.heldMs} ms, slowest write ${slowestMs} ms, ${acknowledged.length} writes\n`,
    )
    expect(slowestMs).toBeLessThan(10_000)
    expect(report).toMatchObject({ kept: 'whole_old_1', before: { differ: [] }, after: { differ: [] } })
    expect(moving.listed).toEqual([moving.target])
    const { rows } = await open(moving.target, 'whole').query<{ next: bigint }>(
      "select nextval('payment_numbers') as next",
    )
    expect(rows[0]?.next).toBe(281474976710657n)
  })
  it('is moved once and whole although its command ends after each of its steps', async () => {
    const moving = await prepare('killed')
    const writing = startWriting(moving, 'killed')
    try {
      for (const step of MOVE_STEPS) await expect(moving.move(step), step).rejects.toThrow(step)
      await expect(moving.move()).resolves.toMatchObject({ kept: 'killed_old_1' })
    } finally {
      await writing.stop()
    }
    const { acknowledged, failures } = await writing.stop()
    expect(failures).toEqual([])
    expect((await writtenAt(moving.target, 'killed')).sort()).toEqual(acknowledged.sort())
    expect(await findPlace(open(moving.target, 'killed'))).toMatchObject({ state: 'serving', epoch: 2n })
    await expect(moving.abort()).rejects.toThrow('cannot be undone')
    expect(await dropKept(open(moving.source, 'killed'), 'killed')).toEqual(['killed_old_1'])
    // The mark stays: a node that starts with an old file is led on.
    const late = open(moving.source, 'killed', true)
    await late.whereabouts.follow()
    expect((await late.query('select from group_move_steps limit 1')).rows).toHaveLength(1)
  })

  it('is undone after each step before the last one, and serves on as if nothing had been', async () => {
    const moving = await prepare('undone')
    const writing = startWriting(moving, 'undone')
    try {
      for (const step of MOVE_STEPS.slice(0, MOVE_STEPS.indexOf('fenced'))) {
        await expect(moving.move(step), step).rejects.toThrow(step)
        await moving.abort()
        const { rows } = await open(moving.target, 'undone').query(
          `select from pg_namespace where nspname = 'undone' union all select from pg_subscription`,
        )
        expect(rows, step).toHaveLength(0)
      }
    } finally {
      await writing.stop()
    }
    const { acknowledged, failures } = await writing.stop()
    expect(failures).toEqual([])
    expect((await writtenAt(moving.source, 'undone')).sort()).toEqual(acknowledged.sort())
    const { rows } = await open(moving.source, 'undone').query(
      `select from pg_trigger where tgname = 'group_gate' and tgrelid in
         (select oid from pg_class where relnamespace = current_schema()::regnamespace)
       union all select from pg_replication_slots where database = current_database()
       union all select from pg_publication`,
    )
    expect(rows).toHaveLength(0)
  })

  it('comes back to the server that it left, and moves between databases of one server', async () => {
    const moving = await prepare('back', servers[0], servers[0])
    const first = await moving.move()
    expect(first).toMatchObject({ before: { differ: [] }, after: { differ: [] } })
    const back = moving.endsOf(() => {}, moving.source)
    const ends = {
      ...back,
      source: open(moving.target, 'back'),
      connections: { source: { connectionString: moving.target }, target: back.connections.target },
      labels: { source: back.labels.target, target: back.labels.source },
    }
    expect(await (await chooseMover(ends)).move(ends)).toMatchObject({ kept: 'back_old_2' })
    const node = open(moving.target, 'back', true)
    await node.whereabouts.follow()
    expect(await findPlace(node)).toMatchObject({ state: 'serving', epoch: 3n })
  })
})
