import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DeliveringBench } from '../../../testing/events/delivering.ts'
import { openDeliveringBench } from '../../../testing/events/delivering.ts'
import { STEADY_CLOCK } from '../../../testing/steady-clock.ts'
import { claimLanes, renewLanes } from './lanes.sql.ts'

let bench: DeliveringBench

beforeAll(async () => {
  bench = await openDeliveringBench()
})
afterAll(() => bench.close())

const LEASE_MS = 3_600_000
const termsOf = (limit: number) => ({
  limit,
  leaseMs: LEASE_MS,
  believedUntil: STEADY_CLOCK.believedUntil(),
})

/** Adds lanes with due work, of resellers that have nothing else. */
async function addLanes(from: number, until: number): Promise<void> {
  await bench.database.query(
    `insert into delivery_lanes (reseller_id, stream, next_at)
     select id, 'callback', now() - interval '1 minute' from generate_series($1::bigint, $2::bigint) as id`,
    [from, until],
  )
}

/** Counts rows of lanes, and entries of their indexes, that one claim looks at. */
async function looksOfClaim(): Promise<number> {
  return bench.database.withConnection(async (connection) => {
    const read = async () => {
      const { rows } = await connection.query<{ looks: number }>(
        `select sum(pg_stat_get_xact_tuples_fetched(oid) + pg_stat_get_xact_tuples_returned(oid))::integer as looks
           from pg_class
          where oid = 'delivery_lanes'::regclass
             or oid in (select indexrelid from pg_index where indrelid = 'delivery_lanes'::regclass)`,
      )
      return rows[0]?.looks ?? 0
    }
    await connection.query('begin')
    const before = await read()
    await claimLanes(connection, randomUUID(), termsOf(8))
    const looks = (await read()) - before
    await connection.query('rollback')
    return looks
  })
}

it('a claim looks at lanes that it may take alone, however many lanes others hold and renew', async () => {
  const [first, last] = [1_000_001, 1_002_000]
  await addLanes(first, last)
  const holder = randomUUID()
  const held = await claimLanes(bench.database, holder, termsOf(last))
  expect(held).toHaveLength(2_000)
  expect(await renewLanes(bench.database, holder, held, LEASE_MS)).toHaveLength(2_000)
  // Versions of the rows that are no longer used are out of the way, as after an ordinary minute.
  await bench.database.query('vacuum delivery_lanes')
  expect(await looksOfClaim()).toBeLessThan(20)
  await addLanes(last + 1, last + 3)
  expect(await claimLanes(bench.database, randomUUID(), termsOf(8))).toHaveLength(3)
})

it('a held lane is found at the end of its lease, although new work does not move it meanwhile', async () => {
  const resellerId = await bench.newReseller()
  await bench.sequence()
  await bench.putEndpoint(resellerId, 'balance', 'https://shop.example/hook')
  await bench.queueBalance(resellerId, 1)
  const claim = async (leaseMs: number) =>
    (await claimLanes(bench.database, randomUUID(), { ...termsOf(8), leaseMs })).filter(
      (lane) => lane.resellerId === resellerId,
    )
  expect(await claim(0)).toHaveLength(1)
  await bench.queueBalance(resellerId, 1)
  expect(await claim(LEASE_MS)).toHaveLength(1)
  await bench.queueBalance(resellerId, 1)
  expect(await claim(LEASE_MS)).toHaveLength(0)
})
