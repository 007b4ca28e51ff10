import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { RequestError } from '../../lib/errors.ts'
import type { Operator } from '../accounts/types.ts'
import type { Parties } from './rules.ts'
import { judge, loggedCommand, mayNotDecide, unknownApproval } from './rules.ts'
import type { Approval, ApprovalOperator, ApprovalState, Verdict } from './types.ts'

const ASKER = 7n
const DECIDER = 8n
const REQUESTED_AT = new Date('2026-11-01T08:00:00Z')

function approvalIn(state: ApprovalState, decidedBy: bigint | null = null): Approval {
  return {
    id: 1n,
    kind: 'deposit',
    target: { kind: 'reseller', id: '1' },
    command: {},
    reason: 'a slip',
    state,
    requestedBy: { id: ASKER, email: 'asker@example.com' },
    requestedAt: REQUESTED_AT,
    expiresAt: new Date('2026-11-02T08:00:00Z'),
    decision:
      decidedBy === null
        ? null
        : {
            by: { kind: 'operator', id: decidedBy, name: 'decider@example.com' },
            at: REQUESTED_AT,
            reason: 'seen',
            outcome: null,
          },
  }
}

const PARTIES: Parties = {
  decider: { id: DECIDER, empoweredAt: REQUESTED_AT } as Operator,
  isIndependent: true,
  isRequesterGone: false,
  isRequesterChanged: false,
}

type Case = {
  readonly state?: ApprovalState
  readonly decidedBy?: bigint
  readonly operatorId?: bigint
  readonly via?: ApprovalOperator['via']
  readonly verdict?: Verdict
} & Partial<Parties>

/** Judges a case: the answer, or status and code of the refusal. */
function judged({ state, decidedBy, operatorId, via, verdict, ...parties }: Case) {
  const caller = { operatorId: operatorId ?? DECIDER, via: via ?? 'session' }
  const approval = approvalIn(state ?? 'pending', decidedBy)
  try {
    return judge(approval, caller, { ...PARTIES, ...parties }, verdict ?? 'approved')
  } catch (error) {
    const { status, code } = error as RequestError
    return `${status} ${code}`
  }
}

describe('a decision about a request', () => {
  it.each<[string, Case, string]>([
    ['a second person approves', {}, 'decide'],
    ['a second person refuses', { verdict: 'refused' }, 'decide'],
    ['the requester withdraws', { verdict: 'withdrawn', operatorId: ASKER }, 'decide'],
    ['a token approves', { via: 'token' }, '403 session_required'],
    ['a token withdraws', { via: 'token', verdict: 'withdrawn', operatorId: ASKER }, '403 session_required'],
    ['the requester approves', { operatorId: ASKER }, '403 own_request'],
    ['the requester refuses', { operatorId: ASKER, verdict: 'refused' }, '403 own_request'],
    ['another person withdraws', { verdict: 'withdrawn' }, '403 not_own_request'],
    ['a person who is not independent approves', { isIndependent: false }, '403 not_independent'],
    [
      'a person who is not independent refuses',
      { isIndependent: false, verdict: 'refused' },
      '403 not_independent',
    ],
    [
      'the requester withdraws, independent of nobody',
      { isIndependent: false, verdict: 'withdrawn', operatorId: ASKER },
      'decide',
    ],
    ['the requester is gone', { isRequesterGone: true }, '409 requester_gone'],
    ['the requester is gone, and it is refused', { isRequesterGone: true, verdict: 'refused' }, 'decide'],
    ['the requester has changed', { isRequesterChanged: true }, '409 requester_changed'],
    [
      'the requester has changed, and it is refused',
      { isRequesterChanged: true, verdict: 'refused' },
      'decide',
    ],
    ['its time is over', { state: 'expired' }, '409 approval_expired'],
    ['the same person approves again', { state: 'approved', decidedBy: DECIDER }, 'repeat'],
    ['another person approved', { state: 'approved', decidedBy: 9n }, '409 already_decided'],
    ['the same person refused', { state: 'refused', decidedBy: DECIDER }, '409 already_decided'],
    ['it has no decision', { state: 'approved' }, '409 already_decided'],
  ])('%s', (_, given, expected) => expect(judged(given)).toBe(expected))

  it('rights that came after the request do not count, and rights of the same moment do', () => {
    const since = (ms: number) => ({
      ...PARTIES.decider,
      empoweredAt: new Date(REQUESTED_AT.getTime() + ms),
    })
    expect(judged({ decider: since(0) })).toBe('decide')
    expect(judged({ decider: since(1) })).toBe('403 operator_too_new')
    expect(judged({ decider: since(1), verdict: 'refused' })).toBe('403 operator_too_new')
    expect(judged({ decider: since(1), verdict: 'withdrawn', operatorId: ASKER })).toBe('decide')
  })

  it('the refusal of a decided request says how it was decided', () => {
    expect(() =>
      judge(approvalIn('refused', 9n), { operatorId: DECIDER, via: 'session' }, PARTIES, 'approved'),
    ).toThrow('This was decided before: it is refused.')
  })
})

describe('a command in the audit log', () => {
  it('keeps null and values of up to 4,000 characters as they are', () => {
    const command = { amount: '10.00', slip: null, text: 'x'.repeat(4_000) }
    expect(loggedCommand(command)).toEqual(command)
  })

  it('shows the beginning, the length and the digest of a longer value', () => {
    const value = `${'x'.repeat(4_000)}é`
    const digest = createHash('sha256').update(value, 'utf8').digest('hex')
    expect(loggedCommand({ text: value })).toEqual({
      text: `${'x'.repeat(4_000)}… (4001 characters, SHA-256 ${digest})`,
    })
  })
})

it('an unknown request is a 404, and a role that may not decide gets a 403', () => {
  expect(unknownApproval()).toMatchObject({ status: 404, code: 'not_found' })
  expect(mayNotDecide()).toMatchObject({ status: 403, code: 'forbidden' })
})
