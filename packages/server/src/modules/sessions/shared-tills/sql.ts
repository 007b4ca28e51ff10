import type { Queryable, Tx } from '../../../db/database.ts'
import { assert } from '../../../lib/errors.ts'
import type { PersonKey } from '../people/people.types.ts'
import { SHARED_TILL_LIFETIME_DAYS } from '../people/rules.ts'
import { WRONG_IN_A_ROW_MAX, WRONG_OF_TILL_MAX } from './rules.ts'
import type { ListedTill, SharedTill, StoredPin, TillPerson } from './types.ts'

// ── Shared tills ──

const TILL = `t.reseller_id, t.id, t.name, t.idle_seconds, t.failures >= ${WRONG_OF_TILL_MAX} as is_locked`

const IS_OPEN = `t.closed_at is null
  and t.last_used_at > statement_timestamp() - make_interval(days => ${SHARED_TILL_LIFETIME_DAYS})`

type TillRow = { reseller_id: bigint; id: bigint; name: string; idle_seconds: number; is_locked: boolean }

function tillOf(row: TillRow): SharedTill {
  return {
    resellerId: row.reseller_id,
    id: row.id,
    name: row.name,
    idleSeconds: row.idle_seconds,
    isLocked: row.is_locked,
  }
}

export async function insertTill(
  tx: Tx,
  till: { resellerId: bigint; name: string; digest: Buffer; idleSeconds: number; openedBy: bigint },
): Promise<SharedTill> {
  const { rows } = await tx.query<TillRow>(
    `insert into shared_tills as t (reseller_id, name, digest, idle_seconds, opened_by)
     values ($1, $2, $3, $4, $5) returning ${TILL}`,
    [till.resellerId, till.name, till.digest, till.idleSeconds, till.openedBy],
  )
  assert(rows[0] !== undefined, 'an insert with returning gives its row')
  return tillOf(rows[0])
}

const FIND_TILL = {
  name: 'find_shared_till',
  text: `select ${TILL} from shared_tills t where t.digest = $1 and ${IS_OPEN}`,
}

export async function findTill(connection: Queryable, digest: Buffer): Promise<SharedTill | undefined> {
  const { rows } = await connection.query<TillRow>(FIND_TILL, [digest])
  return rows[0] && tillOf(rows[0])
}

/** Finds an open till by its secret, and lets nobody else use or close it before the commit. */
export async function lockTill(tx: Tx, digest: Buffer): Promise<SharedTill | undefined> {
  const { rows } = await tx.query<TillRow>(`${FIND_TILL.text} for update`, [digest])
  return rows[0] && tillOf(rows[0])
}

export async function findTillById(
  connection: Queryable,
  resellerId: bigint,
  id: bigint,
): Promise<SharedTill | undefined> {
  const { rows } = await connection.query<TillRow>(
    `select ${TILL} from shared_tills t where t.reseller_id = $1 and t.id = $2 and ${IS_OPEN}`,
    [resellerId, id],
  )
  return rows[0] && tillOf(rows[0])
}

export async function countTills(connection: Queryable, resellerId: bigint): Promise<number> {
  const { rows } = await connection.query<{ tills: number }>(
    `select count(*)::integer as tills from shared_tills t where t.reseller_id = $1 and ${IS_OPEN}`,
    [resellerId],
  )
  return rows[0]?.tills ?? 0
}

/** Lists the open tills, the oldest first, each with the people whose PIN is locked there. */
export async function listTills(
  connection: Queryable,
  resellerId: bigint,
  limit: number,
): Promise<(ListedTill & { readonly digest: Buffer })[]> {
  const { rows } = await connection.query<
    TillRow & {
      digest: Buffer
      opened_by: string
      locked: string[]
      created_at: Date
      last_used_at: Date
    }
  >(
    `select ${TILL}, t.digest, t.created_at, t.last_used_at, p.name as opened_by,
            array (select l.name from pin_failures f
                     join people l on l.kind = 'member' and l.reseller_id = f.reseller_id and l.id = f.user_id
                    where f.reseller_id = t.reseller_id and f.shared_till_id = t.id
                      and f.failures >= ${WRONG_IN_A_ROW_MAX} order by l.name) as locked
       from shared_tills t
       join people p on p.kind = 'member' and p.reseller_id = t.reseller_id and p.id = t.opened_by
      where t.reseller_id = $1 and ${IS_OPEN}
      order by t.id limit $2`,
    [resellerId, limit],
  )
  return rows.map((row) => ({
    ...tillOf(row),
    digest: row.digest,
    openedBy: row.opened_by,
    locked: row.locked,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }))
}

