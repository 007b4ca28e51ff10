import { plainArray } from '../../../db/arrays.ts'
import type { Queryable, Tx } from '../../../db/database.ts'
import type { Movement } from '../../wallet/statement/periods.types.ts'
import type { Closing, WalletDay } from './types.ts'

/** Returns the last day by GMT+8 that has been over for `sinceMs`, by the database's clock. */
export async function readLastDayOver(connection: Queryable, sinceMs: number): Promise<number> {
  const { rows } = await connection.query<{ day: number }>(
    `select (floor((extract(epoch from clock_timestamp()) * 1000 - $1::bigint + 28800000) / 86400000) - 1)::integer
              as day`,
    [sinceMs],
  )
  const row = rows[0]
  if (row === undefined) throw new Error('a select without a table gave no row')
  return row.day
}

/** Takes the lock for closing days. One node at a time holds it; the others skip their run. */
export async function tryClosingLock(tx: Tx): Promise<boolean> {
  const { rows } = await tx.query<{ is_ours: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('daily_closings', 0) # lock_mark()) as is_ours`,
  )
  return rows[0]?.is_ours === true
}

type ClosingRow = {
  reseller_id: bigint
  day: number
  opening: bigint
  closing: bigint
  first_sequence: bigint
  last_sequence: bigint
  deposit_count: bigint
  deposit_amount: bigint
  adjustment_count: bigint
  adjustment_amount: bigint
  commission_count: bigint
  commission_amount: bigint
  payment_count: bigint
  payment_amount: bigint
  refund_count: bigint
  refund_amount: bigint
  closed_at: Date
}

const COLUMNS = `reseller_id, day - date '1970-01-01' as day, opening, closing, first_sequence, last_sequence,
  deposit_count, deposit_amount, adjustment_count, adjustment_amount, commission_count, commission_amount,
  payment_count, payment_amount, refund_count, refund_amount, closed_at`

export async function insertClosing(tx: Tx, resellerId: bigint, day: WalletDay): Promise<void> {
  const both = ({ count, amount }: Movement) => [count, amount]
  const { deposit, adjustment, commission, payment, refund } = day.movements
  await tx.query(
    `insert into daily_closings
       (reseller_id, day, opening, closing, first_sequence, last_sequence, deposit_count, deposit_amount,
        adjustment_count, adjustment_amount, commission_count, commission_amount, payment_count, payment_amount,
        refund_count, refund_amount)
     values ($1, date '1970-01-01' + $2::integer, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    [
      resellerId,
      day.day,
      day.opening,
      day.closing,
      day.firstSequence,
      day.lastSequence,
      ...both(deposit),
      ...both(adjustment),
      ...both(commission),
      ...both(payment),
      ...both(refund),
    ],
  )
}

/** Lists the last closing of each of these wallets. A wallet without closings is left out. */
export async function listLastClosings(
  connection: Queryable,
  resellerIds: readonly bigint[],
): Promise<Map<bigint, Closing>> {
  const { rows } = await connection.query<ClosingRow>(
    `select c.* from unnest($1::bigint[]) as r (id)
       join lateral (
         select ${COLUMNS} from daily_closings
          where reseller_id = r.id order by daily_closings.day desc limit 1
       ) c on true`,
    [plainArray(resellerIds)],
  )
  return new Map(rows.map((row) => [row.reseller_id, closingOf(row)]))
}

export type ClosingPage = { readonly from: number; readonly to: number; readonly limit: number }

/** Lists a wallet's closings of a range of days, oldest first. */
export async function listClosingRows(
  connection: Queryable,
  resellerId: bigint,
  { from, to, limit }: ClosingPage,
): Promise<Closing[]> {
  const { rows } = await connection.query<ClosingRow>(
    `select ${COLUMNS} from daily_closings
      where reseller_id = $1 and daily_closings.day >= date '1970-01-01' + $2::integer
        and daily_closings.day <= date '1970-01-01' + $3::integer
      order by daily_closings.day limit $4`,
    [resellerId, from, to, limit],
  )
  return rows.map(closingOf)
}

function closingOf(row: ClosingRow): Closing {
  return {
    resellerId: row.reseller_id,
    day: row.day,
    opening: row.opening,
    closing: row.closing,
    firstSequence: row.first_sequence,
    lastSequence: row.last_sequence,
    movements: {
      deposit: { count: row.deposit_count, amount: row.deposit_amount },
      adjustment: { count: row.adjustment_count, amount: row.adjustment_amount },
      commission: { count: row.commission_count, amount: row.commission_amount },
      payment: { count: row.payment_count, amount: row.payment_amount },
      refund: { count: row.refund_count, amount: row.refund_amount },
    },
    closedAt: row.closed_at,
  }
}
