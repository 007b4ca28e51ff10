import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Queryable } from '../../../db/database.ts'
import type { DeliveringBench } from '../../../testing/events/delivering.ts'
import { openDeliveringBench } from '../../../testing/events/delivering.ts'
import { untilWaiting } from '../../../testing/payments/payments.ts'
import { endDeliveries, listDue, recordResults } from './deliveries.sql.ts'
import type { DueDelivery, Result } from './deliveries.types.ts'
import { resultOf } from './due.service.ts'

const URL = 'https://shop.example/hook'

let bench: DeliveringBench
let resellerId: bigint

beforeEach(async () => {
  bench = await openDeliveringBench()
  resellerId = await bench.newReseller()
  await bench.sequence()
  await bench.putEndpoint(resellerId, 'balance', URL)
})
afterEach(() => bench.close())

function readDue(rowsMax: number): Promise<DueDelivery[]> {
  return listDue(bench.database, [{ resellerId, stream: 'balance' }], [rowsMax])
}

function resultFor(delivery: DueDelivery, outcome: 'success' | 'retry' = 'success'): Result {
  const status = outcome === 'success' ? 200 : 500
  const error = outcome === 'success' ? '' : 'The receiver answered 500'
  const attempt = { at: new Date(), ms: 12, status, sealedResponse: null, url: URL, method: 'POST' } as const
  return resultOf(delivery, { outcome, error, attempt })
}

/** Rows of deliveries, and entries of their indexes, that are looked at in this transaction. */
async function looksOf(connection: Queryable, work: () => Promise<unknown>): Promise<number> {
  const read = async () => {
    const { rows } = await connection.query<{ looks: number }>(
      `select sum(pg_stat_get_xact_tuples_fetched(oid) + pg_stat_get_xact_tuples_returned(oid))::integer as looks
         from pg_class
        where relname = 'deliveries'
           or oid in (select indexrelid from pg_index where indrelid = 'deliveries'::regclass)`,
    )
    return rows[0]?.looks ?? 0
  }
  const before = await read()
  await work()
  return (await read()) - before
}

describe('reading what is due, and writing down what came of it', () => {
  it('looks at those alone, however many the account has, even with plans that were made when it had none', async () => {
    await bench.queueBalance(resellerId, 1)
    await bench.database.withConnection(async (connection) => {
      const read = (rowsMax: number) => listDue(connection, [{ resellerId, stream: 'balance' }], [rowsMax])
      const write = (due: readonly DueDelivery[]) =>
        recordResults(
          connection,
          due.map((each) => resultFor(each)),
        )
      await write(await read(1))
      await bench.queueBalance(resellerId, 2_000)
      await connection.query('begin')
      let due: DueDelivery[] = []
      const looks = await looksOf(connection, async () => {
        due = await read(10)
      })
      expect(due).toHaveLength(10)
      expect(looks).toBeLessThan(100)
      expect(await looksOf(connection, () => write(due))).toBeLessThan(100)
      await connection.query('commit')
    })
  })

  it('replaces most rows where they are, so that no index is written', async () => {
    await bench.queueBalance(resellerId, 300)
    const due = await readDue(300)
    await bench.database.transaction(async (tx) => {
      await recordResults(
        tx,
        due.map((each) => resultFor(each)),
      )
      const { rows } = await tx.query<{ share: number }>(
        `select n_tup_hot_upd::float8 / n_tup_upd as share from pg_stat_xact_user_tables where relname = 'deliveries'`,
      )
      expect(rows[0]?.share).toBeGreaterThan(0.5)
    })
  })

  it('counts what another node wrote down at the same moment', async () => {
    await bench.queueBalance(resellerId, 1)
    const [delivery] = await readDue(1)
    if (delivery === undefined) throw new Error('nothing is due')
    let second: ReturnType<typeof recordResults> | undefined
    await bench.database.transaction(async (tx) => {
      expect(await recordResults(tx, [resultFor(delivery, 'retry')])).toEqual(['pending'])
      second = recordResults(bench.openAnother(), [resultFor(delivery)])
      await untilWaiting(bench.database, 'record_deliveries', 1)
    })
    expect(await second).toEqual(['success'])
    const [row] = await bench.deliveriesOf(resellerId)
    expect(row?.attempts.map(({ status }) => status)).toEqual([500, 200])
  })
})

it('the log keeps the order of the feed, however many deliveries are made at once', async () => {
  await bench.queueBalance(resellerId, 5_000)
  const rows = await bench.deliveriesOf(resellerId)
  const sequences = rows.map((row) => Number(row.event_id.split('_').at(-1)))
  expect(sequences).toEqual(sequences.toSorted((a, b) => a - b))
})

