import type { Tx } from '../../db/database.ts'
import { assert } from '../../lib/errors.ts'
import { insertEntry, lockWallet } from './sql.ts'
import type { Amount, Entry } from './types.ts'

/** Money received at the bank for this reseller. The amount is greater than zero. */
export async function deposit(
  tx: Tx,
  command: { resellerId: bigint; amount: Amount; remarks: string },
): Promise<Entry> {
  assert(command.amount > 0n, 'a deposit is greater than zero')
  const wallet = await lockWallet(tx, command.resellerId)
  assert(wallet !== undefined, 'every reseller has a wallet')
  return insertEntry(tx, {
    resellerId: command.resellerId,
    sequence: wallet.sequence + 1n,
    kind: 'deposit',
    houseAccount: 'bank',
    amount: command.amount,
    balanceAfter: wallet.balance + command.amount,
    remarks: command.remarks,
  })
}
