import type { Queryable } from '../../../db/database.ts'
import type { EndpointMethod } from '../endpoints/endpoints.types.ts'
import { eventTypeOf } from '../messages/refs.rules.ts'
import type { RefRow } from '../messages/refs.sql.ts'
import { REF_COLUMNS, refOfRow } from '../messages/refs.sql.ts'
import type { Stream } from '../types.ts'
import type { Attempt, Delivery, LogFilter, LogStatus } from './log.types.ts'

type DeliveryRow = RefRow & {
  stream: Stream
  id: string
  status: LogStatus
  error: string
  attempts_made: number
  response_status: number
  sealed_response: Buffer | null
  url: string
  method: EndpointMethod
  original_id: string | null
  replays: number
  created_at: Date
  completed_at: Date | null
}

const COLUMNS = `${REF_COLUMNS.map((name) => `d.${name}`).join(', ')}, d.stream, d.id, d.status, d.error,
  d.attempts_made, d.response_status, d.sealed_response, d.url, d.method, d.original_id, d.created_at, d.completed_at,
  (select max(r.replay_number) from deliveries r
    where r.reseller_id = d.reseller_id and r.event_id = d.event_id and r.stream = d.stream) as replays`

function toDelivery(row: DeliveryRow): Delivery {
  return {
    stream: row.stream,
    id: row.id,
    ref: refOfRow(row),
    eventType: eventTypeOf(refOfRow(row)),
    status: row.status,
    error: row.error,
    attemptsMade: row.attempts_made,
    responseStatus: row.response_status,
    sealedResponse: row.sealed_response,
    url: row.url,
    method: row.method,
    originalId: row.original_id,
    replays: row.replays,
    createdAt: row.created_at,
    completedAt: row.completed_at,
  }
}

/** The log of one account and stream. */
export type LogKey = { readonly resellerId: bigint; readonly stream: Stream }

// The primary key is the order of the log, and ids begin with their millisecond, so a range of time is a range of ids.
// Rows are limited to the page first; other columns of the page (replays) are read only for these rows.
const RANGE = 'd.reseller_id = $1 and d.stream = $2 and d.id < $3 and d.id >= $4'
const PAGE = 'order by d.id desc limit $5'

const page = (name: string, source: string) => ({
  name: `log_page_${name}`,
  text: `select ${COLUMNS} from (${source}) d order by d.id desc`,
})

const PAGES = {
  // The conditions repeat those of partial indexes, so that the planner uses them.
  success: page(
    'success',
    `select * from deliveries d where ${RANGE} and d.status = 'success' and d.error = '' ${PAGE}`,
  ),
  failed: page(
    'failed',
    `select * from deliveries d where ${RANGE} and d.status = 'failed' and d.error <> '' ${PAGE}`,
  ),
  ended: page(
    'ended',
    `select * from deliveries d where ${RANGE} and d.status in ('success', 'failed') ${PAGE}`,
  ),
  // Pending rows are few among many, so they are found through the work table.
  pending: page(
    'pending',
    `select d.* from (select w.delivery_id from delivery_work w
                       where w.reseller_id = $1 and w.stream = $2 and w.delivery_id < $3 and w.delivery_id >= $4
                       order by w.delivery_id desc limit $5) w
      cross join lateral (select * from deliveries d
                           where d.reseller_id = $1 and d.stream = $2 and d.id = w.delivery_id offset 0) d
      where d.status = 'pending'`,
  ),
}

// U+10FFFF is the last character: every id with this prefix sorts before the prefix followed by it.
const HAS_PREFIX = `d.event_id >= $6 and d.event_id < $6 || U&'\\+10FFFF'`

const searched = (name: string, source: string) => ({
  name: `log_search_${name}`,
  text: `select ${COLUMNS} from (${source}) d where ${RANGE} and d.status = any ($7) ${PAGE}`,
})