export async function touchTill(tx: Tx, { resellerId, id }: SharedTill): Promise<void> {
  await tx.query(
    'update shared_tills set last_used_at = statement_timestamp() where reseller_id = $1 and id = $2',
    [resellerId, id],
  )
}

/** Closes a till. undefined: there is no such open one. */
export async function closeTillRow(tx: Tx, resellerId: bigint, id: bigint): Promise<SharedTill | undefined> {
  const { rows } = await tx.query<TillRow>(
    `update shared_tills t set closed_at = statement_timestamp()
      where t.reseller_id = $1 and t.id = $2 and ${IS_OPEN} returning ${TILL}`,
    [resellerId, id],
  )
  return rows[0] && tillOf(rows[0])
}

/** Deletes at most `limit` tills that ended more than `days` days ago, with what was counted there. */
export async function deleteOldTills(connection: Queryable, days: number, limit: number): Promise<number> {
  const { rows } = await connection.query<{ deleted: number }>(
    `with ended as (
       select reseller_id, id from shared_tills
        where least(closed_at, last_used_at + make_interval(days => ${SHARED_TILL_LIFETIME_DAYS}))
              < clock_timestamp() - make_interval(days => $1)
        limit $2
     ), forgotten as (
       delete from pin_failures f using ended e where f.reseller_id = e.reseller_id and f.shared_till_id = e.id
     ), deleted as (
       delete from shared_tills t using ended e where t.reseller_id = e.reseller_id and t.id = e.id returning t.id
     )
     select count(*)::integer as deleted from deleted`,
    [days, limit],
  )
  return rows[0]?.deleted ?? 0
}

// ── PINs ──

/** Sets the PIN of a member, for as long as the present password is theirs. */
export async function putPin(tx: Tx, { resellerId, id }: PersonKey, sealedHash: Buffer): Promise<void> {
  await tx.query(
    `with person as (
       select p.reseller_id, p.id, p.password_changed_at from people p
        where p.kind = 'member' and p.reseller_id = $1 and p.id = $2
     )
     insert into member_pins (reseller_id, user_id, sealed_hash, password_changed_at, set_at)
     select p.reseller_id, p.id, $3, p.password_changed_at, clock_timestamp() from person p
     on conflict (reseller_id, user_id) do update
        set sealed_hash = excluded.sealed_hash, password_changed_at = excluded.password_changed_at,
            set_at = excluded.set_at`,
    [resellerId, id, sealedHash],
  )
}

/** False: there was none. */
export async function deletePin(tx: Tx, { resellerId, id }: PersonKey): Promise<boolean> {
  const { rowCount } = await tx.query('delete from member_pins where reseller_id = $1 and user_id = $2', [
    resellerId,
    id,
  ])
  return rowCount === 1
}

const FIND_PIN = {
  name: 'find_member_pin',
  text: `select n.sealed_hash, n.set_at::text as set_at from member_pins n
           join people p on p.kind = 'member' and p.reseller_id = n.reseller_id and p.id = n.user_id
          where n.reseller_id = $1 and n.user_id = $2 and p.is_active
            and p.password_changed_at = n.password_changed_at`,
}

/** Finds the PIN with which a member may come in now. */
export async function findPin(
  connection: Queryable,
  { resellerId, id }: Pick<PersonKey, 'resellerId' | 'id'>,
): Promise<StoredPin | undefined> {
  const { rows } = await connection.query<{ sealed_hash: Buffer; set_at: string }>(FIND_PIN, [resellerId, id])
  const [row] = rows
  return row && { sealedHash: row.sealed_hash, setAt: row.set_at }
}

