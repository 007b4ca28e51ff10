import { RequestError } from '../../../lib/errors.ts'
import { parseId } from '../../../lib/input/ids.ts'
import type { Accounts } from '../../accounts/service.ts'
import {
  changeReseller,
  getReseller,
  listUsers,
  updateReseller,
  updateUser,
  within,
} from '../../accounts/service.ts'
import type { LoginStatus, Reseller, User, UserRole } from '../../accounts/types.ts'
import type { Addressee } from '../../alerts/mail/preferences.service.ts'
import { changeMail } from '../../alerts/mail/preferences.service.ts'
import { holdProof } from '../../sessions/people/acts.service.ts'
import type { MemberCaller } from '../../sessions/people/types.ts'
import type { OneThreshold, ThresholdAction } from '../../wallet/balance/thresholds.service.ts'
import { changeThresholds } from '../../wallet/balance/thresholds.service.ts'
import { notFound } from '../access/access.service.ts'
import type { AuditSettings } from '../access/log.service.ts'
import { logged } from '../access/log.service.ts'

export type MemberChanges = {
  readonly role?: UserRole | undefined
  readonly status?: LoginStatus | undefined
}

/**
 * Changes a member, but never the caller. The caller's own rights are checked again under the directory's lock, so that
 * an account keeps an admin also when two admins remove each other's rights at once.
 */
export function changeMember(
  settings: AuditSettings & Accounts,
  caller: MemberCaller,
  id: string,
  changes: MemberChanges,
): Promise<User> {
  const userId = parseId(id)
  const { id: resellerId, account } = caller.reseller
  return logged(settings, caller, 'user.update', (outer) => {
    const accounts = within(outer, settings)
    return changeReseller(accounts, resellerId, async (tx) => {
      const users = await listUsers(tx, resellerId)
      mustStillBeAdmin(users.find((user) => user.id === caller.userId))
      const before = users.find((user) => user.id === userId)
      if (userId === undefined || before === undefined) throw notFound('member')
      if (userId === caller.userId) {
        throw new RequestError({
          status: 409,
          code: 'own_membership',
          publicText: 'Another admin has to change your role or disable you.',
        })
      }
      const after = await updateUser(accounts, resellerId, userId, changes)
      const target = { kind: 'user', id: `${account}/${after.username}` }
      return { target, before: rowOf(before), after: rowOf(after), result: after }
    })
  })
}

function rowOf({ username, email, role, status }: User) {
  return { username, email, role, status }
}

/** Changes whether top-ups need an API key. */
export function changeSettings(
  settings: AuditSettings & Accounts,
  caller: MemberCaller,
  changes: { readonly topupRequiresApiKey: boolean },
): Promise<Reseller> {
  const { id, account } = caller.reseller
  return logged(settings, caller, 'settings.update', async (outer) => {
    if (!changes.topupRequiresApiKey) await holdProof(outer, caller)
    const accounts = within(outer, settings)
    return changeReseller(accounts, id, async (_, before) => {
      const after = await updateReseller(accounts, id, changes)
      const shown = (reseller: Reseller) => ({ topup_requires_api_key: reseller.topupRequiresApiKey })
      const target = { kind: 'reseller', id: account }
      return { target, before: shown(before), after: shown(after), result: after }
    })
  })
}

/** Adds a threshold, or takes one away. */
export function changeOwnThresholds(
  settings: AuditSettings,
  caller: MemberCaller,
  action: ThresholdAction,
  amount: string,
): Promise<OneThreshold[]> {
  return logged(settings, caller, action, (tx, database) =>
    changeThresholds(tx, database, caller.reseller, action, amount),
  )
}

/** Switches a kind of mail on or off for one addressee. */
export function changeOwnMail(
  settings: AuditSettings,
  caller: MemberCaller,
  userId: bigint,
  wish: { readonly kind: string; readonly isOn: boolean },
): Promise<Addressee[]> {
  return logged(settings, caller, 'mail.switch', async (tx) =>
    changeMail(tx, await getReseller(tx, caller.reseller.account), userId, wish),
  )
}

function mustStillBeAdmin(caller: User | undefined): void {
  if (caller?.role === 'admin' && caller.status === 'active') return
  throw new RequestError({
    status: 403,
    code: 'insufficient_role',
    publicText: 'Your role does not allow this.',
  })
}