describe('deliveries of a receiver that is closed', () => {
  const end = (except: readonly string[] = [], rowsMax = 100) =>
    endDeliveries(bench.database, { resellerId, stream: 'balance' }, except, rowsMax)
  const setEndpoint = (change: string) =>
    bench.database.query(`update event_endpoints set ${change} where reseller_id = $1`, [resellerId])
  const remove = () =>
    bench.database.query('delete from event_endpoints where reseller_id = $1', [resellerId])
  const told = async () => {
    const { rows } = await bench.database.query<{ data: { eventId: string; error: string } }>(
      `select data from event_facts where type = 'delivery.failed' order by id`,
    )
    return rows.map(({ data }) => data)
  }

  it('end oldest first and many in one commit, each is told once, and those under way are left', async () => {
    await bench.queueBalance(resellerId, 40)
    const underway = (await readDue(3)).map(({ id }) => id)
    await remove()
    expect(await end(underway, 30)).toBe(30)
    const rows = await bench.deliveriesOf(resellerId)
    const states = rows.map(({ id, status, error }) =>
      underway.includes(id) ? 'under way' : `${status} ${error}`,
    )
    expect(states).toEqual([
      ...Array(3).fill('under way'),
      ...Array(30).fill('failed The endpoint was removed'),
      ...Array(7).fill('pending '),
    ])
    expect((await told()).map(({ eventId }) => eventId)).toEqual(rows.slice(3, 33).map((row) => row.event_id))
    expect((await readDue(100)).map(({ id }) => id)).toEqual([
      ...underway,
      ...rows.slice(33).map(({ id }) => id),
    ])
    expect([await end(underway), await end(underway)]).toEqual([7, 0])
  })

  it('end when it is disabled or paused, and never while it is open', async () => {
    await bench.queueBalance(resellerId, 3)
    expect(await end()).toBe(0)
    await setEndpoint('paused_at = now()')
    expect(await end([], 1)).toBe(1)
    await setEndpoint('is_enabled = false')
    expect(await end()).toBe(2)
    expect((await told()).map(({ error }) => error)).toEqual([
      'The endpoint is paused',
      'The endpoint is disabled',
      'The endpoint is disabled',
    ])
  })

  it('a test is kept for a paused receiver, and ends without an event when the receiver is removed', async () => {
    await bench.queueBalance(resellerId, 1)
    await bench.database.query(`update deliveries set source = 'test' where reseller_id = $1`, [resellerId])
    await setEndpoint('paused_at = now()')
    expect(await end()).toBe(0)
    await remove()
    expect(await end()).toBe(1)
    expect(await told()).toEqual([])
  })

  const countWork = async () => {
    const { rows } = await bench.database.query<{ count: number }>(
      'select count(*)::integer as count from delivery_work where reseller_id = $1',
      [resellerId],
    )
    return rows[0]?.count
  }

  it('leave no work behind when another node records a result at the same moment', async () => {
    await bench.queueBalance(resellerId, 2)
    const [delivery] = await readDue(1)
    if (delivery === undefined) throw new Error('nothing is due')
    await setEndpoint('is_enabled = false')
    let ended: Promise<number> | undefined
    await bench.database.transaction(async (tx) => {
      expect(await recordResults(tx, [resultFor(delivery, 'retry')])).toEqual(['pending'])
      ended = endDeliveries(bench.openAnother(), { resellerId, stream: 'balance' }, [], 100)
      await untilWaiting(bench.database, 'end_deliveries', 1)
    })
    expect(await ended).toBe(2)
    expect((await bench.deliveriesOf(resellerId)).map(({ status }) => status)).toEqual(['failed', 'failed'])
    expect(await countWork()).toBe(0)
  })

  it('end for good: one that is sent once more takes its work with it, and not that of others', async () => {
    await bench.queueBalance(resellerId, 2)
    const [first, second] = await readDue(2)
    if (first === undefined || second === undefined) throw new Error('too few are due')
    await bench.database.query(
      `update deliveries set status = 'failed', completed_at = now() where reseller_id = $1 and id = $2`,
      [resellerId, first.id],
    )
    const retry = resultFor(second, 'retry')
    expect(await recordResults(bench.database, [retry])).toEqual(['pending'])
    // The second result is recorded again: that delivery is tried again, and keeps its work.
    expect(await recordResults(bench.database, [resultFor(first), retry])).toEqual([null, null])
    const { rows } = await bench.database.query('select delivery_id as id from delivery_work')
    expect(rows).toEqual([{ id: second.id }])
  })

  it('wait while the sequencer has many facts before it: events of others come first', async () => {
    await bench.queueBalance(resellerId, 1)
    await remove()
    await bench.database.query(
      `select append_facts('own', array[$1::bigint], array[0::bigint], null, null, null, null, 'balance.low',
                           '{"threshold": 10000, "balance": 5000}', now())
         from generate_series(1, 200)`,
      [resellerId],
    )
    expect(await end()).toBe(0)
    await bench.sequence()
    expect(await end()).toBe(1)
  })
})