/** Lists the members who may take over at a till, by name. */
export async function listTillPeople(
  connection: Queryable,
  { resellerId, id }: SharedTill,
  which: { roles: readonly string[]; refusesDemo: boolean; limit: number },
): Promise<TillPerson[]> {
  const { rows } = await connection.query<{ id: bigint; name: string; is_locked: boolean }>(
    `select p.id, p.name, coalesce(f.failures >= ${WRONG_IN_A_ROW_MAX}, false) as is_locked
       from member_pins n
       join people p on p.kind = 'member' and p.reseller_id = n.reseller_id and p.id = n.user_id
       left join pin_failures f on f.reseller_id = n.reseller_id and f.shared_till_id = $2 and f.user_id = n.user_id
      where n.reseller_id = $1 and p.is_active and p.password_changed_at = n.password_changed_at
        and p.role = any($3) and not (p.is_demo and $4)
      order by p.name limit $5`,
    [resellerId, id, which.roles, which.refusesDemo, which.limit],
  )
  return rows.map((row) => ({ id: row.id, name: row.name, isLocked: row.is_locked }))
}

// ── Guesses ──

/** Counts a guess of everybody at the till. undefined: the till takes none. */
export async function spendGuessOfTill(tx: Tx, { resellerId, id }: SharedTill): Promise<number | undefined> {
  const { rows } = await tx.query<{ failures: number }>(
    `update shared_tills
        set failures = case when failing_since > clock.since then failures + 1 else 1 end,
            failing_since = case when failing_since > clock.since then failing_since
                                 else clock.now end
       from (select statement_timestamp() as now, statement_timestamp() - interval '1 day' as since) clock
      where reseller_id = $1 and id = $2 and failures < ${WRONG_OF_TILL_MAX} returning failures`,
    [resellerId, id],
  )
  return rows[0]?.failures
}

/** Counts a guess at the PIN of a person at the till. undefined: the PIN is locked there. */
export async function spendGuess(
  tx: Tx,
  { resellerId, id }: SharedTill,
  userId: bigint,
): Promise<number | undefined> {
  const { rows } = await tx.query<{ failures: number }>(
    `insert into pin_failures as f (reseller_id, shared_till_id, user_id, failures) values ($1, $2, $3, 1)
     on conflict (reseller_id, shared_till_id, user_id) do update set failures = f.failures + 1
      where f.failures < ${WRONG_IN_A_ROW_MAX}
     returning failures`,
    [resellerId, id, userId],
  )
  return rows[0]?.failures
}

/** Takes back a guess that was right, or was never judged. A right one also ends the row of wrong ones. */
export async function giveBackGuess(
  tx: Tx,
  { resellerId, id }: SharedTill,
  userId: bigint,
  { isRight }: { readonly isRight: boolean },
): Promise<void> {
  await tx.query(
    `update pin_failures set failures = case when $4 then 0 else greatest(failures - 1, 0) end
      where reseller_id = $1 and shared_till_id = $2 and user_id = $3`,
    [resellerId, id, userId, isRight],
  )
  await tx.query(
    'update shared_tills set failures = greatest(failures - 1, 0) where reseller_id = $1 and id = $2',
    [resellerId, id],
  )
}

/** Ends the locks of a till and of everybody's PIN there. */
export async function clearFailuresOfTill(tx: Tx, { resellerId, id }: SharedTill): Promise<void> {
  await tx.query('delete from pin_failures where reseller_id = $1 and shared_till_id = $2', [resellerId, id])
  await tx.query(
    'update shared_tills set failures = 0, failing_since = null where reseller_id = $1 and id = $2',
    [resellerId, id],
  )
}

/** Forgets what was guessed at a person's PIN, because it is another one now. */
export async function clearFailuresOfPerson(tx: Tx, { resellerId, id }: PersonKey): Promise<void> {
  await tx.query('delete from pin_failures where reseller_id = $1 and user_id = $2', [resellerId, id])
}
