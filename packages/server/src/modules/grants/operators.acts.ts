import type { Tx } from '../../db/database.ts'
import { assert } from '../../lib/errors.ts'
import { mustChange } from '../../lib/input/fields.ts'
import { lockOperators, vouchForOperator } from '../accounts/public.sql.ts'
import { notFound } from '../accounts/rules.ts'
import {
  applyOperatorChanges,
  createOperator,
  getOperatorByEmail,
  listOperators,
  readOperatorChanges,
  updateOperator,
} from '../accounts/service.ts'
import type { Operator } from '../accounts/types.ts'
import {
  NEW_OPERATOR_INPUT,
  OPERATOR_CHANGES_INPUT,
  OPERATOR_INPUT,
  OPERATOR_PASSWORD_INPUT,
} from '../accounts/users.codec.ts'
import { act } from '../acts/service.ts'
import type { By, Texts } from '../acts/types.ts'
import { areIndependent } from '../approvals/independence.service.ts'
import type { Target } from '../audit/types.ts'
import { mailWelcome } from '../sessions/passwords/passwords.service.ts'
import type { PersonKey } from '../sessions/people/people.types.ts'
import {
  isOperatorGrant,
  keptOut,
  mustBeIndependent,
  mustNeedIt,
  mustStillBeAdmin,
  refuseOwnAccount,
} from './rules.ts'
import { accountsIn, approvalOf, choosePassword, granted, grantedAtMachine, makerName } from './service.ts'
import type { GrantWorld } from './types.ts'
import { withoutFactor } from './users.acts.ts'

type OperatorBy = By<GrantWorld>

/** Adds an operator. A second admin is needed where there is one. */
export const addOperator = act({
  name: 'operator.create',
  input: NEW_OPERATOR_INPUT,
  lock: lockOperators,
  approval: approvalOf('operator_create', NEW_OPERATOR_INPUT, {
    target: targetIn,
    write: ({ email, name, role }) => ({ email, name, role }),
  }),
  async run(tx, { password: given, ...input }, by: OperatorBy) {
    const hasSecondAdmin = await lookForSecondAdmin(tx, by)
    const work = async () => {
      const { password, shown } = choosePassword(by, given)
      const operator = await createOperator(accountsIn(tx, by), { ...input, password }, makerOf(by))
      if (by.caller.kind !== 'command') {
        await mailWelcome(by.world.sessions, tx, keyOf(operator), { invitedBy: makerName(by), company: null })
      }
      return { target: targetOf(operator), before: null, after: operator, result: { operator, shown } }
    }
    const grant = { kind: 'operator_create', command: input, company: null } as const
    return granted(tx, by, { grant, work, hasSecondAdmin })
  },
})

/** Changes what an operator may do. Giving more than the operator has needs a second admin. Nobody changes themselves. */
export const editOperator = act({
  name: 'operator.update',
  input: OPERATOR_CHANGES_INPUT,
  // The machine takes it too, so that a change by an admin does not overwrite one of the machine.
  lock: lockOperators,
  approval: approvalOf('operator_change', OPERATOR_CHANGES_INPUT, {
    target: targetIn,
    write: ({ id = '', role = null, status = null }) => ({
      operator: String(id),
      email: '',
      name: '',
      role,
      status,
    }),
  }),
  async run(tx, { id, email, ...changes }, by: OperatorBy) {
    mustChange(changes)
    if (by.caller.kind === 'operator') refuseOwnAccount(by.caller.operatorId, id)
    const hasSecondAdmin = await lookForSecondAdmin(tx, by)
    const before = await getOperator(tx, { id, email })
    const work = async () => {
      const after = await updateOperator(accountsIn(tx, by), before.id, changes, makerOf(by))
      return { target: targetOf(after), before, after, result: after }
    }
    if (!gives(before, changes, by)) return work()
    const { role = null, status = null } = changes
    const { name } = before
    const command = { operator: String(before.id), email: before.email, name, role, status }
    return granted(tx, by, {
      grant: { kind: 'operator_change', command, company: null },
      work,
      hasSecondAdmin,
    })
  },
})

type Changes = Parameters<typeof isOperatorGrant>[1]

