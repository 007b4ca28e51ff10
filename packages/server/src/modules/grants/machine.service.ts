import type { Tx } from '../../db/database.ts'
import type { By } from '../acts/types.ts'
import type { ApprovalCommand } from '../approvals/types.ts'
import { underGuard } from './guard.service.ts'
import { listWatchers, mailDone } from './notices.service.ts'
import type { Company, Grant, GrantWorld } from './types.ts'

export type MachineGrant = {
  readonly kind: Grant['kind']
  readonly command: ApprovalCommand
}

/**
 * Does the work. What a person at the machine does without a second person is told to those who watch. `grantOf` gives
 * null where nothing was given. A reseller without people and without money is not told of a login at its registered
 * address.
 */
export async function toldAtMachine<T>(
  tx: Tx,
  { caller, world }: Pick<By<GrantWorld>, 'caller' | 'world'>,
  company: Company | null,
  work: () => Promise<T>,
  grantOf: (done: T) => MachineGrant | null,
): Promise<T> {
  if (caller.kind !== 'command') return work()
  const watchers = await listWatchers(tx, company, world)
  const { result, isGuarded } =
    company === null
      ? { result: await work(), isGuarded: true }
      : await underGuard(tx, { resellerId: company.id }, work)
  const given = grantOf(result)
  if (given === null) return result
  const own = given.command.email?.toLowerCase()
  const isToldOf = (address: string) => isGuarded || (own !== undefined && address.toLowerCase() !== own)
  const news = { grant: { ...given, company }, by: `${caller.name}, at the machine`, approvedBy: null }
  await mailDone(world, tx, null, news, watchers.filter(isToldOf))
  return result
}
