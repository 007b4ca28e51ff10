import type { Queryable, Tx } from '../../db/database.ts'
import { networkToString, parseNetwork } from '../../lib/addresses.ts'
import { assert } from '../../lib/errors.ts'
import type { AllowedNetwork, ApiKey, ApiKeyState, KeyPurpose, Scope } from './types.ts'

// ── API keys ──

// The state is judged by the database's clock, as the end of a grace period is.
const API_KEY = `reseller_id, id, coalesce(purpose_id, id) as purpose_id, key, label, scopes, products,
  max_amount, daily_cap, monthly_cap, networks, note, sealed_secret is not null as has_secret,
  least(expires_at, ends_at) as expires_at, ends_at, revoked_at, created_at,
  (select u.used_at from api_key_uses u where u.reseller_id = api_keys.reseller_id and u.key_id = api_keys.id)
    as used_at,
  case
    when revoked_at is not null then 'revoked'
    when least(expires_at, ends_at) <= clock_timestamp() then 'expired'
    when expires_at is null then 'active'
    else 'in_grace'
  end as state`

type ApiKeyRow = {
  reseller_id: bigint
  id: bigint
  purpose_id: bigint
  key: string
  label: string
  scopes: Scope[]
  products: string[] | null
  max_amount: bigint | null
  daily_cap: bigint | null
  monthly_cap: bigint | null
  networks: string[] | null
  note: string
  has_secret: boolean
  state: ApiKeyState
  expires_at: Date | null
  ends_at: Date | null
  revoked_at: Date | null
  created_at: Date
  used_at: Date | null
}

function apiKeyOf(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    resellerId: row.reseller_id,
    purposeId: row.purpose_id,
    key: row.key,
    label: row.label,
    scopes: row.scopes,
    products: row.products,
    maxAmount: row.max_amount,
    dailyCap: row.daily_cap,
    monthlyCap: row.monthly_cap,
    endsAt: row.ends_at,
    networks: row.networks,
    note: row.note,
    hasSecret: row.has_secret,
    state: row.state,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    createdAt: row.created_at,
    lastUsedAt: row.used_at,
  }
}

export type ApiKeyValues = KeyPurpose & {
  resellerId: bigint
  key: string
  label: string
  sealedSecret: Buffer | null
  /** Purpose of the key that it replaces; null: its own. */
  purposeId: bigint | null
  replaces: bigint | null
  /** User of the reseller who makes it; null: the machine. */
  createdBy: bigint | null
}

/** Returns the name of the group that new keys carry: that of the schema. '': the first group, whose keys carry none. */
export async function readGroupOfKeys(tx: Tx): Promise<string> {
  const { rows } = await tx.query<{ name: string }>("select rtrim(channel_prefix(), '.') as name")
  return rows[0]?.name ?? ''
}

export async function insertApiKey(tx: Tx, values: ApiKeyValues): Promise<ApiKey> {
  const { rows } = await tx.query<ApiKeyRow>(
    `insert into api_keys (reseller_id, key, label, sealed_secret, replaces, created_by, purpose_id, scopes, products,
       max_amount, daily_cap, monthly_cap, ends_at, networks, note)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
     returning ${API_KEY}`,
    [
      values.resellerId,
      values.key,
      values.label,
      values.sealedSecret,
      values.replaces,
      values.createdBy,
      values.purposeId,
      ...purposeValues(values),
    ],
  )
  assert(rows[0] !== undefined, 'an insert with returning gives its row')
  return apiKeyOf(rows[0])
}

function purposeValues({
  scopes,
  products,
  maxAmount,
  dailyCap,
  monthlyCap,
  endsAt,
  networks,
  note,
}: KeyPurpose): readonly unknown[] {
  return [scopes, products, maxAmount, dailyCap, monthlyCap, endsAt, networks, note]
}

/** Writes a key's name, and its purpose, which the key that works beside it since a rotation shares. */
export async function updateKey(tx: Tx, key: ApiKey): Promise<void> {
  await tx.query(
    `update api_keys set label = case when id = $3 then $4 else label end, scopes = $5, products = $6, max_amount = $7,
       daily_cap = $8, monthly_cap = $9, ends_at = $10, networks = $11, note = $12
     where reseller_id = $1 and coalesce(purpose_id, id) = $2 and revoked_at is null`,
    [key.resellerId, key.purposeId, key.id, key.label, ...purposeValues(key)],
  )
}

