import type { Queryable } from '../../../db/database.ts'
import type { EntryOfPayment, TransferKind } from '../balance/types.ts'
import type { Stretch } from './statement.rules.ts'

type EntryRow = {
  sequence: bigint
  kind: TransferKind
  amount: bigint
  balance_after: bigint
  remarks: string
  payment_id: bigint | null
  created_at: Date
}

export type ListedEntry = EntryOfPayment

const COLUMNS = 'sequence, kind, amount, balance_after, remarks, payment_id, created_at'
const RANGE = 'reseller_id = $1 and sequence > $2 and sequence <= $3'

// `kind <> 'payment'` repeats the condition of the partial index without payments, so that the index is used.
const STRETCHES = {
  all: {
    name: 'wallet_listing_all',
    text: `select ${COLUMNS} from transfers where ${RANGE} order by sequence desc limit $4`,
  },
  payments: {
    name: 'wallet_listing_payments',
    text: `select ${COLUMNS} from transfers where ${RANGE} and kind = 'payment' order by sequence desc limit $4`,
  },
  others: {
    name: 'wallet_listing_others',
    text: `select ${COLUMNS} from transfers
            where ${RANGE} and kind <> 'payment' and kind = any ($5) order by sequence desc limit $4`,
  },
}

/** Lists entries, newest first, from `first` down. `kinds` is null for every kind. */
export async function listEntryStretch(
  connection: Queryable,
  resellerId: bigint,
  { before }: Pick<Stretch, 'before'>,
  page: { readonly first: bigint; readonly kinds: readonly TransferKind[] | null; readonly limit: number },
): Promise<ListedEntry[]> {
  const values: unknown[] = [resellerId, before, page.first, page.limit]
  const { rows } = await (page.kinds === null
    ? connection.query<EntryRow>(STRETCHES.all, values)
    : page.kinds.includes('payment')
      ? connection.query<EntryRow>(STRETCHES.payments, values)
      : connection.query<EntryRow>(STRETCHES.others, [...values, page.kinds]))
  return rows.map((row) => ({
    resellerId,
    sequence: row.sequence,
    kind: row.kind,
    amount: row.amount,
    balanceAfter: row.balance_after,
    remarks: row.remarks,
    paymentId: row.payment_id,
    createdAt: row.created_at,
  }))
}
