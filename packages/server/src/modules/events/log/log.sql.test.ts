import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { countRowsRead } from '../../../testing/payments/plans.ts'
import { listDeliveries } from './log.sql.ts'
import type { LogStatus } from './log.types.ts'

const MANY = 20_000
const FEW = 5

let test: TestDatabase

beforeAll(async () => {
  test = await openTestDatabase()
})

afterAll(() => test.close())

async function fill(resellerId: bigint, count: number, status: LogStatus, daysAgo: number): Promise<void> {
  await test.database.query(
    `insert into deliveries (reseller_id, stream, id, event_id, source, subject, at, status, error, url, method,
                             created_at)
     select $1, 'callback', new_delivery_id(now() - make_interval(days => $4), n), 'evt_' || gen_random_uuid(), 'moved',
            0, now(), $3::text, case when $3::text = 'failed' then 'The receiver answered 500' else '' end,
            'https://shop.example/', 'POST', now() from generate_series(1, $2::integer) n`,
    [resellerId, count, status, daysAgo],
  )
}

function readBy(resellerId: bigint, statuses: readonly LogStatus[]): Promise<number> {
  const filter = { statuses, fromMs: null, toMs: null, search: null, before: null, limit: 50 }
  return countRowsRead(test.database, 'deliveries', (connection) =>
    listDeliveries(connection, { resellerId, stream: 'callback' }, filter),
  )
}

it.each([
  [1n, 'success', 'failed'],
  [2n, 'failed', 'success'],
] as const)(
  'a page of account %d finds the few that are %s behind many that are %s',
  async (resellerId, wanted, others) => {
    await fill(resellerId, FEW, wanted, 2)
    await fill(resellerId, MANY, others, 1)
    await test.database.query('analyze deliveries')
    // Each once, and once more for the replays of its event.
    expect(await readBy(resellerId, [wanted])).toBeLessThanOrEqual(3 * FEW)
  },
)

it('an event is in a log once, and once for each of its replays', async () => {
  const resellerId = 3n
  const insert = (replayNumber: number, stream = 'callback') =>
    test.database.query(
      `insert into deliveries (reseller_id, stream, id, event_id, source, subject, at, status, url, method, created_at,
                               replay_number)
       values ($1, $2, gen_random_uuid(), 'evt_3_1', 'moved', 0, now(), 'pending', '', 'POST', now(), $3)`,
      [resellerId, stream, replayNumber],
    )
  await insert(0)
  await insert(0, 'balance')
  await insert(1)
  await expect(insert(0)).rejects.toThrow('deliveries_event')
  await expect(insert(1)).rejects.toThrow('deliveries_event')
})
