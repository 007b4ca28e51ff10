import { generatePassword } from '../../../lib/secrets/passwords.ts'
import type { UserChanges } from '../../accounts/service.ts'
import {
  changeReseller,
  createUser,
  getUserByName,
  listUsers,
  updateUser,
  within,
} from '../../accounts/service.ts'
import type { User, UserRole } from '../../accounts/types.ts'
import { audited } from '../../audit/service.ts'
import { mailWelcome } from '../../sessions/passwords/passwords.service.ts'
import { holdSession } from '../../sessions/people/proof.service.ts'
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

/** Adds a user. Nobody knows the first password: the user gets an invitation to choose one. */
export async function addUser(
  context: AccountsContext,
  caller: OperatorCaller,
  account: string,
  input: NewUserInput,
  reason: unknown,
): Promise<User> {
  const reseller = await getForOperators(context, account)
  return audited(context.log, { caller, action: 'user.create', reason }, async (tx) => {
    await holdSession(context.sessions, tx, caller)
    const user = await createUser(within(tx, context.accounts), reseller.id, {
      ...input,
      password: generatePassword(),
    })
    const key = { kind: 'member', resellerId: reseller.id, id: user.id } as const
    await mailWelcome(context.sessions, tx, key, { invitedBy: caller.email, company: reseller })
    return { target: targetOf(account, user), before: null, after: user, result: user }
  })
}

export async function editUser(
  context: AccountsContext,
  caller: OperatorCaller,
  { account, username }: { readonly account: string; readonly username: string },
  changes: Pick<UserChanges, 'role' | 'status'>,
  reason: unknown,
): Promise<User> {
  mustChange(changes)
  const { id } = await getForOperators(context, account)
  return audited(context.log, { caller, action: 'user.update', reason }, async (tx) => {
    await holdSession(context.sessions, tx, caller)
    const accounts = within(tx, context.accounts)
    return changeReseller(accounts, id, async () => {
      const before = await getUserByName(tx, id, username)
      const after = await updateUser(accounts, id, before.id, changes)
      return { target: targetOf(account, after), before, after, result: after }
    })
  })
}

function targetOf(account: string, { username }: User) {
  return { kind: 'user', id: `${account}/${username}` }
}