// `offset 0` keeps the planner on the index of event ids: the primary key would mean a scan of the whole log.
const SEARCHES = {
  whole: searched(
    'whole',
    'select * from deliveries d where d.reseller_id = $1 and d.event_id = $6 offset 0',
  ),
  few: searched('few', `select * from deliveries d where d.reseller_id = $1 and ${HAS_PREFIX} offset 0`),
  // A scan in the order of the log soon finds a page of so many matches. starts_with hides the index from the planner.
  many: searched('many', 'select * from deliveries d where starts_with(d.event_id, $6)'),
}

/** Most matches that are read and sorted. */
const FEW_MAX = 1_000

const CHOOSE_SEARCH = {
  name: 'log_weigh',
  text: `select case
           when exists (select from deliveries d where d.reseller_id = $1 and d.event_id = $2) then 'whole'
           when (select count(*) from (select from deliveries d
                                        where d.reseller_id = $1 and ${HAS_PREFIX.replaceAll('$6', '$2')}
                                        limit $3 + 1) found) <= $3 then 'few'
           else 'many' end as kind`,
}

/** Chooses how to search. A whole id finds its event only, although ids of later events may begin with it. */
async function chooseSearch(
  connection: Queryable,
  resellerId: bigint,
  text: string,
): Promise<keyof typeof SEARCHES> {
  const { rows } = await connection.query<{ kind: keyof typeof SEARCHES }>(CHOOSE_SEARCH, [
    resellerId,
    text,
    FEW_MAX,
  ])
  return rows[0]?.kind ?? 'whole'
}

const ID_MIN = '00000000-0000-0000-0000-000000000000'
const ID_MAX = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Lists deliveries, newest first. */
export async function listDeliveries(
  connection: Queryable,
  { resellerId, stream }: LogKey,
  filter: LogFilter,
): Promise<Delivery[]> {
  const values = [resellerId, stream, endOf(filter), startOf(filter), filter.limit]
  const { search } = filter
  const { rows } =
    search === null
      ? await connection.query<DeliveryRow>(PAGES[pageOf(filter.statuses)], values)
      : await connection.query<DeliveryRow>(SEARCHES[await chooseSearch(connection, resellerId, search)], [
          ...values,
          search,
          filter.statuses,
        ])
  return rows.map(toDelivery)
}

function pageOf(statuses: readonly LogStatus[]): keyof typeof PAGES {
  const [first, ...more] = statuses
  return first === undefined || more.length > 0 ? 'ended' : first
}

/** First id after the range. */
function endOf({ before, toMs }: LogFilter): string {
  const end = toMs === null ? ID_MAX : firstIdOf(toMs + 1)
  return before !== null && before < end ? before : end
}

function startOf({ fromMs }: LogFilter): string {
  return fromMs === null ? ID_MIN : firstIdOf(fromMs)
}

/** Smallest id that a delivery of this millisecond can have. */
export function firstIdOf(ms: number): string {
  const digits = Math.max(0, ms).toString(16).padStart(12, '0')
  return digits.length > 12 ? ID_MAX : `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`
}

const FIND = {
  name: 'log_find',
  text: `select ${COLUMNS} from deliveries d
          where d.reseller_id = $1 and d.stream = $2 and d.id = $3 and d.status <> 'superseded'`,
}

export async function findDelivery(
  connection: Queryable,
  { resellerId, stream }: LogKey,
  id: string,
): Promise<Delivery | undefined> {
  const { rows } = await connection.query<DeliveryRow>(FIND, [resellerId, stream, id])
  return rows[0] && toDelivery(rows[0])
}

type KeptAttempt = { at: string; ms: number; status: number; error: string }

export async function findAttempts(
  connection: Queryable,
  { resellerId, stream }: LogKey,
  id: string,
): Promise<Attempt[] | undefined> {
  const { rows } = await connection.query<{ attempts: KeptAttempt[] }>(
    `select d.attempts from deliveries d
      where d.reseller_id = $1 and d.stream = $2 and d.id = $3 and d.status <> 'superseded'`,
    [resellerId, stream, id],
  )
  return rows[0]?.attempts.map(({ at, ms, status, error }) => ({
    at: new Date(at),
    durationMs: ms,
    responseStatus: status,
    error,
  }))
}
