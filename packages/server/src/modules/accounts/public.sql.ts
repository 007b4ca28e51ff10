import type { Queryable, Tx } from '../../db/database.ts'
import type { OperatorRow, ResellerRow } from './sql.ts'
import { lockVersion, OPERATOR, operatorOf, RESELLER, resellerOf } from './sql.ts'
import type { Operator, Reseller, ResellerStatus } from './types.ts'

// Statements that other modules call as they are.

export async function findReseller(connection: Queryable, account: string): Promise<Reseller | undefined> {
  const { rows } = await connection.query<ResellerRow>(
    `select ${RESELLER} from resellers where account = $1`,
    [account],
  )
  return rows[0] && resellerOf(rows[0])
}

export async function findResellerWithId(connection: Queryable, id: bigint): Promise<Reseller | undefined> {
  const { rows } = await connection.query<ResellerRow>(`select ${RESELLER} from resellers where id = $1`, [
    id,
  ])
  return rows[0] && resellerOf(rows[0])
}

export type KeyUse = { readonly account: string; readonly keyId: bigint; readonly at: Date }

/** Records when keys were last used. A key that is not the account's is left out. */
export async function saveKeyUses(connection: Queryable, uses: readonly KeyUse[]): Promise<void> {
  await connection.query(
    `with used as (
       select k.reseller_id, k.id, max(u.at) as at
         from unnest($1::text[], $2::bigint[], $3::timestamptz[]) as u (account, key_id, at)
         join resellers r on r.account = u.account
         join api_keys k on k.reseller_id = r.id and k.id = u.key_id
        group by k.reseller_id, k.id
     )
     insert into api_key_uses (reseller_id, key_id, used_at)
     select reseller_id, id, at from used order by reseller_id, id
     on conflict (reseller_id, key_id) do update set used_at = excluded.used_at
        where api_key_uses.used_at < excluded.used_at`,
    [uses.map(({ account }) => account), uses.map(({ keyId }) => keyId), uses.map(({ at }) => at)],
  )
}

/** Names by which people know a reseller. */
export type ResellerNames = { readonly account: string; readonly name: string }

/** Lists the names of these resellers by id, suspended ones included. */
export async function listResellerNames(
  connection: Queryable,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, ResellerNames>> {
  if (ids.length === 0) return new Map()
  const { rows } = await connection.query<{ id: bigint; account: string; name: string }>(
    'select id, account, name from resellers where id = any ($1::bigint[])',
    [[...new Set(ids)]],
  )
  return new Map(rows.map(({ id, account, name }) => [id, { account, name }]))
}

/** Names of who sold something, by their ids as texts. */
export type SellerNames = {
  readonly members: ReadonlyMap<string, string>
  readonly keys: ReadonlyMap<string, string>
}

const SELLER_NAMES = {
  name: 'accounts_seller_names',
  text: `select 'member' as kind, id, username as name from users where reseller_id = $1 and id = any ($2::bigint[])
         union all
         select 'key', id, coalesce(nullif(label, ''), key) from api_keys where reseller_id = $1 and id = any ($3::bigint[])`,
}

/** Reads the names of members and the labels of keys (the keys themselves where they have none) of a reseller, also of those that were disabled or revoked. */
export async function listSellerNames(
  connection: Queryable,
  resellerId: bigint,
  { members, keys }: { readonly members: readonly bigint[]; readonly keys: readonly bigint[] },
): Promise<SellerNames> {
  if (members.length === 0 && keys.length === 0) return { members: new Map(), keys: new Map() }
  const { rows } = await connection.query<{ kind: 'member' | 'key'; id: bigint; name: string }>(
    SELLER_NAMES,
    [resellerId, members, keys],
  )
  const of = (kind: string) =>
    new Map(rows.filter((row) => row.kind === kind).map(({ id, name }) => [String(id), name]))
  return { members: of('member'), keys: of('key') }
}

/** Filter of a search; null accepts any value. */
export type ResellerSearch = {
  /** Beginning of the account, or a part of the name or of the e-mail address; case is ignored. */
  readonly search: string | null
  readonly status: ResellerStatus | null
  readonly priceLevel: string | null
  /** Account at which the previous page ended. An account that does not exist ends the list. */
  readonly cursor: string | null
  readonly limit: number
}

/** Searches for people who look for one reseller among thousands; oldest first. */
export async function searchResellers(connection: Queryable, page: ResellerSearch): Promise<Reseller[]> {
  const { rows } = await connection.query<ResellerRow>(
    `select ${RESELLER} from resellers
     where ($1::text is null or starts_with(account, $1) or position(lower($1) in lower(name)) > 0
         or position(lower($1) in lower(email)) > 0)
       and ($2::text is null or status = $2)
       and ($3::text is null or price_level = $3)
       and ($4::text is null or id > (select id from resellers where account = $4))
     order by id limit $5`,
    [page.search, page.status, page.priceLevel, page.cursor, page.limit],
  )
  return rows.map(resellerOf)
}

/**
 * Locks the operators before a change of their rights, also one made at the machine. Call it first: data read after it
 * is true until the commit.
 */
export async function lockOperators(tx: Tx): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('operators', 0) # lock_mark())`)
}

