import { parseId } from '../../../lib/input/ids.ts'
import { generatePassword } from '../../../lib/secrets/passwords.ts'
import { lockOperators, vouchForOperator } from '../../accounts/public.sql.ts'
import type { OperatorChanges } from '../../accounts/service.ts'
import { createOperator, listOperators, updateOperator, within } from '../../accounts/service.ts'
import type { Operator, OperatorRole } from '../../accounts/types.ts'
import { areIndependent } from '../../approvals/independence.service.ts'
import { audited } from '../../audit/service.ts'
import { mailWelcome } from '../../sessions/passwords/passwords.service.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import { mustChange, unknown } from '../console/pages.rules.ts'
import {
  keptOut,
  mustBeIndependent,
  mustNeedIt,
  mustStillBeAdmin,
  refuseOwnAccount,
  requireSession,
} from './operators.rules.ts'
import type { AccountsContext } from './resellers.service.ts'

export type NewOperatorInput = { readonly email: string; readonly name: string; readonly role: OperatorRole }

export function listAllOperators({ database }: AccountsContext): Promise<Operator[]> {
  return listOperators(database)
}

/** Adds an operator. Nobody knows the first password: the operator gets an invitation to choose one. */
export async function addOperator(
  context: AccountsContext,
  caller: OperatorCaller,
  input: NewOperatorInput,
  reason: unknown,
): Promise<Operator> {
  requireSession(caller)
  return audited(context.log, { caller, action: 'operator.create', reason }, async (tx) => {
    await lockOperators(tx)
    mustStillBeAdmin((await listOperators(tx)).find(({ id }) => id === caller.operatorId))
    const made = { ...input, password: generatePassword() }
    const operator = await createOperator(within(tx, context.accounts), made, caller.operatorId)
    const key = { kind: 'operator', resellerId: 0n, id: operator.id } as const
    await mailWelcome(context.sessions, tx, key, { invitedBy: caller.email, company: null })
    return { target: targetOf(operator), before: null, after: operator, result: operator }
  })
}

export async function editOperator(
  context: AccountsContext,
  caller: OperatorCaller,
  id: string,
  changes: Pick<OperatorChanges, 'role' | 'status'>,
  reason: unknown,
): Promise<Operator> {
  requireSession(caller)
  mustChange(changes)
  const operatorId = parseId(id)
  if (operatorId === undefined) throw unknown('operator')
  refuseOwnAccount(caller.operatorId, operatorId)
  return audited(context.log, { caller, action: 'operator.update', reason }, async (tx) => {
    await lockOperators(tx)
    const present = await listOperators(tx)
    mustStillBeAdmin(present.find((each) => each.id === caller.operatorId))
    const before = present.find((each) => each.id === operatorId)
    if (before === undefined) throw unknown('operator')
    const after = await updateOperator(within(tx, context.accounts), operatorId, changes, caller.operatorId)
    return { target: targetOf(after), before, after, result: after }
  })
}

/**
 * Records that a second admin vouches for an operator as a separate person. The operator may then approve requests of
 * the admin who let them in, but only requests that are made from now on.
 */
export async function vouchFor(
  context: AccountsContext,
  caller: OperatorCaller,
  id: string,
  reason: unknown,
): Promise<Operator> {
  requireSession(caller)
  const operatorId = parseId(id)
  return audited(context.log, { caller, action: 'operator.vouch', reason }, async (tx) => {
    await lockOperators(tx)
    const present = await listOperators(tx)
    const own = present.find((each) => each.id === caller.operatorId)
    mustStillBeAdmin(own)
    const before = present.find((each) => each.id === operatorId)
    if (own === undefined || before === undefined) throw unknown('operator')
    mustNeedIt(before)
    mustBeIndependent(areIndependent(own, before, present))
    const after = await vouchForOperator(tx, before.id)
    if (after === undefined) throw keptOut()
    return { target: targetOf(after), before, after, result: after }
  })
}

function targetOf({ email }: Operator) {
  return { kind: 'operator', id: email }
}
