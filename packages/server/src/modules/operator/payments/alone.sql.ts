import type { Queryable, Tx } from '../../../db/database.ts'
import { assert } from '../../../lib/errors.ts'
import type { AloneSums } from './alone.rules.ts'

/** Operator and reseller whose sums count. */
export type AloneParties = { readonly operatorId: bigint; readonly resellerId: bigint }

/**
 * Puts decisions of one operator, and decisions about one reseller, in sequence until the commit. The operator is always
 * locked first, and both before the wallet.
 */
export async function lockSums(tx: Tx, { operatorId, resellerId }: AloneParties): Promise<void> {
  const lock = (what: string, id: bigint) =>
    tx.query('select pg_advisory_xact_lock(hashtextextended($1, $2) # lock_mark())', [what, id])
  await lock('lone decisions of an operator', operatorId)
  await lock('lone decisions about a reseller', resellerId)
}

/** Reads the sums of the last 24 hours and 7 days, by the time of this statement. */
export async function readSums(
  connection: Queryable,
  { operatorId, resellerId }: AloneParties,
): Promise<AloneSums> {
  const { rows } = await connection.query<AloneSums>(
    `select coalesce(sum(cost) filter (where operator_id = $1 and is_today), 0)::bigint as "operatorDay",
            coalesce(sum(cost) filter (where operator_id = $1), 0)::bigint as "operatorWeek",
            coalesce(sum(cost) filter (where reseller_id = $2 and is_today), 0)::bigint as "resellerDay",
            coalesce(sum(cost) filter (where reseller_id = $2), 0)::bigint as "resellerWeek"
       from (select operator_id, reseller_id, cost, decided_at > clock_timestamp() - interval '24 hours' as is_today
               from lone_decisions
              where (operator_id = $1 or reseller_id = $2)
                and decided_at > (select clock_timestamp()) - interval '7 days') as recent`,
    [operatorId, resellerId],
  )
  assert(rows[0] !== undefined, 'sums are one row')
  return rows[0]
}

export async function insertDecision(
  tx: Tx,
  { operatorId, resellerId }: AloneParties,
  payment: { readonly id: bigint; readonly cost: bigint },
): Promise<void> {
  await tx.query(
    'insert into lone_decisions (reseller_id, operator_id, payment_id, cost) values ($1, $2, $3, $4)',
    [resellerId, operatorId, payment.id, payment.cost],
  )
}
