import { plainArray } from '../../db/arrays.ts'
import type { Queryable } from '../../db/database.ts'

/** An attempt as whoever has it knows it. */
export type AttemptKey = {
  readonly resellerId: bigint
  readonly paymentId: bigint
  readonly attempt: number
}

const keysOf = (attempts: readonly AttemptKey[]) => [
  plainArray(attempts.map(({ resellerId }) => resellerId)),
  plainArray(attempts.map(({ paymentId }) => paymentId)),
  plainArray(attempts.map(({ attempt }) => attempt)),
]

// Not prepared, and held in lock order before anything is written, as attempts are begun.
const RELEASE = `
  with held as materialized (
    select w.reseller_id, w.payment_id
      from unnest($1::bigint[], $2::bigint[], $3::smallint[]) as c (reseller_id, payment_id, attempt)
      join payment_work w on w.reseller_id = c.reseller_id and w.payment_id = c.payment_id and w.attempt = c.attempt
     order by w.reseller_id, w.payment_id for update of w
  )
  update payment_work w set is_unsent = true, is_leased = false, next_at = now()
    from held where w.reseller_id = held.reseller_id and w.payment_id = held.payment_id`

/** They were not sent and will not be: whoever looks next may send them at once. */
export async function releaseAttempts(connection: Queryable, attempts: readonly AttemptKey[]): Promise<void> {
  await connection.query(RELEASE, keysOf(attempts))
}

const LIST_PRESENT = `
  select c.place::integer
    from unnest($1::bigint[], $2::bigint[], $3::smallint[])
      with ordinality as c (reseller_id, payment_id, attempt, place)
    join payment_work w on w.reseller_id = c.reseller_id and w.payment_id = c.payment_id and w.attempt = c.attempt
   where w.is_leased and w.next_at > now()`

/** The places, from 1, of those that are still to be sent: under a lease, and the present attempt of their payment. */
export async function listPresent(
  connection: Queryable,
  attempts: readonly AttemptKey[],
): Promise<ReadonlySet<number>> {
  const { rows } = await connection.query<{ place: number }>(LIST_PRESENT, keysOf(attempts))
  return new Set(rows.map(({ place }) => place))
}
