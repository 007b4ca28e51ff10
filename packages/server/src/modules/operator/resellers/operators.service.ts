import type { Tx } from '../../../db/database.ts'
import { parseId } from '../../../lib/input/ids.ts'
import { lockOperators, vouchForOperator } from '../../accounts/public.sql.ts'
import type { OperatorChanges } from '../../accounts/service.ts'
import { listOperators } from '../../accounts/service.ts'
import type { Operator, OperatorRole } from '../../accounts/types.ts'
import { areIndependent } from '../../approvals/independence.service.ts'
import { audited, readReason } from '../../audit/service.ts'
import type { Done } from '../../audit/types.ts'
import { changeOperator, makeOperator, operatorTarget } from '../../grants/executors.service.ts'
import { SecondPersonNeeded } from '../../grants/guard.service.ts'
import { listWatchers, mailDone } from '../../grants/notices.service.ts'
import { isOperatorGrant } from '../../grants/rules.ts'
import { grantOrAsk, hasSecondAdmin } from '../../grants/service.ts'
import type { Grant, Granted } from '../../grants/types.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import { mustChange, unknown } from '../console/pages.rules.ts'
import {
  keptOut,
  mustBeIndependent,
  mustNeedIt,
  mustStillBeAdmin,
  refuseOwnAccount,
} from './operators.rules.ts'
import type { AccountsContext } from './resellers.service.ts'

export type NewOperatorInput = { readonly email: string; readonly name: string; readonly role: OperatorRole }

export function listAllOperators({ database }: AccountsContext): Promise<Operator[]> {
  return listOperators(database)
}

/** Adds an operator, or asks a second admin to where there is one. */
export async function addOperator(
  context: AccountsContext,
  caller: OperatorCaller,
  input: NewOperatorInput,
  given: unknown,
): Promise<Granted<Operator>> {
  const reason = readReason(given)
  const grant = { kind: 'operator_create', command: input, company: null } as const
  return grantOrAsk(context, caller, {
    reason,
    work: () =>
      audited(context.log, { caller, action: 'operator.create', reason }, async (tx) => {
        const { own, present } = await lockAdmin(tx, caller)
        const by = { id: caller.operatorId, email: caller.email }
        return alone(context, tx, { grant, own, present }, () => makeOperator(context, tx, input, by))
      }),
    grantOf: () => ({ ...grant, target: operatorTarget({ email: input.email.toLowerCase() }) }),
  })
}

export async function editOperator(
  context: AccountsContext,
  caller: OperatorCaller,
  id: string,
  changes: Pick<OperatorChanges, 'role' | 'status'>,
  given: unknown,
): Promise<Granted<Operator>> {
  const reason = readReason(given)
  mustChange(changes)
  const operatorId = parseId(id)
  if (operatorId === undefined) throw unknown('operator')
  refuseOwnAccount(caller.operatorId, operatorId)
  const find = (present: readonly Operator[]) => {
    const found = present.find((each) => each.id === operatorId)
    if (found === undefined) throw unknown('operator')
    return found
  }
  const grantFor = ({ email, name }: Operator) => ({
    kind: 'operator_change' as const,
    command: { operator: id, email, name, role: changes.role ?? null, status: changes.status ?? null },
    company: null,
  })
  return grantOrAsk(context, caller, {
    reason,
    work: () =>
      audited(context.log, { caller, action: 'operator.update', reason }, async (tx) => {
        const { own, present } = await lockAdmin(tx, caller)
        const before = find(present)
        const work = () => changeOperator(context, tx, before, changes, caller.operatorId)
        if (!isOperatorGrant(before, changes)) return work()
        return alone(context, tx, { grant: grantFor(before), own, present }, work)
      }),
    grantOf: async () => {
      const operator = find(await listOperators(context.database))
      return { ...grantFor(operator), target: operatorTarget(operator) }
    },
  })
}

async function lockAdmin(
  tx: Tx,
  { operatorId }: OperatorCaller,
): Promise<{ own: Operator; present: Operator[] }> {
  await lockOperators(tx)
  const present = await listOperators(tx)
  const own = present.find(({ id }) => id === operatorId)
  mustStillBeAdmin(own)
  if (own === undefined) throw unknown('operator')
  return { own, present }
}

/** Carries out what one admin may do while there is no second one, and tells the admins. */
async function alone(
  context: AccountsContext,
  tx: Tx,
  { grant, own, present }: { readonly grant: Grant; readonly own: Operator; readonly present: Operator[] },
  work: () => Promise<Done<Operator>>,
): Promise<Done<Operator>> {
  const recipients = await listWatchers(tx, null, context)
  const done = await work()
  if (hasSecondAdmin(context, own, present)) throw new SecondPersonNeeded()
  await mailDone(context, tx, null, { grant, by: own.email, approvedBy: null }, recipients)
  return done
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
    return { target: operatorTarget(after), before, after, result: after }
  })
}
