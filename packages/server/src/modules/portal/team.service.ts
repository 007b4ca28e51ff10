import { RequestError } from '../../lib/errors.ts'
import { listUsers, updateUser, within } from '../accounts/service.ts'
import type { LoginStatus, User, UserRole } from '../accounts/types.ts'
import type { MemberCaller } from '../sessions/types.ts'
import { notFound } from './access.service.ts'
import { readId } from './parameters.rules.ts'
import type { PortalSettings } from './types.ts'

export type MemberChanges = {
  readonly role?: UserRole | undefined
  readonly status?: LoginStatus | undefined
}

/** Nobody changes oneself: an account keeps the admin who is at it. */
export function changeMember(
  settings: PortalSettings,
  caller: MemberCaller,
  id: string,
  changes: MemberChanges,
): Promise<User> {
  const userId = readId(id)
  const resellerId = caller.reseller.id
  return settings.database.transaction(async (tx) => {
    const users = await listUsers(tx, resellerId)
    if (userId === undefined || !users.some((user) => user.id === userId)) throw notFound('member')
    if (userId === caller.userId) {
      throw new RequestError({
        status: 409,
        code: 'own_membership',
        publicText: 'Another admin has to change your role or disable you.',
      })
    }
    return updateUser(within(tx, settings), resellerId, userId, changes)
  })
}
