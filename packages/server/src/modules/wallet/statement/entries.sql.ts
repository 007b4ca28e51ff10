import { plainArray } from '../../../db/arrays.ts'
import type { Queryable } from '../../../db/database.ts'
import type { Entry, TransferKind } from '../balance/types.ts'

export type EntryKey = { readonly resellerId: bigint; readonly sequence: bigint }
export type RemarksRow = { reseller_id: bigint; sequence: bigint; remarks: string }

const LIST_REMARKS = {
  name: 'wallet_list_remarks',
  text: `select t.* from unnest($1::bigint[], $2::bigint[]) as k (reseller_id, sequence)
           join lateral (
             select reseller_id, sequence, remarks from transfers
              where reseller_id = k.reseller_id and sequence = k.sequence limit 1
           ) t on true`,
}

/** Lists the remarks of the entries that exist, in any order. */
export async function listRemarks(connection: Queryable, keys: readonly EntryKey[]): Promise<RemarksRow[]> {
  const { rows } = await connection.query<RemarksRow>(LIST_REMARKS, [
    plainArray(keys.map((key) => key.resellerId)),
    plainArray(keys.map((key) => key.sequence)),
  ])
  return rows
}

type EntryRow = {
  sequence: bigint
  kind: TransferKind
  amount: bigint
  balance_after: bigint
  remarks: string
  created_at: Date
}

const ENTRY_COLUMNS = 'sequence, kind, amount, balance_after, remarks, created_at'

// Only refunds have an index by payment. The debit lies in a short stretch of entries around the time of the payment.
const OF_PAYMENT = {
  name: 'wallet_entries_of_payment',
  text: `select ${ENTRY_COLUMNS} from transfers
          where reseller_id = $1 and sequence > $3 and sequence <= $4 and payment_id = $2 and kind <> 'refund'
          union all
         select ${ENTRY_COLUMNS} from transfers where reseller_id = $1 and payment_id = $2 and kind = 'refund'
          order by sequence`,
}

/** Lists the debit of a payment, if it lies between two entries, and its refund. */
export async function listEntriesOfPayment(
  connection: Queryable,
  resellerId: bigint,
  paymentId: bigint,
  stretch: { readonly before: bigint; readonly last: bigint },
): Promise<Entry[]> {
  const values = [resellerId, paymentId, stretch.before, stretch.last]
  const { rows } = await connection.query<EntryRow>(OF_PAYMENT, values)
  return rows.map((row) => ({
    resellerId,
    sequence: row.sequence,
    kind: row.kind,
    amount: row.amount,
    balanceAfter: row.balance_after,
    remarks: row.remarks,
    createdAt: row.created_at,
  }))
}
