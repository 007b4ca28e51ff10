import { plainArray, textArray } from '../../../db/arrays.ts'
import type { Queryable } from '../../../db/database.ts'

/** Key of an attempt, as its holder knows it. */
export type AttemptKey = {
  readonly resellerId: bigint
  readonly paymentId: bigint
  readonly attempt: number
  /** Number of the holder's lease. A node that takes the work over raises it. */
  readonly lease: number
  /** True: the attempt was sent before, by this holder or another one. */
  readonly isRepeat?: boolean
}

const keysOf = (attempts: readonly AttemptKey[]) => [
  plainArray(attempts.map(({ resellerId }) => resellerId)),
  plainArray(attempts.map(({ paymentId }) => paymentId)),
  plainArray(attempts.map(({ attempt }) => attempt)),
  plainArray(attempts.map(({ lease }) => lease)),
]

const repeatsOf = (attempts: readonly AttemptKey[]) =>
  plainArray(attempts.map(({ isRepeat = false }) => String(isRepeat)))

// Statement of a release, not prepared. It locks rows in lock order before it writes anything, in the same order as
// attempts are begun. It closes an attempt that the success of another one left open: an order that was never sent
// needs no question. An attempt is sent once under its number, and again only as a repeat. So "it was not sent" stays
// true after another node has taken the attempt over to ask about it. That node keeps its lease, and learns it at the
// next claim.
const RELEASE = `
  with asked as (
    select * from unnest($1::bigint[], $2::bigint[], $3::smallint[], $4::integer[], $5::boolean[])
      as c (reseller_id, payment_id, attempt, lease, is_repeat)
  ), held as materialized (
    select w.reseller_id, w.payment_id, w.lease = c.lease or not w.is_leased as is_free, now()
      from asked c
      join payment_work w on w.reseller_id = c.reseller_id and w.payment_id = c.payment_id
       and w.attempt = c.attempt
       and (w.lease = c.lease or w.lease > c.lease and w.repeats = 0 and not c.is_repeat)
     order by w.reseller_id, w.payment_id for update of w
  ), closed as (
    delete from payment_open_attempts o using asked c
     where o.reseller_id = c.reseller_id and o.payment_id = c.payment_id and o.attempt = c.attempt and o.lease = c.lease
       and not c.is_repeat
  )
  update payment_work w
     set is_unsent = true, is_leased = not held.is_free, next_at = case when held.is_free then held.now else w.next_at end
    from held where w.reseller_id = held.reseller_id and w.payment_id = held.payment_id`

/**
 * Releases attempts that were not sent and will not be. Any node may send them at once, or after the node that holds
 * them now.
 */
export async function releaseAttempts(connection: Queryable, attempts: readonly AttemptKey[]): Promise<void> {
  await connection.query(RELEASE, [...keysOf(attempts), repeatsOf(attempts)])
}

const LIST_PRESENT = `
  select c.place::integer
    from unnest($1::bigint[], $2::bigint[], $3::smallint[], $4::integer[])
      with ordinality as c (reseller_id, payment_id, attempt, lease, place)
    join payment_work w on w.reseller_id = c.reseller_id and w.payment_id = c.payment_id
     and w.attempt = c.attempt and w.lease = c.lease
   where w.is_leased and w.next_at > now()`

/**
 * Returns the positions, from 1, of the attempts that their holder may send: the present attempt, under the lease that
 * the holder knows.
 */
export async function listHeld(
  connection: Queryable,
  attempts: readonly AttemptKey[],
): Promise<ReadonlySet<number>> {
  const { rows } = await connection.query<{ place: number }>(LIST_PRESENT, keysOf(attempts))
  return new Set(rows.map(({ place }) => place))
}

/** Reference of an attempt in the form that its provider wants. */
export type ReferenceToKeep = AttemptKey & { readonly provider: string; readonly reference: string }

// Statement that keeps a reference only for the holder of the attempt, so that it confirms the lease as LIST_PRESENT does.
const KEEP_REFERENCES = `
  with held as (
    select c.*
      from unnest($1::bigint[], $2::bigint[], $3::smallint[], $4::integer[], $5::text[], $6::text[])
        with ordinality as c (reseller_id, payment_id, attempt, lease, provider, reference, place)
      join payment_work w on w.reseller_id = c.reseller_id and w.payment_id = c.payment_id
       and w.attempt = c.attempt and w.lease = c.lease
     where w.is_leased and w.next_at > now()
  ), kept as (
    insert into payment_supplier_references as r (reseller_id, payment_id, attempt, provider, reference)
    select reseller_id, payment_id, attempt, provider, reference from held order by reseller_id, payment_id, attempt
    on conflict (reseller_id, payment_id, attempt)
    do update set reference = coalesce(r.reference, excluded.reference)
    returning reseller_id, payment_id, attempt, r.reference
  )
  select held.place::integer, kept.reference
    from held join kept using (reseller_id, payment_id, attempt)`

/**
 * Keeps references before their orders are sent. Returns the kept ones by position, from 1; the first one of an attempt
 * stays for ever. An attempt that is not its holder's any more has none.
 */
export async function keepReferences(
  connection: Queryable,
  wanted: readonly ReferenceToKeep[],
): Promise<ReadonlyMap<number, string>> {
  const { rows } = await connection.query<{ place: number; reference: string }>(KEEP_REFERENCES, [
    ...keysOf(wanted),
    textArray(wanted.map(({ provider }) => provider)),
    textArray(wanted.map(({ reference }) => reference)),
  ])
  return new Map(rows.map(({ place, reference }) => [place, reference]))
}
