import { RequestError } from '../../lib/errors.ts'
import type { Approval, ApprovalOperator } from './types.ts'

export type Verdict = 'approved' | 'refused' | 'withdrawn'

/**
 * Whether this operator may decide so; `repeat`: they already did. One person is one operator, whatever sessions and
 * tokens they have; and nobody who became an operator after the request, or whoever asked could make their second.
 */
export function judge(
  approval: Approval,
  caller: Pick<ApprovalOperator, 'operatorId' | 'via'>,
  callerSince: Date,
  verdict: Verdict,
): 'decide' | 'repeat' {
  if (caller.via !== 'session') throw forbidden('session_required', 'A token cannot decide: sign in.')
  const isOwn = approval.requestedBy.id === caller.operatorId
  if (verdict === 'withdrawn' && !isOwn) {
    throw forbidden('not_own_request', 'Only who asked for it can withdraw it.')
  }
  if (verdict !== 'withdrawn' && isOwn) {
    throw forbidden('own_request', 'A second person has to decide: this request is yours.')
  }
  if (callerSince > approval.requestedAt) {
    throw forbidden('operator_too_new', 'Only who was an operator when it was asked for can decide.')
  }
  if (approval.state === 'pending') return 'decide'
  if (approval.state === 'expired') {
    throw conflict('approval_expired', 'The time to decide is over; it has to be asked for again.')
  }
  if (approval.state === verdict && approval.decision?.by.id === caller.operatorId) return 'repeat'
  throw conflict('already_decided', `This was decided before: it is ${approval.state}.`)
}

export function unknownApproval(): RequestError {
  return new RequestError({ status: 404, code: 'not_found', publicText: 'There is no such approval.' })
}

export function mayNotDecide(): RequestError {
  return forbidden('forbidden', 'Your role does not allow this.')
}

function forbidden(code: string, publicText: string): RequestError {
  return new RequestError({ status: 403, code, publicText })
}

function conflict(code: string, publicText: string): RequestError {
  return new RequestError({ status: 409, code, publicText })
}