/** Enabling an operator who is active, or giving the present role again, vouches for them at the machine. */
function gives(before: Operator, changes: Changes, { caller }: OperatorBy): boolean {
  if (caller.kind !== 'command') return isOperatorGrant(before, changes)
  if (changes.status === 'disabled') return false
  return changes.role === undefined || isOperatorGrant(before, changes)
}

/**
 * Records that a second admin vouches for an operator as a separate person. The operator may then approve requests of
 * the admin who let them in, but only requests that are made from now on.
 */
export const vouchFor = act({
  name: 'operator.vouch',
  input: OPERATOR_INPUT,
  lock: lockOperators,
  async run(tx, { id, email }, { caller }: OperatorBy) {
    assert(caller.kind === 'operator', 'an admin vouches in the back office')
    const present = await listOperators(tx)
    const own = mustStillBeAdmin(present.find((each) => each.id === caller.operatorId))
    const before = await getOperator(tx, { id, email })
    mustNeedIt(before)
    mustBeIndependent(areIndependent(own, before, present))
    const after = await vouchForOperator(tx, before.id)
    if (after === undefined) throw keptOut()
    return { target: targetOf(after), before, after, result: after }
  },
})

/**
 * Checks the caller's rights again under the lock, and tells whether there is another admin who could approve: a person
 * of their own beside the caller. Without one, a single admin lets operators in alone, and none of them is a second
 * person.
 */
async function lookForSecondAdmin(tx: Tx, { caller, world }: OperatorBy): Promise<boolean> {
  if (caller.kind !== 'operator') return true
  const present = await listOperators(tx)
  const own = mustStillBeAdmin(present.find(({ id }) => id === caller.operatorId))
  const refusesDemo = world.sessions.config.environment === 'production'
  return present.some(
    (each) =>
      each.role === 'admin' &&
      each.status === 'active' &&
      !(each.demo && refusesDemo) &&
      areIndependent(own, each, present),
  )
}

// ── At the machine ──

/** Gives an operator a new password. Hashing takes a while, so it is done before the lock is taken. */
export const setOperatorPassword = act({
  name: 'operator.password',
  input: OPERATOR_PASSWORD_INPUT,
  async run(tx, { id, email, password: given }, by: OperatorBy) {
    const { password, shown } = choosePassword(by, given)
    const hashed = await readOperatorChanges({ password })
    await lockOperators(tx)
    const before = await getOperator(tx, { id, email })
    const work = async () => {
      const operator = await applyOperatorChanges(accountsIn(tx, by), before.id, hashed)
      return { target: targetOf(operator), before, after: operator, result: { operator, shown } }
    }
    const grant = { kind: 'password', command: { name: before.email }, company: null } as const
    return grantedAtMachine(tx, by, { grant, work })
  },
})

/** Removes the second factor and the passkeys of an operator who lost them; the operator's sessions end. */
export const removeOperatorFactor = act({
  name: 'two_factor.remove',
  input: OPERATOR_INPUT,
  lock: lockOperators,
  async run(tx, named, by: OperatorBy) {
    const operator = await getOperator(tx, named)
    const work = () => withoutFactor(tx, keyOf(operator), targetOf(operator), operator)
    const grant = { kind: 'two_factor', command: { name: operator.email }, company: null } as const
    return grantedAtMachine(tx, by, { grant, work })
  },
})

type Named = { readonly id: bigint | undefined; readonly email: string | undefined }

async function getOperator(tx: Tx, { id, email = '' }: Named): Promise<Operator> {
  if (id === undefined) return getOperatorByEmail(tx, email)
  const found = (await listOperators(tx)).find((each) => each.id === id)
  if (found === undefined) throw notFound('operator')
  return found
}

/** Operator who stands behind the rights that are given; null: the machine. */
function makerOf({ caller, consent }: OperatorBy): bigint | null {
  if (consent.kind === 'approved') return consent.approval.requestedBy.id
  return caller.kind === 'operator' ? caller.operatorId : null
}

function keyOf({ id }: Operator): PersonKey {
  return { kind: 'operator', resellerId: 0n, id }
}

function targetOf({ email }: Operator): Target {
  return { kind: 'operator', id: email }
}

function targetIn(_: unknown, { email }: Texts): Target {
  return { kind: 'operator', id: email ?? '' }
}
