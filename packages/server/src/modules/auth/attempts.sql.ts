import type { Queryable, Tx } from '../../db/database.ts'
import type { Guess, LockoutScope } from './attempts.rules.ts'
import {
  LOGIN_FAILURES_EVERYWHERE_MAX,
  LOGIN_FAILURES_EVERYWHERE_WINDOW_SECONDS,
  LOGIN_FAILURES_MAX,
  LOGIN_FAILURES_WINDOW_SECONDS,
} from './attempts.rules.ts'

/** Locks the name, so that attempts on it are checked one after the other, on every node. */
export async function lockLoginAttempts(tx: Tx, { name }: Guess): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1::bigint # lock_mark())', [name.readBigInt64BE(0)])
}

const FIND_LOCKOUT = {
  name: 'find_login_lockout',
  text: `(select 'place' as scope, extract(epoch from failed_at - clock_timestamp())::float8 + $5 as seconds_left
            from login_failures
           where username_digest = $1 and place = $2 and failed_at > clock_timestamp() - make_interval(secs => $5)
           order by failed_at desc offset $4 - 1 limit 1)
         union all
         (select 'everywhere', extract(epoch from failed_at - clock_timestamp())::float8 + $7
            from login_failures
           where username_digest = $1 and not $3 and not is_known
             and failed_at > clock_timestamp() - make_interval(secs => $7)
           order by failed_at desc offset $6 - 1 limit 1)
         order by seconds_left desc limit 1`,
}

export type Lockout = { readonly scope: LockoutScope; readonly secondsLeft: number }

/** Finds the lockout that refuses a guess, and its remaining time. undefined: the guess may be made. */
export async function findLockout(connection: Queryable, guess: Guess): Promise<Lockout | undefined> {
  const { rows } = await connection.query<{ scope: LockoutScope; seconds_left: number }>(FIND_LOCKOUT, [
    guess.name,
    guess.place,
    guess.isKnown,
    LOGIN_FAILURES_MAX,
    LOGIN_FAILURES_WINDOW_SECONDS,
    LOGIN_FAILURES_EVERYWHERE_MAX,
    LOGIN_FAILURES_EVERYWHERE_WINDOW_SECONDS,
  ])
  return rows[0] && { scope: rows[0].scope, secondsLeft: rows[0].seconds_left }
}

export async function insertLoginFailure(tx: Tx, { name, place, isKnown }: Guess): Promise<void> {
  await tx.query('insert into login_failures (username_digest, place, is_known) values ($1, $2, $3)', [
    name,
    place,
    isKnown,
  ])
}

/** Deletes at most `limit` failures that no longer count, and returns their number. */
export async function deleteOldLoginFailures(connection: Queryable, limit: number): Promise<number> {
  const { rowCount } = await connection.query(
    `delete from login_failures where ctid = any(array(
       select ctid from login_failures
       where failed_at < statement_timestamp() - make_interval(secs => $1) order by failed_at limit $2
     ))`,
    [LOGIN_FAILURES_EVERYWHERE_WINDOW_SECONDS, limit],
  )
  return rowCount
}
