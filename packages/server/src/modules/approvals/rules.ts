import { createHash } from 'node:crypto'
import { RequestError } from '../../lib/errors.ts'
import type { Operator } from '../accounts/types.ts'
import type { Approval, ApprovalCommand, ApprovalOperator } from './types.ts'

export type Verdict = 'approved' | 'refused' | 'withdrawn'

export type Parties = {
  /** Those who decide, as they are now. */
  readonly decider: Operator
  /** Whether who asked and who decides are two persons: see `areIndependent`. */
  readonly isIndependent: boolean
  /** Whether who asked could still ask. */
  readonly isRequesterGone: boolean
  /** Whether who asked became what they are after they did: who stood behind them then is not known any more. */
  readonly isRequesterChanged: boolean
}

/**
 * Whether this operator may decide so; `repeat`: they already did. One person is one operator, whatever sessions and
 * tokens they have; and nobody who became what they are after the request, or who has the same person behind them as who
 * asked: an admin could make both.
 */
export function judge(
  approval: Approval,
  caller: Pick<ApprovalOperator, 'operatorId' | 'via'>,
  { decider, isIndependent, isRequesterGone, isRequesterChanged }: Parties,
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
  if (verdict !== 'withdrawn') {
    if (decider.empoweredAt > approval.requestedAt) {
      throw forbidden(
        'operator_too_new',
        'Only who was let in, in their role, before it was asked for can decide.',
      )
    }
    if (!isIndependent) {
      throw forbidden(
        'not_independent',
        'Who asked and who decides were let in one by the other, or by the same person, and nobody vouched for them.',
      )
    }
  }
  if (approval.state === 'pending') {
    if (verdict === 'approved' && isRequesterGone) {
      throw conflict('requester_gone', 'Who asked for it could not ask any more: it can only be refused.')
    }
    if (verdict === 'approved' && isRequesterChanged) {
      throw conflict(
        'requester_changed',
        'Who asked for it was let in again, vouched for or given another role since: it has to be asked for again.',
      )
    }
    return 'decide'
  }
  if (approval.state === 'expired') {
    throw conflict('approval_expired', 'The time to decide is over; it has to be asked for again.')
  }
  if (approval.state === verdict && approval.decision?.by.id === caller.operatorId) return 'repeat'
  throw conflict('already_decided', `This was decided before: it is ${approval.state}.`)
}

const VALUE_LOGGED_MAX = 4_000

/** A command as the audit log takes it: a long value by its beginning, its length and its digest. */
export function loggedCommand(command: ApprovalCommand): ApprovalCommand {
  const entries = Object.entries(command).map(([name, value]): [string, string | null] => {
    if (value === null || value.length <= VALUE_LOGGED_MAX) return [name, value]
    const digest = createHash('sha256').update(value, 'utf8').digest('hex')
    return [name, `${value.slice(0, VALUE_LOGGED_MAX)}… (${value.length} characters, SHA-256 ${digest})`]
  })
  return Object.fromEntries(entries)
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
