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
 * Does the work, and tells whether the reseller had people before it, beside the one that it is about, or has money.
 * People without rights count: one operator alone takes rights away, and could otherwise give them to somebody else
 * next. Users and wallet stay as they are judged until the commit. The wallet is locked last and shortly, because
 * payments wait for it.
 */
export async function underGuard<T>(
  tx: Tx,
  { resellerId, username: about }: { readonly resellerId: bigint; readonly username?: string | undefined },
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly isGuarded: boolean }> {
  await lockUsers(tx)
  const hasOthers = (await listUsers(tx, resellerId)).some(({ username }) => username !== about)
  const result = await work()
  return { result, isGuarded: hasOthers || (await balanceUnderLock(tx, resellerId)) > 0n }
}
