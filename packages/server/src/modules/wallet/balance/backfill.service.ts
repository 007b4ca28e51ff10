import type { Tx } from '../../../db/database.ts'
import { assert } from '../../../lib/errors.ts'
import type { Amount } from '../../../lib/money.ts'
import type { BackfilledEntry } from './backfill.sql.ts'
import { insertBackfilledEntries } from './backfill.sql.ts'
import { lockWallet } from './sql.ts'
import type { HouseAccount, TransferKind } from './types.ts'

/** Movement of money that happened in the past. */
export type BackfilledMovement = {
  readonly kind: TransferKind
  readonly amount: Amount
  readonly remarks: string
  /** null when the movement belongs to no payment. */
  readonly paymentId: bigint | null
  readonly at: Date
}

const HOUSE_ACCOUNTS: Readonly<Record<TransferKind, HouseAccount>> = {
  deposit: 'bank',
  adjustment: 'adjustments',
  commission: 'commissions',
  payment: 'provider_clearing',
  refund: 'provider_clearing',
}

/**
 * Writes a wallet's past movements, oldest first, and returns the balance after each one. The wallet must have no
 * entries, because entries are dated in their order.
 */
export async function insertBackfilledMovements(
  tx: Tx,
  resellerId: bigint,
  movements: readonly BackfilledMovement[],
): Promise<Amount[]> {
  const wallet = await lockWallet(tx, resellerId)
  assert(wallet?.sequence === 0n, 'only a wallet without entries can be given a past')
  let balance: Amount = 0n
  let latestMs = Number.NEGATIVE_INFINITY
  const entries = movements.map((movement, index): BackfilledEntry => {
    balance += movement.amount
    assert(balance >= 0n, 'a wallet never held less than nothing')
    assert(movement.at.getTime() >= latestMs, 'a past is told from its beginning')
    latestMs = movement.at.getTime()
    const houseAccount = HOUSE_ACCOUNTS[movement.kind]
    return { ...movement, houseAccount, sequence: BigInt(index + 1), balanceAfter: balance }
  })
  await insertBackfilledEntries(tx, resellerId, entries)
  return entries.map(({ balanceAfter }) => balanceAfter)
}
