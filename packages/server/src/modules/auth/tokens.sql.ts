import type { JWK } from 'jose'
import type { Queryable, Tx } from '../../db/database.ts'
import { assert } from '../../lib/errors.ts'

// ── Keys ──

export type TokenKeyRow = {
  kid: string
  public_jwk: JWK
  sealed_private_jwk: Buffer
  /** True for the one key that signs. */
  signs: boolean
}

export async function listTokenKeys(connection: Queryable): Promise<TokenKeyRow[]> {
  const { rows } = await connection.query<TokenKeyRow>(
    `select kid, public_jwk, sealed_private_jwk, retires_at is null as signs from token_keys
     where retires_at is null or retires_at > clock_timestamp()
     order by retires_at desc nulls first, kid limit 100`,
  )
  return rows
}

/** Blocks every other writer; readers continue. */
export async function lockTokenKeys(tx: Tx): Promise<void> {
  await tx.query('lock table token_keys in share row exclusive mode')
}

export async function retireSigningKey(tx: Tx, afterSeconds: number): Promise<void> {
  await tx.query(
    `update token_keys set retires_at = statement_timestamp() + make_interval(secs => $1) where retires_at is null`,
    [afterSeconds],
  )
}

export async function insertTokenKey(
  tx: Tx,
  key: { kid: string; publicJwk: JWK; sealedPrivateJwk: Buffer },
): Promise<void> {
  await tx.query('insert into token_keys (kid, public_jwk, sealed_private_jwk) values ($1, $2, $3)', [
    key.kid,
    JSON.stringify(key.publicJwk),
    key.sealedPrivateJwk,
  ])
}

// ── Limits ──

const COUNT_TOKEN_REQUEST = {
  name: 'count_token_request',
  text: `insert into token_request_counters as counter (address, recent)
         values ($1, array[clock_timestamp()])
         on conflict (address) do update
           set recent = within_second(counter.recent, excluded.recent[1]) || excluded.recent
           where cardinality(within_second(counter.recent, excluded.recent[1])) < $2`,
}

/** Counts a request of `address`. False: the last second has `perSecondMax` of them already. */
export async function countTokenRequest(
  connection: Queryable,
  address: string,
  perSecondMax: number,
): Promise<boolean> {
  const { rowCount } = await connection.query(COUNT_TOKEN_REQUEST, [address, perSecondMax])
  return rowCount > 0
}

// ── Refresh tokens ──

export type RefreshToken = {
  readonly resellerId: bigint
  readonly userId: bigint
  readonly username: string
  /** Time of the user's last change of password when the token was issued; see the table. */
  readonly passwordChangedAt: Date
}

/** Inserts a refresh token. Returns the database's time. */
export async function insertRefreshToken(
  tx: Tx,
  token: RefreshToken & { digest: Buffer; lifetimeDays: number },
): Promise<Date> {
  const { rows } = await tx.query<{ now: Date }>(
    `with made as (
       insert into refresh_tokens (reseller_id, user_id, username, password_changed_at, digest, expires_at)
       values ($1, $2, $3, $4, $5, clock_timestamp() + make_interval(days => $6)) returning 1
     )
     select clock_timestamp() as now from made`,
    [
      token.resellerId,
      token.userId,
      token.username,
      token.passwordChangedAt,
      token.digest,
      token.lifetimeDays,
    ],
  )
  assert(rows[0] !== undefined, 'an insert with returning gives its row')
  return rows[0].now
}

type RefreshTokenRow = {
  reseller_id: bigint
  user_id: bigint
  username: string
  password_changed_at: Date
  now: Date
}

/** Finds a refresh token that is neither expired nor revoked, with the database's time. */
export async function findRefreshToken(
  connection: Queryable,
  digest: Buffer,
): Promise<(RefreshToken & { now: Date }) | undefined> {
  const { rows } = await connection.query<RefreshTokenRow>(
    `select reseller_id, user_id, username, password_changed_at, clock_timestamp() as now
     from refresh_tokens
     where digest = $1 and revoked_at is null and expires_at > clock_timestamp()`,
    [digest],
  )
  return (
    rows[0] && {
      resellerId: rows[0].reseller_id,
      userId: rows[0].user_id,
      username: rows[0].username,
      passwordChangedAt: rows[0].password_changed_at,
      now: rows[0].now,
    }
  )
}

// ── Cleaning: each statement deletes at most `limit` rows, and says how many ──

/** Deletes idle counters. The condition is given twice: a row that was used again after it was selected must stay. */
export async function deleteIdleCounters(connection: Queryable, limit: number): Promise<number> {
  const { rowCount } = await connection.query(
    `delete from token_request_counters where address = any(array(
       select address from token_request_counters
       where recent[cardinality(recent)] < statement_timestamp() - interval '1 minute' limit $1
     )) and recent[cardinality(recent)] < statement_timestamp() - interval '1 minute'`,
    [limit],
  )
  return rowCount
}

export async function deleteExpiredRefreshTokens(
  connection: Queryable,
  olderThanDays: number,
  limit: number,
): Promise<number> {
  const { rowCount } = await connection.query(
    `delete from refresh_tokens where digest = any(array(
       select digest from refresh_tokens
       where expires_at < statement_timestamp() - make_interval(days => $1) order by expires_at limit $2
     ))`,
    [olderThanDays, limit],
  )
  return rowCount
}

/** Deletes retired keys. The private half has no further use, and is safest deleted. */
export async function deleteRetiredKeys(connection: Queryable): Promise<number> {
  const { rowCount } = await connection.query(
    'delete from token_keys where retires_at < statement_timestamp()',
  )
  return rowCount
}
