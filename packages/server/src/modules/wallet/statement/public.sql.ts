import type { Queryable } from '../../../db/database.ts'
import type { Entry, TransferKind } from '../balance/types.ts'

// Statements that other modules call as they are.

/**
 * Waits until every posting in progress to the wallet has committed. Entries are dated under this lock, so a later
 * posting is dated after now. It must not be called in a transaction, because it would keep the wallet's lock.
 */
export async function waitForPostings(connection: Queryable, resellerId: bigint): Promise<void> {
  await connection.query('select from hold_wallet($1)', [resellerId])
}

type EntryRow = {
  sequence: bigint
  kind: TransferKind
  amount: bigint
  balance_after: bigint
  remarks: string
  created_at: Date
}

const UP_FROM = {
  name: 'wallet_period_up_from',
  text: `select sequence, kind, amount, balance_after, remarks, created_at from transfers
          where reseller_id = $1 and sequence > $2 and sequence <= $3 order by sequence limit $4`,
}

/** Lists the entries after one up to another, oldest first, at most `limit`. */
export async function listEntriesBetween(
  connection: Queryable,
  resellerId: bigint,
  page: { readonly after: bigint; readonly last: bigint; readonly limit: number },
): Promise<Entry[]> {
  const { rows } = await connection.query<EntryRow>(UP_FROM, [resellerId, page.after, page.last, page.limit])
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
