import type { Tx } from '../../db/database.ts'
import type { ApprovalCommand } from '../approvals/types.ts'
import { underGuard } from './guard.service.ts'
import { listWatchers, mailDone } from './notices.service.ts'
import type { Company, Grant, GrantContext } from './types.ts'

export type MachineGrant = {
  readonly kind: Grant['kind']
  readonly command: ApprovalCommand
}

/**
 * Does what a person at the machine does without a second person, and tells those who watch. `grantOf` gives null where
 * nothing was given. A reseller without people and without money is not told of a login at its registered address.
 */
export async function grantAtMachine<T>(
  context: GrantContext,
  tx: Tx,
  { company, by }: { readonly company: Company | null; readonly by: string },
  work: () => Promise<T>,
  grantOf: (done: T) => MachineGrant | null,
): Promise<T> {
  const watchers = await listWatchers(tx, company, context)
  const { result, isGuarded } =
    company === null
      ? { result: await work(), isGuarded: true }
      : await underGuard(tx, { resellerId: company.id }, work)
  const given = grantOf(result)
  if (given === null) return result
  const own = given.command.email?.toLowerCase()
  const isToldOf = (address: string) => isGuarded || (own !== undefined && address.toLowerCase() !== own)
  const news = { grant: { ...given, company }, by: `${by}, at the machine`, approvedBy: null }
  await mailDone(context, tx, null, news, watchers.filter(isToldOf))
  return result
}
