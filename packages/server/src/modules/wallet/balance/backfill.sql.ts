import { plainArray, textArray } from '../../../db/arrays.ts'
import type { Tx } from '../../../db/database.ts'
import type { Amount } from '../../../lib/money.ts'
import type { HouseAccount, TransferKind } from './types.ts'

export type BackfilledEntry = {
  readonly sequence: bigint
  readonly kind: TransferKind
  readonly houseAccount: HouseAccount
  readonly amount: Amount
  readonly balanceAfter: Amount
  readonly paymentId: bigint | null
  readonly remarks: string
  readonly at: Date
}

/** Writes the entries unchanged, and the wallet's row after the last one. The caller holds the wallet's lock. */
export async function insertBackfilledEntries(
  tx: Tx,
  resellerId: bigint,
  entries: readonly BackfilledEntry[],
): Promise<void> {
  await tx.query(
    `insert into transfers (reseller_id, sequence, kind, house_account, amount, balance_after, payment_id, remarks,
                            created_at)
     select $1, e.* from unnest($2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[],
                                $8::text[], $9::timestamptz[]) as e`,
    [
      resellerId,
      plainArray(entries.map((entry) => entry.sequence)),
      textArray(entries.map((entry) => entry.kind)),
      textArray(entries.map((entry) => entry.houseAccount)),
      plainArray(entries.map((entry) => entry.amount)),
      plainArray(entries.map((entry) => entry.balanceAfter)),
      plainArray(entries.map((entry) => entry.paymentId)),
      textArray(entries.map((entry) => entry.remarks)),
      textArray(entries.map((entry) => entry.at.toISOString())),
    ],
  )
  const last = entries.at(-1)
  if (last === undefined) return
  await tx.query('update wallets set balance = $2, sequence = $3 where reseller_id = $1', [
    resellerId,
    last.balanceAfter,
    last.sequence,
  ])
}
