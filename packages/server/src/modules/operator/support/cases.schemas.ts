import { Type } from 'typebox'
import { documentedAs, parameter } from '../../../http/parameters.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { REASON_SCHEMA } from '../../audit/service.ts'
import { CASE_FIELDS } from '../../cases/operators.service.ts'
import { CASE_KINDS, CASE_STATES } from '../../cases/types.ts'
import { bodyOf, dataOf, Instant, listOf, PAGE_PARAMETERS, Reason } from '../console/schemas.ts'
import { LIST_RULES } from './cases.service.ts'

const summary = {
  reseller: Type.String(),
  number: Type.String({ examples: ['C-2026-000123'] }),
  kind: enumOf(CASE_KINDS),
  state: enumOf(CASE_STATES),
  refid: Type.String(),
  payment_id: Type.String(),
  created_at: Instant,
  updated_at: Instant,
  due_at: Instant,
  closed_at: orNull(Instant),
}

export const CaseListParameters = Type.Object({
  account: parameter(LIST_RULES.account, "The reseller's account number"),
  state: parameter(CASE_FIELDS.state, 'Cases in this state alone'),
  kind: parameter(CASE_FIELDS.kind, 'Cases of this kind alone'),
  order: parameter(
    CASE_FIELDS.order,
    'newest: all cases, the newest first. due: cases that are not closed, the one that is due first in front',
  ),
  ...PAGE_PARAMETERS,
})

export const CaseParameters = Type.Object({ number: documentedAs(CASE_FIELDS.number, Type.String()) })
export const CaseSummary = Type.Object(summary, { title: 'Reseller case' })
export const CaseListResponse = listOf(CaseSummary)

export const CaseResponse = dataOf(
  Type.Object(
    {
      ...summary,
      cc: Type.Array(Type.String()),
      refund_type: orNull(Type.Number(), 'null: it is a dispute'),
      refund_reason: orNull(Type.String()),
      messages: Type.Array(
        Type.Object({
          author: enumOf(['reseller', 'operator', 'system']),
          text: Type.String(),
          at: Instant,
        }),
        { description: 'Oldest first' },
      ),
    },
    { title: 'Reseller case details' },
  ),
)

const OptionalReason = Type.Optional(
  documentedAs(
    { schema: REASON_SCHEMA },
    Type.String({ description: 'Why, for the audit log; left out: the message' }),
  ),
)
const Message = documentedAs(CASE_FIELDS.message, Type.String({ description: 'Message for the reseller' }))

export const TakeCaseBody = bodyOf('Reason request', { reason: Reason })
export const CaseMessageBody = bodyOf('Case message request', { message: Message, reason: OptionalReason })
export const CaseApprovalBody = bodyOf('Approve case request', {
  evidence: documentedAs(
    CASE_FIELDS.evidence,
    Type.String({
      description: "How you know that the biller approved; for the payment's timeline, 1 to 500 characters",
    }),
  ),
  reason: Reason,
})
