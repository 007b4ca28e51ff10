import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Queryable } from '../../../db/database.ts'
import type { DeliveringBench } from '../../../testing/events/delivering.ts'
import { openDeliveringBench } from '../../../testing/events/delivering.ts'
import { untilWaiting } from '../../../testing/payments/payments.ts'
import { listDue, recordResults } from './deliveries.sql.ts'
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
