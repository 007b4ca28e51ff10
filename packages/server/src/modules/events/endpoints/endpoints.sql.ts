import type { Queryable } from '../../../db/database.ts'
import type { BalanceEventType, Stream } from '../types.ts'
import type { Endpoint, EndpointMethod, EndpointStatus } from './endpoints.types.ts'

type EndpointRow = {
  reseller_id: bigint
  stream: Stream
  url: string
  method: EndpointMethod
  is_enabled: boolean
  types: BalanceEventType[]
  secret_last_four: string
  secret_created_at: Date
  failing_since: Date | null
  paused_at: Date | null
  last_success_at: Date | null
  created_at: Date
  updated_at: Date
}

const COLUMNS = `e.reseller_id, e.stream, e.url, e.method, e.is_enabled, e.types, e.secret_last_four,
  e.secret_created_at, e.failing_since, e.paused_at, e.last_success_at, e.created_at, e.updated_at`

function toEndpoint(row: EndpointRow): Endpoint {
  return {
    resellerId: row.reseller_id,
    stream: row.stream,
    url: row.url,
    method: row.method,
    isEnabled: row.is_enabled,
    types: row.types,
    secretLastFour: row.secret_last_four,
    secretCreatedAt: row.secret_created_at,
    failingSince: row.failing_since,
    pausedAt: row.paused_at,
    lastSuccessAt: row.last_success_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** Key of an endpoint: an account has one per stream. */
export type EndpointKey = { readonly resellerId: bigint; readonly stream: Stream }

const FIND = {
  name: 'endpoints_find',
  text: `select ${COLUMNS} from event_endpoints e where e.reseller_id = $1 and e.stream = $2`,
}

export async function findEndpoint(
  connection: Queryable,
  { resellerId, stream }: EndpointKey,
): Promise<Endpoint | undefined> {
  const { rows } = await connection.query<EndpointRow>(FIND, [resellerId, stream])
  return rows[0] && toEndpoint(rows[0])
}

export type NewSecret = { readonly sealed: Buffer; readonly lastFour: string }

// Several callers may put the first URL at once: one inserts the row and the others update it. The row is new for the
// caller whose secret it holds.
const PUT = {
  name: 'endpoints_put',
  text: `insert into event_endpoints as e (reseller_id, stream, url, method, is_enabled, types, sealed_secret,
                                            secret_last_four, secret_created_at, created_at, updated_at)
         values ($1, $2, $3, $4, true, $5, $6, $7, statement_timestamp(), statement_timestamp(),
                 statement_timestamp())
         on conflict (reseller_id, stream) do update
            set url = excluded.url, method = excluded.method, paused_at = null,
                updated_at = excluded.updated_at,
                failing_since = case when e.url = excluded.url and e.paused_at is null then e.failing_since end,
                last_success_at = case when e.url = excluded.url then e.last_success_at end
         returning ${COLUMNS}, e.sealed_secret = $6 as is_new`,
}

export type PutEndpoint = {
  readonly url: string
  readonly method: EndpointMethod
  /** Types of a new endpoint. */
  readonly types: readonly BalanceEventType[]
  readonly secret: NewSecret
}

/**
 * Makes or changes an endpoint. An existing one keeps its secret, its types and its switch. A put of the same URL does
 * not reset `failing_since`: an owner who repeats it every hour would otherwise never be paused. Another URL has taken
 * nothing yet.
 */
export async function putEndpoint(
  connection: Queryable,
  { resellerId, stream }: EndpointKey,
  { url, method, types, secret }: PutEndpoint,
): Promise<{ endpoint: Endpoint; isNew: boolean }> {
  const values = [resellerId, stream, url, method, types, secret.sealed, secret.lastFour]
  const { rows } = await connection.query<EndpointRow & { is_new: boolean }>(PUT, values)
  const [row] = rows
  if (row === undefined) throw new Error('an upsert gave no row')
  return { endpoint: toEndpoint(row), isNew: row.is_new }
}

/** Switches an endpoint on or off. Switching it on also resumes it: the owner says that it works again. */
export async function updateEnabled(
  connection: Queryable,
  { resellerId, stream }: EndpointKey,
  isEnabled: boolean,
): Promise<Endpoint | undefined> {
  const { rows } = await connection.query<EndpointRow>(
    `update event_endpoints e
        set is_enabled = $3, paused_at = case when not $3 then e.paused_at end,
            failing_since = case when not $3 or (e.is_enabled and e.paused_at is null) then e.failing_since end,
            updated_at = statement_timestamp()
      where e.reseller_id = $1 and e.stream = $2 returning ${COLUMNS}`,
    [resellerId, stream, isEnabled],
  )
  return rows[0] && toEndpoint(rows[0])
}

/** Replaces the secret; a grace period of null: the old secret signs nothing from now on. */
export async function updateSecret(
  connection: Queryable,
  { resellerId, stream }: EndpointKey,
  secret: NewSecret,
  graceSeconds: number | null,
): Promise<Endpoint | undefined> {
  const { rows } = await connection.query<EndpointRow>(
    `update event_endpoints e
        set sealed_previous_secret = case when $5::integer is not null then e.sealed_secret end,
            previous_secret_until = statement_timestamp() + make_interval(secs => $5::integer),
            sealed_secret = $3, secret_last_four = $4, secret_created_at = statement_timestamp(),
            paused_at = null, failing_since = null, updated_at = statement_timestamp()
      where e.reseller_id = $1 and e.stream = $2 returning ${COLUMNS}`,
    [resellerId, stream, secret.sealed, secret.lastFour, graceSeconds],
  )
  return rows[0] && toEndpoint(rows[0])
}

export async function updateTypes(
  connection: Queryable,
  { resellerId, stream }: EndpointKey,
  types: readonly BalanceEventType[],
): Promise<Endpoint | undefined> {
  const { rows } = await connection.query<EndpointRow>(
    `update event_endpoints e set types = $3, updated_at = statement_timestamp()
      where e.reseller_id = $1 and e.stream = $2 returning ${COLUMNS}`,
    [resellerId, stream, types],
  )
  return rows[0] && toEndpoint(rows[0])
}

export async function deleteEndpoint(
  connection: Queryable,
  { resellerId, stream }: EndpointKey,
): Promise<void> {
  await connection.query('delete from event_endpoints where reseller_id = $1 and stream = $2', [
    resellerId,
    stream,
  ])
}

/** Bounds the cost of counting; above this number the exact figure is of no use. */
const PENDING_MAX = 100_000

type StatusRow = {
  is_enabled: boolean | null
  failing_since: Date | null
  paused_at: Date | null
  last_success_at: Date | null
  pending: number
}

export async function findStatus(
  connection: Queryable,
  { resellerId, stream }: EndpointKey,
): Promise<EndpointStatus> {
  const { rows } = await connection.query<StatusRow>(
    `select e.is_enabled, e.failing_since, e.paused_at, e.last_success_at, w.pending
       from (select count(*)::integer as pending
               from (select from delivery_work where reseller_id = $1 and stream = $2 limit $3) counted) w
       left join event_endpoints e on e.reseller_id = $1 and e.stream = $2`,
    [resellerId, stream, PENDING_MAX],
  )
  const [row] = rows
  if (row === undefined) throw new Error('a count gave no row')
  return {
    isEnabled: row.is_enabled ?? false,
    failingSince: row.failing_since,
    pausedAt: row.paused_at,
    lastSuccessAt: row.last_success_at,
    pending: row.pending,
  }
}

// ── Lists for operators ──

export const ENDPOINT_STATES = ['failing', 'paused', 'disabled'] as const
export type EndpointState = (typeof ENDPOINT_STATES)[number]

export type EndpointFilter = {
  readonly resellerId: bigint | null
  readonly stream: Stream | null
  readonly state: EndpointState | null
  readonly limit: number
}

const CONDITIONS: Readonly<Record<EndpointState, string>> = {
  failing: 'e.failing_since is not null',
  paused: 'e.paused_at is not null',
  disabled: 'not e.is_enabled',
}

/** Lists endpoints, longest failing first. */
export async function listEndpointRecords(
  connection: Queryable,
  { resellerId, stream, state, limit }: EndpointFilter,
): Promise<Endpoint[]> {
  const { rows } = await connection.query<EndpointRow>(
    `select ${COLUMNS} from event_endpoints e
      where ($1::bigint is null or e.reseller_id = $1) and ($2::text is null or e.stream = $2)
        and ${state === null ? 'true' : CONDITIONS[state]}
      order by e.failing_since nulls last, e.reseller_id, e.stream limit $3`,
    [resellerId, stream, limit],
  )
  return rows.map(toEndpoint)
}
