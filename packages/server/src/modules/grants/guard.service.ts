import type { Tx } from '../../db/database.ts'
import { lockUsers } from '../accounts/public.sql.ts'
import { listUsers } from '../accounts/service.ts'
import { balanceUnderLock } from '../wallet/balance/service.ts'

/** Thrown in the commit of an act that one operator may not do alone: everything is rolled back. */
export class SecondPersonNeeded extends Error {
  constructor() {
    super('a second person is needed')
  }
}

/**
 * Does the work, and tells whether the reseller had an active admin before it or has money. Users and wallet stay as
 * they are judged until the commit. The wallet is locked last and shortly, because payments wait for it.
 */
export async function underGuard<T>(
  tx: Tx,
  resellerId: bigint,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly isGuarded: boolean }> {
  await lockUsers(tx)
  const hasAdmin = (await listUsers(tx, resellerId)).some(
    ({ role, status }) => role === 'admin' && status === 'active',
  )
  const result = await work()
  return { result, isGuarded: hasAdmin || (await balanceUnderLock(tx, resellerId)) > 0n }
}
