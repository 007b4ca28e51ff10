import type { Tx } from '../../../db/database.ts'
import type { UserChanges } from '../../accounts/service.ts'
import { changeReseller, getUserByName, listUsers, within } from '../../accounts/service.ts'
import type { Reseller, User, UserRole } from '../../accounts/types.ts'
import type { ApprovalCommand } from '../../approvals/types.ts'
import { audited, readReason } from '../../audit/service.ts'
import type { Done } from '../../audit/types.ts'
import { changeUser, makeUser, userTarget } from '../../grants/executors.service.ts'
import { SecondPersonNeeded, underGuard } from '../../grants/guard.service.ts'
import { listWatchers, mailDone } from '../../grants/notices.service.ts'
import { isUserGrant } from '../../grants/rules.ts'
import { grantOrAsk } from '../../grants/service.ts'
import type { Granted } from '../../grants/types.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import { mustChange } from '../console/pages.rules.ts'
import type { AccountsContext } from './resellers.service.ts'
import { getForOperators } from './resellers.service.ts'

export async function listUsersOf(context: AccountsContext, account: string): Promise<User[]> {
  return listUsers(context.database, (await getForOperators(context, account)).id)
}

export type NewUserInput = {
  readonly username: string
  readonly email?: string | undefined
  readonly role: UserRole
}

/** Adds a user, or asks a second person to when the reseller has people or money. */
export async function addUser(
  context: AccountsContext,
  caller: OperatorCaller,
  account: string,
  input: NewUserInput,
  given: unknown,
): Promise<Granted<User>> {
  const reason = readReason(given)
  const company = await getForOperators(context, account)
  // The address is named in the request: the second person approves a login for that address.
  const wanted = { ...input, email: input.email ?? company.email }
  const command = { account, username: input.username, email: wanted.email, role: input.role }
  return grantOrAsk(context, caller, {
    reason,
    work: () =>
      audited(context.log, { caller, action: 'user.create', reason }, async (tx) => {
        const work = () => makeUser(context, tx, company, wanted, caller.email)
        return alone(context, tx, caller, { kind: 'user_create', command, company }, work)
      }),
    grantOf: () => ({ kind: 'user_create', target: userTarget(company, input), command, company }),
  })
}

/** Changes a user. Giving more than the user has needs a second person, as a new user does. */
export async function editUser(
  context: AccountsContext,
  caller: OperatorCaller,
  { account, username }: { readonly account: string; readonly username: string },
  changes: Pick<UserChanges, 'role' | 'status'>,
  given: unknown,
): Promise<Granted<User>> {
  const reason = readReason(given)
  mustChange(changes)
  const company = await getForOperators(context, account)
  const commandFor = (user: User): ApprovalCommand => ({
    account,
    username: user.username,
    email: user.email,
    role: changes.role ?? null,
    status: changes.status ?? null,
  })
  return grantOrAsk(context, caller, {
    reason,
    work: () =>
      audited(context.log, { caller, action: 'user.update', reason }, async (tx) => {
        return changeReseller(within(tx, context.accounts), company.id, async () => {
          const before = await getUserByName(tx, company.id, username)
          const work = () => changeUser(context, tx, company, username, changes)
          if (!isUserGrant(before, changes)) return work()
          const grant = { kind: 'user_change', command: commandFor(before), company } as const
          return alone(context, tx, caller, grant, work)
        })
      }),
    grantOf: async () => {
      const user = await getUserByName(context.database, company.id, username)
      return { kind: 'user_change', target: userTarget(company, user), command: commandFor(user), company }
    },
  })
}

type UserGrant = {
  readonly kind: 'user_create' | 'user_change'
  readonly command: ApprovalCommand
  readonly company: Reseller
}

/**
 * Carries out what one operator may do alone: only for a reseller that has neither other people nor money. The
 * registered address is told of a login that is not its own.
 */
async function alone(
  context: AccountsContext,
  tx: Tx,
  { email: by }: OperatorCaller,
  grant: UserGrant,
  work: () => Promise<Done<User>>,
): Promise<Done<User>> {
  const watchers = await listWatchers(tx, grant.company, context)
  const about = { resellerId: grant.company.id, username: grant.command.username ?? undefined }
  const { result: done, isGuarded } = await underGuard(tx, about, work)
  if (isGuarded) throw new SecondPersonNeeded()
  const own = done.result.email.toLowerCase()
  const recipients = watchers.filter((address) => address.toLowerCase() !== own)
  await mailDone(context, tx, null, { grant, by, approvedBy: null }, recipients)
  return done
}