/** Revokes the keys that these users made since then. Returns how many still worked, or were in their grace period. */
export async function revokeKeysMadeBy(
  tx: Tx,
  resellerId: bigint,
  { userIds, since }: { readonly userIds: readonly bigint[]; readonly since: Date },
): Promise<number> {
  const { rowCount } = await tx.query(
    `update api_keys set revoked_at = statement_timestamp()
      where reseller_id = $1 and created_by = any ($2::bigint[]) and created_at >= $3 and revoked_at is null`,
    [resellerId, userIds, since],
  )
  return rowCount
}

/** Ends the key `graceSeconds` from now, or at once when it is 0. */
export async function endApiKey(
  tx: Tx,
  resellerId: bigint,
  id: bigint,
  graceSeconds: number,
): Promise<ApiKey> {
  const { rows } = await tx.query<ApiKeyRow>(
    `update api_keys
     set revoked_at = case when $3 = 0 then coalesce(revoked_at, clock.now) else revoked_at end,
       expires_at = case when $3 = 0 then expires_at else clock.later end
     from (select statement_timestamp() as now, statement_timestamp() + make_interval(secs => $3) as later) clock
     where reseller_id = $1 and id = $2
     returning ${API_KEY}`,
    [resellerId, id, graceSeconds],
  )
  assert(rows[0] !== undefined, 'the key was found in this transaction')
  return apiKeyOf(rows[0])
}

export async function findApiKeyById(
  connection: Queryable,
  resellerId: bigint,
  id: bigint,
): Promise<ApiKey | undefined> {
  const { rows } = await connection.query<ApiKeyRow>(
    `select ${API_KEY} from api_keys where reseller_id = $1 and id = $2`,
    [resellerId, id],
  )
  return rows[0] && apiKeyOf(rows[0])
}

export async function findApiKeyByKey(
  connection: Queryable,
  resellerId: bigint,
  key: string,
): Promise<ApiKey | undefined> {
  const { rows } = await connection.query<ApiKeyRow>(
    `select ${API_KEY} from api_keys where reseller_id = $1 and key = $2`,
    [resellerId, key],
  )
  return rows[0] && apiKeyOf(rows[0])
}

export async function countLiveApiKeys(tx: Tx, resellerId: bigint): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    `select count(*)::integer as count from api_keys
     where reseller_id = $1 and revoked_at is null
       and (least(expires_at, ends_at) is null or least(expires_at, ends_at) > clock_timestamp())`,
    [resellerId],
  )
  return rows[0]?.count ?? 0
}

/** Lists the newest first, so that keys that ended long ago come last. */
export async function listApiKeyRows(
  connection: Queryable,
  resellerId: bigint,
  limit: number,
): Promise<ApiKey[]> {
  const { rows } = await connection.query<ApiKeyRow>(
    `select ${API_KEY} from api_keys where reseller_id = $1 order by created_at desc, id desc limit $2`,
    [resellerId, limit],
  )
  return rows.map(apiKeyOf)
}

// ── IP allowlist ──

type NetworkRow = { network: string; label: string; created_at: Date }

export async function putNetwork(tx: Tx, resellerId: bigint, network: string, label: string): Promise<void> {
  await tx.query(
    `insert into ip_allowlist (reseller_id, network, label) values ($1, $2, $3)
     on conflict (reseller_id, network) do update set label = excluded.label`,
    [resellerId, network, label],
  )
}

/** Deletes one network, or every one for `null`. Returns the number of deleted entries. */
export async function deleteNetworks(tx: Tx, resellerId: bigint, network: string | null): Promise<number> {
  const { rowCount } = await tx.query(
    'delete from ip_allowlist where reseller_id = $1 and ($2::cidr is null or network = $2::cidr)',
    [resellerId, network],
  )
  return rowCount
}

export async function listNetworkRows(
  connection: Queryable,
  resellerId: bigint,
  limit: number,
): Promise<AllowedNetwork[]> {
  const { rows } = await connection.query<NetworkRow>(
    `select network::text as network, label, created_at from ip_allowlist
     where reseller_id = $1 order by ip_allowlist.network limit $2`,
    [resellerId, limit],
  )
  return rows.map((row) => ({
    network: spellNetwork(row.network),
    label: row.label,
    createdAt: row.created_at,
  }))
}

/** Shortens a single address, which PostgreSQL writes as 10.0.0.5/32. */
function spellNetwork(text: string): string {
  const network = parseNetwork(text)
  assert(network !== undefined, 'a cidr column holds a network')
  return networkToString(network)
}
