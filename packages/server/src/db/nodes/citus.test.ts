import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { generateMasterKey } from '../../lib/secrets/sealing.ts'
import type { PaymentsBench } from '../../testing/payments/payments.ts'
import {
  commandFor,
  expectSoundMoney,
  openPaymentsBench,
  payWith,
  takeTogether,
  verdictsOf,
} from '../../testing/payments/payments.ts'
import type { Database } from '../database.ts'
import { openDatabase } from '../database.ts'
import { migrate, pendingMigrations, readMigrations } from '../migrate.ts'
import { openVault } from '../vault.ts'
import type { Node } from './citus.ts'
import { addressAt, distributeSchema, findCitusPlace } from './citus.ts'

const ADDRESS = inject('citus')

const SCHEMA = `group_${randomBytes(4).toString('hex')}`
const masterKey = generateMasterKey()
const OUTPUT = { serialNumber: 'SN', pin: '', expiry: '', voucherLink: '', note: '' }
const SUCCEEDED = { kind: 'succeeded', output: OUTPUT } as const
const FAILED = { kind: 'failed', code: 48, reason: 'Rejected' } as const
const PENDING = { kind: 'pending' } as const
const opened: Database[] = []

function open(address: string): Database {
  const connection = { connectionString: address }
  const settings = { schema: SCHEMA, connectionsMax: 10, applicationName: 'test', statementMs: 120_000 }
  opened.push(openDatabase({ connection, ...settings }))
  return opened.at(-1) as Database
}

async function benchAt(node: Node): Promise<PaymentsBench> {
  const url = addressAt(ADDRESS, node)
  const database = open(url)
  const vault = await openVault(database, [masterKey])
  const connection = { connectionString: url }
  return openPaymentsBench({
    ...{ database, vault, masterKey, connection, url },
    openAnother: () => open(url),
    close: async () => {},
  })
}

async function nodeOf(database: Database): Promise<Node> {
  const place = await findCitusPlace(database)
  if (typeof place === 'string') throw new Error(place)
  return place
}

async function find<T>(database: Database, text: string, values: unknown[] = []): Promise<T | undefined> {
  const { rows } = await database.query<{ found: T }>(text, values)
  return rows[0]?.found
}

const INVENTORY = `
  select array_agg(what order by what) as found from (
    select 'function ' || oid::regprocedure::text || coalesce(proconfig::text, '') as what from pg_proc
     where pronamespace = current_schema()::regnamespace
    union all
    select 'sequence ' || relname from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'S') all_of_it`

describe.runIf(ADDRESS !== '')('a group on a cluster of Citus with two workers', () => {
  let coordinator: Database
  let node: Node
  beforeAll(async () => {
    coordinator = open(ADDRESS)
    await migrate(coordinator)
    expect(await findCitusPlace(coordinator)).toBe('undistributed')
    await coordinator.withConnection(distributeSchema)
    node = await nodeOf(coordinator)
  })
  afterAll(async () => {
    await coordinator.query(`drop schema ${SCHEMA} cascade`)
    for (const database of opened) await database.close()
  })

  it('lies on one worker, which has its functions and sequences, and no generic plan', async () => {
    const own = open(addressAt(ADDRESS, node))
    expect(await nodeOf(own)).toEqual(node)
    expect(await pendingMigrations(own)).toEqual([])
    const inventory = await find<string[]>(coordinator, INVENTORY)
    expect(await find(own, INVENTORY)).toEqual(inventory)
    expect(inventory?.filter((what) => what.includes('force_generic_plan'))).toEqual([])
    await coordinator.withConnection(distributeSchema)
    expect(await nodeOf(coordinator)).toEqual(node)
  })

  it('takes, ends and refunds payments on its worker, and numbers their events', async () => {
    const bench = await benchAt(node)
    const [first, second] = [await bench.newReseller(100_000n), await bench.newReseller(100_000n)]
    const own = bench.openNode()
    const commands = [first, second, first, second].map((id) => commandFor(id))
    const results = await takeTogether(own, [...commands, commandFor(first, { cost: 900_000n })])
    expect(verdictsOf(results).slice(0, 4)).toEqual(['created', 'created', 'created', 'created'])
    expect(verdictsOf(results)[4]).toBe('insufficient')
    expect(verdictsOf(await takeTogether(own, commands))).not.toContain('absent')
    const paid = await payWith(own, first)
    const created = results.flatMap((result) => (result.verdict === 'created' ? [result.payment] : []))
    for (const [index, { resellerId, id }] of created.entries()) {
      const outcome = index === 0 ? FAILED : SUCCEEDED
      expect(await own.resolver.submit({ resellerId, id, outcome, nextMs: 0, attempt: 1 })).toBe(true)
    }
    await own.resolver.submit({ resellerId: first, id: paid.id, outcome: PENDING, nextMs: 1_000, attempt: 1 })
    expect(await bench.balanceOf(first)).toBe(80_000n)
    expect(await find(bench.database, 'select facts as found from sequence_facts(1000)')).toBeGreaterThan(0)
    await expectSoundMoney(bench.database)
  })

  it('gets a later migration of several changes from the coordinator', async () => {
    const text = 'create table extra (id bigint primary key);\nalter table extra add column at timestamptz;'
    const known = await readMigrations()
    const migration = { number: known.length + 1, name: 'extra', text, checksum: 'x' }
    expect(await migrate(coordinator, [...known, migration])).toEqual([migration])
    await open(addressAt(ADDRESS, node)).query('insert into extra (id, at) values (1, now())')
  })

  it('moves to the other worker under payments: all that were acknowledged are there, once', async () => {
    const bench = await benchAt(node)
    const reseller = await bench.newReseller(100_000_000n)
    const target = await find<number>(
      coordinator,
      `select nodeport as found from pg_dist_node where groupid <> 0 and isactive and shouldhaveshards
          and (nodename, nodeport) <> ($1, $2) limit 1`,
      [node.host, node.port],
    )
    const own = bench.openNode()
    const acknowledged: string[] = []
    let isMoved = false
    const paying = (async () => {
      while (!isMoved) {
        const commands = Array.from({ length: 8 }, () => commandFor(reseller))
        const verdicts = verdictsOf(await takeTogether(own, commands))
        for (const [index, command] of commands.entries())
          if (verdicts[index] === 'created') acknowledged.push(command.request.refid)
      }
    })()
    // A move takes longer than any statement of ours may.
    const client = new pg.Client({ connectionString: ADDRESS })
    await client.connect()
    await client.query(`select citus_schema_move($1::regnamespace, $2::text, $3::integer)`, [
      SCHEMA,
      node.host,
      target,
    ])
    await client.end()
    isMoved = true
    await paying
    const there = await benchAt(await nodeOf(coordinator))
    expect((await nodeOf(coordinator)).port).toBe(target)
    const refids = await there.refidsOf(reseller)
    expect(new Set(refids).size).toBe(refids.length)
    expect(acknowledged.filter((refid) => !refids.includes(refid))).toEqual([])
    await payWith(there.openNode(), reseller)
    await expectSoundMoney(there.database)
  })
})
