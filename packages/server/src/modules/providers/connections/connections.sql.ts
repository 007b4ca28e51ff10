import type { Queryable, Tx } from '../../../db/database.ts'
import { assert } from '../../../lib/errors.ts'
import type { RouteCost } from './routing.types.ts'

export const PROVIDERS_CHANNEL = 'warung_providers'

// ── The version of connections and routes ──

/** Takes the next version and, until the transaction ends, the lock that queues writers. */
export async function takeVersion(tx: Tx): Promise<bigint> {
  const { rows } = await tx.query<{ version: bigint }>(
    'update provider_version set version = version + 1 returning version',
  )
  assert(rows[0] !== undefined, 'the providers have a version row')
  return rows[0].version
}

/** Notifies every node when, and only when, the transaction commits. */
export async function announceVersion(tx: Tx): Promise<void> {
  await tx.query('select pg_notify(channel_prefix() || $1, $2)', [PROVIDERS_CHANNEL, ''])
}

const READ_VERSION = { name: 'provider_version', text: 'select version from provider_version' }

/** Reads the version in one cheap statement: it runs every second on every node. */
export async function readVersion(connection: Queryable): Promise<bigint> {
  const { rows } = await connection.query<{ version: bigint }>(READ_VERSION)
  assert(rows[0] !== undefined, 'the providers have a version row')
  return rows[0].version
}

// ── Connections ──

const COLUMNS = `code, kind, name, is_enabled, config, sealed_secrets, secret_names, limits, float_alert, version,
  account_version, created_at, updated_at`

export type ConnectionRow = {
  code: string
  kind: string
  name: string
  is_enabled: boolean
  config: unknown
  sealed_secrets: Buffer | null
  secret_names: Record<string, string>
  limits: unknown
  float_alert: bigint | null
  version: bigint
  /** Version of the last change that may have led to another supplier, or to another account there. */
  account_version: bigint
  created_at: Date
  updated_at: Date
}

/** Limit of connections: a further one would not be read. */
export const CONNECTIONS_MAX = 1_000

export async function listConnectionRows(connection: Queryable): Promise<ConnectionRow[]> {
  const { rows } = await connection.query<ConnectionRow>(
    `select ${COLUMNS} from provider_connections order by code limit $1`,
    [CONNECTIONS_MAX],
  )
  return rows
}

export async function findConnectionRow(
  connection: Queryable,
  code: string,
): Promise<ConnectionRow | undefined> {
  const { rows } = await connection.query<ConnectionRow>(
    `select ${COLUMNS} from provider_connections where code = $1`,
    [code],
  )
  return rows[0]
}

export type ConnectionWrite = Omit<ConnectionRow, 'created_at' | 'updated_at'>

/** Tells whether there are more connections than are read. Call it behind `takeVersion`. */
export async function hasTooManyConnections(tx: Tx): Promise<boolean> {
  const { rows } = await tx.query<{ is_over: boolean }>(
    'select count(*) > $1 as is_over from provider_connections',
    [CONNECTIONS_MAX],
  )
  return rows[0]?.is_over === true
}

