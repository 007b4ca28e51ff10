import { RequestError } from '../../../lib/errors.ts'
import type { Accounts } from '../../accounts/service.ts'
import { changeReseller, listUsers, updateUser, within } from '../../accounts/service.ts'
import type { LoginStatus, User, UserRole } from '../../accounts/types.ts'
import type { MemberCaller } from '../../sessions/people/types.ts'
import { notFound } from '../access/access.service.ts'
import { readId } from '../access/parameters.rules.ts'

export type MemberChanges = {
  readonly role?: UserRole | undefined
  readonly status?: LoginStatus | undefined
}

/**
 * Nobody changes oneself, and who changes others is looked at again under the directory's lock: an account keeps the
 * admin who is at it, also when two of them take each other's rights away at once.
 */
export function changeMember(
  accounts: Accounts,
  caller: MemberCaller,
  id: string,
  changes: MemberChanges,
): Promise<User> {
  const userId = readId(id)
  const resellerId = caller.reseller.id
  return changeReseller(accounts, resellerId, async (tx) => {
    const users = await listUsers(tx, resellerId)
    mustStillBeAdmin(users.find((user) => user.id === caller.userId))
    if (userId === undefined || !users.some((user) => user.id === userId)) throw notFound('member')
    if (userId === caller.userId) {
      throw new RequestError({
        status: 409,
        code: 'own_membership',
        publicText: 'Another admin has to change your role or disable you.',
      })
    }
    return updateUser(within(tx, accounts), resellerId, userId, changes)
  })
}

function mustStillBeAdmin(caller: User | undefined): void {
  if (caller?.role === 'admin' && caller.status === 'active') return
  throw new RequestError({
    status: 403,
    code: 'insufficient_role',
    publicText: 'Your role does not allow this.',
  })
}