/**
 * Locks the users of every reseller until the commit: password, role and status stay as they are read after it. It is
 * the lock that every change of a user takes first, so call it before any other row is locked.
 */
export function lockUsers(tx: Tx): Promise<void> {
  return lockVersion(tx)
}

/** Locks one operator until the commit: password, role and status stay as they are read after it. */
export async function lockOperator(tx: Tx, id: bigint): Promise<void> {
  await tx.query('select from operators where id = $1 for no key update', [id])
}

/**
 * Records the vouch of a second person: no other operator stands behind this one any more. Returns undefined when the
 * operator is unknown or disabled, perhaps just now: a vouch enables nobody.
 */
export async function vouchForOperator(tx: Tx, id: bigint): Promise<Operator | undefined> {
  const { rows } = await tx.query<OperatorRow>(
    `update operators set empowered_at = statement_timestamp(), empowered_by = null, updated_at = now()
     where id = $1 and status = 'active'
     returning ${OPERATOR}`,
    [id],
  )
  return rows[0] && operatorOf(rows[0])
}

/** Row of the limits that each reseller of a level has. */
export type LevelLimitRow = {
  readonly scope: string
  readonly period: string
  /** '': all categories together. */
  readonly category: string
  readonly payments: bigint | null
  readonly face_value: bigint | null
}

export async function listLevelLimitRows(connection: Queryable, levelCode: string): Promise<LevelLimitRow[]> {
  const { rows } = await connection.query<LevelLimitRow>(
    `select scope, period, category, payments, face_value from level_limits
      where price_level = $1 order by scope, period, category`,
    [levelCode],
  )
  return rows
}

/** Replaces all limits of a level. */
export async function replaceLevelLimitRows(
  tx: Tx,
  levelCode: string,
  rows: readonly LevelLimitRow[],
): Promise<void> {
  await tx.query('delete from level_limits where price_level = $1', [levelCode])
  await tx.query(
    `insert into level_limits (price_level, scope, period, category, payments, face_value)
     select $1, l.* from unnest($2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[]) as l`,
    [
      levelCode,
      rows.map(({ scope }) => scope),
      rows.map(({ period }) => period),
      rows.map(({ category }) => category),
      rows.map(({ payments }) => payments),
      rows.map(({ face_value: sum }) => sum),
    ],
  )
}

export async function countResellers(connection: Queryable): Promise<number> {
  const { rows } = await connection.query<{ count: number }>(
    'select count(*)::integer as count from resellers',
  )
  return rows[0]?.count ?? 0
}

/** Tells whether the operator's row is in this group: it arrives a moment after the operator was made. */
export async function hasOperator(connection: Queryable, id: bigint): Promise<boolean> {
  const { rows } = await connection.query('select from operators where id = $1', [id])
  return rows.length > 0
}
