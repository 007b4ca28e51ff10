import type { Queryable, Tx } from '../../db/database.ts'
import type { Amount, Entry, HouseAccount, TransferKind } from './types.ts'

type EntryRow = {
  reseller_id: bigint
  sequence: bigint
  kind: TransferKind
  amount: bigint
  balance_after: bigint
  remarks: string
  created_at: Date
}

export async function lockWallet(
  tx: Tx,
  resellerId: bigint,
): Promise<{ balance: Amount; sequence: bigint } | undefined> {
  const { rows } = await tx.query<{ balance: bigint; sequence: bigint }>(
    'select balance, sequence from wallets where reseller_id = $1 for update',
    [resellerId],
  )
  return rows[0]
}

export type NewEntry = {
  resellerId: bigint
  sequence: bigint
  kind: TransferKind
  houseAccount: HouseAccount
  amount: Amount
  balanceAfter: Amount
  remarks: string
}

/** Writes the transfer and the wallet it leaves behind; the caller holds the wallet's lock. */
export async function insertEntry(tx: Tx, entry: NewEntry): Promise<Entry> {
  await tx.query('update wallets set balance = $2, sequence = $3 where reseller_id = $1', [
    entry.resellerId,
    entry.balanceAfter,
    entry.sequence,
  ])
  const { rows } = await tx.query<EntryRow>(
    `insert into transfers (reseller_id, sequence, kind, house_account, amount, balance_after, remarks)
     values ($1, $2, $3, $4, $5, $6, $7)
     returning reseller_id, sequence, kind, amount, balance_after, remarks, created_at`,
    [
      entry.resellerId,
      entry.sequence,
      entry.kind,
      entry.houseAccount,
      entry.amount,
      entry.balanceAfter,
      entry.remarks,
    ],
  )
  const row = rows[0]
  if (row === undefined) throw new Error('an insert with returning gave no row')
  return {
    resellerId: row.reseller_id,
    sequence: row.sequence,
    kind: row.kind,
    amount: row.amount,
    balanceAfter: row.balance_after,
    remarks: row.remarks,
    createdAt: row.created_at,
  }
}

const BALANCES = {
  name: 'wallet_balances',
  text: 'select reseller_id, balance from wallets where reseller_id = any($1::bigint[])',
}

/** Balances of many wallets in one statement. */
export async function listBalances(
  connection: Queryable,
  resellerIds: readonly bigint[],
): Promise<Map<bigint, Amount>> {
  const { rows } = await connection.query<{ reseller_id: bigint; balance: bigint }>(BALANCES, [resellerIds])
  return new Map(rows.map((row) => [row.reseller_id, row.balance]))
}
