import type { Operator } from '../accounts/types.ts'
import type { Parties } from './rules.ts'
import { mayNotDecide } from './rules.ts'
import type { Approval, ApprovalOperator, ApprovalSettings, Verdict } from './types.ts'

/**
 * Tells whether two operators count as two persons: no operator is in the chains of both. An operator who lets
 * another in chooses the address that the first password is mailed to. So a new operator counts as controlled
 * by the one who let them in, until a second admin, or a person at the machine, vouches for them.
 */
export function areIndependent(a: Operator, b: Operator, all: readonly Operator[]): boolean {
  const [behindA, behindB] = [chainOf(a, all), chainOf(b, all)]
  return behindA !== undefined && behindB !== undefined && !behindA.some((id) => behindB.includes(id))
}

/**
 * Lists the operator, the one who let them in, the one who let that one in, and so on, up to an operator whom
 * nobody let in. undefined: the chain has no end, because operators let each other in again in a ring.
 */
function chainOf(operator: Operator, all: readonly Operator[]): readonly bigint[] | undefined {
  const found = [operator.id]
  let by = operator.empoweredBy
  while (by !== null) {
    const next = all.find(({ id }) => id === by)
    if (next === undefined || found.includes(next.id)) return undefined
    found.push(next.id)
    by = next.empoweredBy
  }
  return found
}

/** Finds who asked and who decides among the operators as they are now. */
export function partiesAmong(
  settings: ApprovalSettings,
  all: readonly Operator[],
  approval: Approval,
  { operatorId }: Pick<ApprovalOperator, 'operatorId'>,
  verdict: Verdict,
): Parties {
  const decider = all.find(({ id }) => id === operatorId)
  const mayDecide = verdict === 'withdrawn' || (decider && settings.mayDecide(decider.role, approval.kind))
  if (decider?.status !== 'active' || !mayDecide) throw mayNotDecide()
  const requester = all.find(({ id }) => id === approval.requestedBy.id)
  return {
    decider,
    isIndependent: requester !== undefined && areIndependent(requester, decider, all),
    ...requesterAmong(settings, all, approval),
  }
}

export function requesterAmong(
  { mayRequest }: ApprovalSettings,
  all: readonly Operator[],
  { kind, requestedBy, requestedAt }: Approval,
): Pick<Parties, 'isRequesterGone' | 'isRequesterChanged'> {
  const requester = all.find(({ id }) => id === requestedBy.id)
  return {
    isRequesterGone: requester?.status !== 'active' || !mayRequest(requester.role, kind),
    isRequesterChanged: requester !== undefined && requester.empoweredAt > requestedAt,
  }
}
