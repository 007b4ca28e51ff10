import { createHash } from 'node:crypto'
import { RequestError } from '../../lib/errors.ts'
import type { Operator, User } from '../accounts/types.ts'
import type {
  Approval,
  ApprovalCommand,
  ApprovalMember,
  ApprovalOperator,
  DeciderName,
  Verdict,
} from './types.ts'

export type Parties = {
  /** Operator who decides, as they are now. */
  readonly decider: Operator
  /** Tells whether the requester and the decider count as two persons: see `areIndependent`. */
  readonly isIndependent: boolean
  /** Tells that the requester could not make this request any more. */
  readonly isRequesterGone: boolean
  /**
   * Tells that the requester was let in again, vouched for or given another role after the request: the
   * operator behind them at that time is not known any more.
   */
  readonly isRequesterChanged: boolean
}

/**
 * Decides whether this operator may give this verdict; `repeat`: they already gave it. One operator counts as
 * one person, with any number of sessions and tokens. An operator who got their rights after the request, or
 * who has the same person behind them as the requester, may not decide: one admin could have made both.
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
  const self = { kind: 'operator', id: caller.operatorId } as const
  return judgeState(approval, self, { isRequesterGone, isRequesterChanged }, verdict)
}

/**
 * Decides whether an admin of the reseller may give this verdict. The admin is a second person by themselves: members
 * are let in by their reseller, or with a second person's approval.
 */
export function judgeByMember(
  approval: Approval,
  caller: ApprovalMember,
  member: User | undefined,
  requester: Pick<Parties, 'isRequesterGone' | 'isRequesterChanged'>,
  verdict: Exclude<Verdict, 'withdrawn'>,
): 'decide' | 'repeat' {
  if (approval.resellerId !== caller.reseller.id) throw unknownApproval()
  if (member?.role !== 'admin' || member.status !== 'active') throw mayNotDecide()
  return judgeState(approval, { kind: 'member', id: caller.userId }, requester, verdict)
}

function judgeState(
  approval: Approval,
  self: Pick<DeciderName, 'kind' | 'id'>,
  { isRequesterGone, isRequesterChanged }: Pick<Parties, 'isRequesterGone' | 'isRequesterChanged'>,
  verdict: Verdict,
): 'decide' | 'repeat' {
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
  const by = approval.decision?.by
  if (approval.state === verdict && by?.kind === self.kind && by.id === self.id) return 'repeat'
  throw conflict('already_decided', `This was decided before: it is ${approval.state}.`)
}

const VALUE_LOGGED_MAX = 4_000

/** Returns a command for the audit log: a long value becomes its beginning, its length and its digest. */
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
