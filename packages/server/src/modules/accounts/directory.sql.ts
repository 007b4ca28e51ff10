import type { Queryable } from '../../db/database.ts'
import type { Access, ResellerStatus, Scope, UserRole } from './types.ts'

export type ResellerRow = {
  id: bigint
  account: string
  name: string
  price_level: string
  access: Access
  status: ResellerStatus
  topup_requires_api_key: boolean
  duplicate_window_seconds: number
  demo: boolean
  version: bigint
}

export type KeyRow = {
  reseller_id: bigint
  id: bigint
  purpose_id: bigint
  key: string
  scopes: Scope[]
  products: string[] | null
  max_amount: bigint | null
  daily_cap: bigint | null
  monthly_cap: bigint | null
  networks: string[] | null
  sealed_secret: Buffer | null
  /** Milliseconds since 1970, on the database's clock; null when the key does not end by itself. */
  expires_at_ms: number | null
}

export type UserRow = { reseller_id: bigint; id: bigint; role: UserRole; password_changed_at: Date }

export type NetworkRow = { reseller_id: bigint; network: string }

const VERSION = {
  name: 'directory_version',
  text: `select version, (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms
         from directory_version`,
}

/** Reads the version and the database's clock in one cheap statement: it runs every second on every node. */
export async function readVersion(connection: Queryable): Promise<{ version: bigint; nowMs: number }> {
  const { rows } = await connection.query<{ version: bigint; now_ms: number }>(VERSION)
  if (rows[0] === undefined) throw new Error('the directory has no version row')
  return { version: rows[0].version, nowMs: rows[0].now_ms }
}

const RESELLER = `id, account, name, price_level, access, status, topup_requires_api_key,
  duplicate_window_seconds, demo, version`

/**
 * Lists resellers in the order of their changes. Rows of one version stay together, or the next batch would miss some.
 */
export async function listChangedResellers(
  connection: Queryable,
  after: bigint,
  limit: number,
): Promise<ResellerRow[]> {
  const { rows } = await connection.query<ResellerRow>(
    `select ${RESELLER} from resellers where version > $1
     order by version fetch first ($2) rows with ties`,
    [after, limit],
  )
  return rows
}

export async function listResellersById(
  connection: Queryable,
  ids: readonly bigint[],
): Promise<ResellerRow[]> {
  const { rows } = await connection.query<ResellerRow>(
    `select ${RESELLER} from resellers where id = any($1::bigint[])`,
    [ids],
  )
  return rows
}

export async function listLiveKeys(connection: Queryable, resellerIds: readonly bigint[]): Promise<KeyRow[]> {
  const { rows } = await connection.query<KeyRow>(
    `select reseller_id, id, coalesce(purpose_id, id) as purpose_id, key, scopes, products, max_amount, daily_cap,
       monthly_cap, networks, sealed_secret,
       (extract(epoch from least(expires_at, ends_at)) * 1000)::float8 as expires_at_ms
     from api_keys
     where reseller_id = any($1::bigint[]) and revoked_at is null
       and (least(expires_at, ends_at) is null or least(expires_at, ends_at) > clock_timestamp())`,
    [resellerIds],
  )
  return rows
}

export async function listActiveUsers(
  connection: Queryable,
  resellerIds: readonly bigint[],
): Promise<UserRow[]> {
  const { rows } = await connection.query<UserRow>(
    `select reseller_id, id, role, password_changed_at from users
     where reseller_id = any($1::bigint[]) and status = 'active'`,
    [resellerIds],
  )
  return rows
}

export async function listNetworks(
  connection: Queryable,
  resellerIds: readonly bigint[],
): Promise<NetworkRow[]> {
  const { rows } = await connection.query<NetworkRow>(
    'select reseller_id, network::text as network from ip_allowlist where reseller_id = any($1::bigint[])',
    [resellerIds],
  )
  return rows
}
