import type { Tx } from '../../db/database.ts'
import { RequestError } from '../../lib/errors.ts'
import { mustChange } from '../../lib/input/fields.ts'
import { lockUsers } from '../accounts/public.sql.ts'
import { notFound } from '../accounts/rules.ts'
import {
  applyUserChanges,
  createUser,
  getReseller,
  getUserByName,
  listUsers,
  readUserChanges,
  updateUser,
} from '../accounts/service.ts'
import type { Reseller, User } from '../accounts/types.ts'
import {
  NEW_USER_INPUT,
  USER_CHANGES_INPUT,
  USER_INPUT,
  USER_PASSWORD_INPUT,
} from '../accounts/users.codec.ts'
import { act } from '../acts/service.ts'
import type { By, Texts } from '../acts/types.ts'
import type { Target } from '../audit/types.ts'
import { mailWelcome } from '../sessions/passwords/passwords.service.ts'
import type { PersonKey } from '../sessions/people/people.types.ts'
import { removeSecondFactor } from '../sessions/second-factor/removal.service.ts'
import { isUserGrant, mustStillBeAdmin } from './rules.ts'
import { accountsIn, approvalOf, choosePassword, granted, grantedAtMachine, makerName } from './service.ts'
import type { GrantWorld } from './types.ts'

type UserBy = By<GrantWorld>

/** Adds a user. A second person is needed when the reseller has people or money. */
export const addUser = act({
  name: 'user.create',
  input: NEW_USER_INPUT,
  lock: lockUsers,
  approval: approvalOf('user_create', NEW_USER_INPUT, {
    target: targetIn,
    write: ({ account, username, email = null, role }) => ({ account, username, email, role }),
  }),
  async run(tx, { account, username, role, ...input }, by: UserBy) {
    const company = await getReseller(tx, account)
    // The address is named in the request: the second person approves a login for that address.
    const email = input.email ?? company.email
    const grant = { kind: 'user_create', command: { account, username, email, role }, company } as const
    const work = async () => {
      const { password, shown } = choosePassword(by, input.password)
      const user = await createUser(accountsIn(tx, by), company.id, { username, email, role, password })
      if (by.caller.kind !== 'command') {
        await mailWelcome(by.world.sessions, tx, keyOf(user), { invitedBy: makerName(by), company })
      }
      return { target: userTarget(company, user), before: null, after: user, result: { user, shown } }
    }
    return granted(tx, by, { grant, work })
  },
})

/** Changes a user. Giving more than the user has needs a second person, as a new user does; members need none. */
export const editUser = act({
  name: 'user.update',
  input: USER_CHANGES_INPUT,
  lock: lockUsers,
  approval: approvalOf('user_change', USER_CHANGES_INPUT, {
    target: targetIn,
    write: ({ account, username = '', role = null, status = null }) => ({
      account,
      username,
      email: '',
      role,
      status,
    }),
  }),
  async run(tx, { account, username = '', id, ...changes }, by: UserBy) {
    const { caller } = by
    const isOperator = caller.kind === 'operator'
    if (isOperator) mustChange(changes)
    const company = await getReseller(tx, account)
    const before =
      caller.kind === 'member'
        ? colleagueOf(caller.userId, await listUsers(tx, company.id), id)
        : await getUserByName(tx, company.id, username)
    const work = async () => {
      const after = await updateUser(accountsIn(tx, by), company.id, before.id, changes)
      return { target: userTarget(company, after), before, after, result: after }
    }
    if (caller.kind === 'member' || !isUserGrant(before, changes)) return work()
    const { role = null, status = null } = changes
    const command = { account, username: before.username, email: before.email, role, status }
    return granted(tx, by, { grant: { kind: 'user_change', command, company }, work })
  },
})

/**
 * Finds the member whom an admin of the same reseller changes, but never the admin. The admin's own rights are checked
 * again under the lock, so that an account keeps an admin also when two remove each other's rights at once.
 */
function colleagueOf(self: bigint, users: readonly User[], id: bigint | undefined): User {
  mustStillBeAdmin(users.find((user) => user.id === self))
  const found = users.find((user) => user.id === id)
  if (found === undefined) throw notFound('member')
  if (found.id !== self) return found
  throw new RequestError({
    status: 409,
    code: 'own_membership',
    publicText: 'Another admin has to change your role or disable you.',
  })
}

// ── At the machine ──

/** Gives a user a new password. Hashing takes a while, so it is done before the lock is taken. */
export const setUserPassword = act({
  name: 'user.password',
  input: USER_PASSWORD_INPUT,
  async run(tx, { account, username, password: given }, by: UserBy) {
    const { password, shown } = choosePassword(by, given)
    const hashed = await readUserChanges({ password })
    await lockUsers(tx)
    const company = await getReseller(tx, account)
    const before = await getUserByName(tx, company.id, username)
    const work = async () => {
      const user = await applyUserChanges(accountsIn(tx, by), company.id, before.id, hashed)
      return { target: userTarget(company, user), before, after: user, result: { user, shown } }
    }
    const grant = { kind: 'password', command: { name: before.username }, company } as const
    return grantedAtMachine(tx, by, { grant, work })
  },
})

/** Removes the second factor and the passkeys of a user who lost them; the user's sessions end. */
export const removeUserFactor = act({
  name: 'two_factor.remove',
  input: USER_INPUT,
  lock: lockUsers,
  async run(tx, { account, username }, by: UserBy) {
    const company = await getReseller(tx, account)
    const user = await getUserByName(tx, company.id, username)
    const work = () => withoutFactor(tx, keyOf(user), userTarget(company, user), user)
    const grant = { kind: 'two_factor', command: { name: user.username }, company } as const
    return grantedAtMachine(tx, by, { grant, work })
  },
})

export async function withoutFactor<T>(tx: Tx, key: PersonKey, target: Target, result: T) {
  if (!(await removeSecondFactor(tx, key))) throw notFound('second factor')
  return { target, before: { two_factor: true }, after: { two_factor: false }, result }
}

function keyOf({ resellerId, id }: User): PersonKey {
  return { kind: 'member', resellerId, id }
}

function userTarget({ account }: Reseller, { username }: User): Target {
  return { kind: 'user', id: `${account}/${username}` }
}

function targetIn(_: unknown, { account, username }: Texts): Target {
  return { kind: 'user', id: `${account}/${username}` }
}
