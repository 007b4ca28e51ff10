import type { Queryable, Tx } from '../../../db/database.ts'
import type { PersonKey, PersonKind } from '../people/people.types.ts'

/**
 * Inserts the request, for a known name and for an unknown one alike. A second request before the first is handled
 * changes nothing.
 */
export async function insertResetRequest(
  connection: Queryable,
  kind: PersonKind,
  login: string,
): Promise<void> {
  await connection.query(
    `insert into password_reset_requests (kind, login) values ($1, $2) on conflict (kind, login) do nothing`,
    [kind, login],
  )
}

export type ResetRequest = { readonly kind: PersonKind; readonly login: string }

const HAS_REQUESTS = {
  name: 'password_reset_requests_exist',
  text: 'select exists (select from password_reset_requests) as found',
}

export async function hasResetRequests(connection: Queryable): Promise<boolean> {
  const { rows } = await connection.query<{ found: boolean }>(HAS_REQUESTS)
  return rows[0]?.found === true
}

/** Takes requests out of the queue. Other nodes that read at the same time take other requests. */
export async function takeResetRequests(tx: Tx, limit: number): Promise<ResetRequest[]> {
  const { rows } = await tx.query<{ kind: PersonKind; login: string }>(
    `delete from password_reset_requests r using (
       select kind, login from password_reset_requests order by requested_at limit $1 for update skip locked
     ) due
     where r.kind = due.kind and r.login = due.login
     returning r.kind, r.login`,
    [limit],
  )
  return rows
}

export async function countRecentResets(tx: Tx, key: PersonKey): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    `select count(*)::integer as count from password_resets
      where person_id = $3 and reseller_id = $2 and kind = $1
        and created_at > clock_timestamp() - interval '1 hour'`,
    [key.kind, key.resellerId, key.id],
  )
  return rows[0]?.count ?? 0
}

export async function insertReset(
  tx: Tx,
  key: PersonKey,
  { digest, lifetimeSeconds }: { digest: Buffer; lifetimeSeconds: number },
): Promise<void> {
  await tx.query(
    `insert into password_resets (digest, kind, reseller_id, person_id, expires_at)
     values ($1, $2, $3, $4, clock_timestamp() + make_interval(secs => $5))`,
    [digest, key.kind, key.resellerId, key.id, lifetimeSeconds],
  )
}

/** Serializes the use of one person's tokens until the transaction ends. */
export async function lockResetsOf(tx: Tx, { kind, resellerId, id }: PersonKey): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0) # lock_mark())', [
    `password_reset:${kind}:${resellerId}:${id}`,
  ])
}

/** Finds the person to whom the token belongs. undefined: it is unknown, used or expired. */
export async function findReset(
  connection: Queryable,
  kind: PersonKind,
  digest: Buffer,
): Promise<PersonKey | undefined> {
  const { rows } = await connection.query<{ reseller_id: bigint; person_id: bigint }>(
    `select reseller_id, person_id from password_resets
      where digest = $1 and kind = $2 and used_at is null and expires_at > clock_timestamp()`,
    [digest, kind],
  )
  return rows[0] && { kind, resellerId: rows[0].reseller_id, id: rows[0].person_id }
}

/** Deletes at most `limit` tokens that expired more than a day ago. */
export async function deleteOldResets(connection: Queryable, limit: number): Promise<number> {
  const { rowCount } = await connection.query(
    `delete from password_resets where digest = any (array (
       select digest from password_resets
        where expires_at < statement_timestamp() - interval '1 day' order by expires_at limit $1))`,
    [limit],
  )
  return rowCount
}
