import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../../../packages/server/dist/db/database.js'
import { listDue } from '../../../../packages/server/dist/modules/events/deliveries/deliveries.sql.js'
import type { LaneKey } from '../../../../packages/server/dist/modules/events/deliveries/deliveries.types.js'
import { claimLanes } from '../../../../packages/server/dist/modules/events/deliveries/lanes.sql.js'
import { deleteEndpoint } from '../../../../packages/server/dist/modules/events/endpoints/endpoints.sql.js'
import {
  newSecret,
  sealSecret,
} from '../../../../packages/server/dist/modules/events/endpoints/secrets.service.js'
import type { Runtime } from '../../../../packages/server/dist/runtime.js'
import { countPages, ownCpuSeconds, pagesOf, resetCounts, serverCpuSeconds } from './statistics.ts'

const TERMS = { limit: 8, leaseMs: 15_000, believedUntil: new Date(0) }

/** Counts the pages of one claim, and of one look for due work, while a node holds the lanes of all resellers. */
export async function measureClaims({ database }: Pick<Runtime, 'database'>) {
  await database.query('delete from delivery_lanes')
  await database.query(
    `insert into delivery_lanes (reseller_id, stream, next_at)
     select id, 'callback', clock_timestamp() - interval '1 minute' from resellers`,
  )
  const holder = randomUUID()
  while ((await claimLanes(database, holder, { ...TERMS, limit: 1_000, leaseMs: 3_600_000 })).length > 0);
  await database.query('vacuum analyze delivery_lanes')
  const held = await countPages(database, () => claimLanes(database, randomUUID(), TERMS))
  const { rows: lanes } = await database.query<{ reseller_id: bigint; stream: LaneKey['stream'] }>(
    'select reseller_id, stream from delivery_lanes',
  )
  const keys = lanes.map((lane) => ({ resellerId: lane.reseller_id, stream: lane.stream }))
  const looked = await countPages(database, () => readAll(database, keys))
  await database.query('delete from delivery_lanes')
  return [
    { name: 'claim while all lanes are held', ...held },
    { name: 'look for due work in all held lanes', ...looked },
  ]
}

/** Looks for due work as a node does that holds these lanes, so many lanes in a statement. */
async function readAll(database: Database, lanes: LaneKey[]) {
  for (let from = 0; from < lanes.length; from += 128) {
    const some = lanes.slice(from, from + 128)
    await listDue(
      database,
      some,
      some.map(() => 1),
    )
  }
}

/** Counts what one pending delivery costs when its endpoint is removed. The service must be running. */
export async function measureRemoval(
  { database, vault }: Pick<Runtime, 'database' | 'vault'>,
  resellerId: bigint,
  pending: number,
) {
  await putEndpoint({ database, vault }, resellerId)
  await queue(database, resellerId, pending)
  await resetCounts(database)
  const before = ownCpuSeconds() + (await serverCpuSeconds(database))
  const startedAt = performance.now()
  await deleteEndpoint(database, { resellerId, stream: 'balance' })
  await untilNothingIsPending(database, resellerId)
  const seconds = (performance.now() - startedAt) / 1_000
  const cpu = ownCpuSeconds() + (await serverCpuSeconds(database)) - before
  // The jobs of the service are at work too; only the statements about deliveries and their facts are counted.
  const ended = await pagesOf(database, 'deliver')
  const sequenced = await pagesOf(database, 'sequence_facts')
  const pages = ended.pages + sequenced.pages
  await database.query('delete from deliveries where reseller_id = $1', [resellerId])
  return { pending, pagesEach: pages / pending, cpuUsEach: (cpu / pending) * 1_000_000, seconds }
}

async function putEndpoint({ database, vault }: Pick<Runtime, 'database' | 'vault'>, resellerId: bigint) {
  await database.query(
    `insert into event_endpoints (reseller_id, stream, url, method, is_enabled, types, sealed_secret, secret_last_four,
                                  secret_created_at, created_at, updated_at)
     values ($1, 'balance', 'https://receiver.invalid/', 'POST', true, '{balance.low}', $2, '', now(), now(), now())`,
    [resellerId, sealSecret(vault, resellerId, 'balance', newSecret())],
  )
}

/** Queues deliveries that are due tomorrow, as after an attempt that failed, and makes them due when all are there. */
async function queue(database: Database, resellerId: bigint, pending: number) {
  await database.query(
    `with made as (
       insert into deliveries (reseller_id, stream, id, event_id, source, subject, type, data, at, status, url, method,
                               created_at)
       select $1, 'balance', new_delivery_id(clock_timestamp(), i), event_id($1, 1000000000 + i), 'own', 0, 'balance.low',
              '{"threshold": 1000000, "balance": 995000}', now(), 'pending', 'https://receiver.invalid/', 'POST', now()
         from generate_series(1, $2::integer) as i
       returning id
     )
     insert into delivery_work (reseller_id, stream, next_at, delivery_id)
     select $1, 'balance', now(), id from made`,
    [resellerId, pending],
  )
  await database.query('vacuum analyze deliveries, delivery_work')
  await database.query(
    `insert into delivery_lanes (reseller_id, stream, next_at) values ($1, 'balance', now() + interval '1 day')
     on conflict (reseller_id, stream) do update set next_at = excluded.next_at, holder = null, leased_until = '-infinity'`,
    [resellerId],
  )
}

async function untilNothingIsPending(database: Database, resellerId: bigint) {
  await database.query(
    `update delivery_lanes set next_at = now() where reseller_id = $1 and stream = 'balance'`,
    [resellerId],
  )
  await database.query(`select pg_notify('deliveries', '')`)
  for (;;) {
    const { rows } = await database.query(
      `select from delivery_work where reseller_id = $1 and stream = 'balance' limit 1`,
      [resellerId],
    )
    if (rows.length === 0) return
    await delay(50)
  }
}