/** Returns false when the code is taken. */
export async function insertConnection(tx: Tx, row: ConnectionWrite): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into provider_connections (code, kind, name, is_enabled, config, sealed_secrets, secret_names, limits,
                                       float_alert, version, account_version, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, now(), now())
     on conflict (code) do nothing`,
    valuesOf(row),
  )
  return rowCount === 1
}

export async function updateConnection(tx: Tx, row: ConnectionWrite): Promise<void> {
  await tx.query(
    `update provider_connections
        set kind = $2, name = $3, is_enabled = $4, config = $5, sealed_secrets = $6, secret_names = $7, limits = $8,
            float_alert = $9, version = $10, account_version = $11, updated_at = now()
      where code = $1`,
    valuesOf(row),
  )
}

function valuesOf(row: ConnectionWrite): unknown[] {
  return [
    row.code,
    row.kind,
    row.name,
    row.is_enabled,
    JSON.stringify(row.config),
    row.sealed_secrets,
    JSON.stringify(row.secret_names),
    JSON.stringify(row.limits),
    row.float_alert,
    row.version,
    row.account_version,
  ]
}

export async function deleteConnection(tx: Tx, code: string): Promise<void> {
  await tx.query('delete from provider_connections where code = $1', [code])
}

/** Milliseconds since the last change, on the database's clock. */
export async function readAgeMs(connection: Queryable, code: string): Promise<number> {
  const { rows } = await connection.query<{ age_ms: number }>(
    `select extract(epoch from clock_timestamp() - updated_at)::float8 * 1000 as age_ms
       from provider_connections where code = $1`,
    [code],
  )
  return rows[0]?.age_ms ?? 0
}

// ── Routes ──

export type RouteRow = {
  product_code: string
  provider: string
  priority: number
  weight: number | null
  cost_kind: RouteCost['kind'] | null
  cost_value: bigint | null
  windows: { days: number[]; from: number; to: number }[]
  is_enabled: boolean
  updated_at: Date
}

/** Limit of routes: a further one would not be read, and its product would be sold through the routes of `*`. */
export const ROUTES_MAX = 100_000

export async function listRouteRows(connection: Queryable): Promise<RouteRow[]> {
  const { rows } = await connection.query<RouteRow>(
    `select product_code, provider, priority, weight, cost_kind, cost_value, windows, is_enabled, updated_at
       from provider_routes order by product_code, priority, provider limit $1`,
    [ROUTES_MAX],
  )
  return rows
}

/** Returns true when the route is a new one. */
export async function upsertRoute(tx: Tx, row: Omit<RouteRow, 'updated_at'>): Promise<boolean> {
  const { rows } = await tx.query<{ is_new: boolean }>(
    `insert into provider_routes (product_code, provider, priority, weight, cost_kind, cost_value, windows,
                                  is_enabled, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, now())
     on conflict (product_code, provider) do update
        set priority = excluded.priority, weight = excluded.weight, cost_kind = excluded.cost_kind,
            cost_value = excluded.cost_value, windows = excluded.windows, is_enabled = excluded.is_enabled,
            updated_at = excluded.updated_at
     returning xmax = 0 as is_new`,
    [
      row.product_code,
      row.provider,
      row.priority,
      row.weight,
      row.cost_kind,
      row.cost_value,
      JSON.stringify(row.windows),
      row.is_enabled,
    ],
  )
  return rows[0]?.is_new === true
}

/** Tells whether there are more routes than are read. Call it behind `takeVersion`, which every writer waits for. */
export async function hasTooManyRoutes(tx: Tx): Promise<boolean> {
  const { rows } = await tx.query<{ is_over: boolean }>(
    'select count(*) > $1 as is_over from provider_routes',
    [ROUTES_MAX],
  )
  return rows[0]?.is_over === true
}

/** Lists products whose only routes lead to the provider while `*` leads to another, which would get them instead. */
export async function listFallingToAny(
  tx: Tx,
  provider: string,
  productCode: string | null,
  limit: number,
): Promise<string[]> {
  const { rows } = await tx.query<{ product_code: string }>(
    `select r.product_code from provider_routes r
      where r.provider = $1 and ($2::text is null or r.product_code = $2) and r.product_code <> '*'
        and not exists (select from provider_routes o where o.product_code = r.product_code and o.provider <> $1)
        and exists (select from provider_routes o
                     where o.product_code = '*' and (o.provider <> $1 or $2::text is not null))
      order by r.product_code limit $3`,
    [provider, productCode, limit],
  )
  return rows.map((row) => row.product_code)
}

/** Returns the number of deleted routes. */
export async function deleteRoutes(tx: Tx, provider: string, productCode: string | null): Promise<number> {
  const { rowCount } = await tx.query(
    'delete from provider_routes where provider = $1 and ($2::text is null or product_code = $2)',
    [provider, productCode],
  )
  return rowCount
}

export async function readPreparedAlone(connection: Queryable, code: string): Promise<boolean> {
  const { rows } = await connection.query<{ is_prepared_alone: boolean }>(
    'select is_prepared_alone from provider_connections where code = $1',
    [code],
  )
  return rows[0]?.is_prepared_alone === true
}

export async function writePreparedAlone(tx: Tx, code: string, isAlone: boolean): Promise<void> {
  await tx.query('update provider_connections set is_prepared_alone = $2 where code = $1', [code, isAlone])
}
