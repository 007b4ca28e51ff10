import { Type } from 'typebox'
import { CASE_KINDS, CASE_STATES } from '../../cases/types.ts'
import {
  bodyOf,
  dataOf,
  enumOf,
  Instant,
  listOf,
  orNull,
  PAGE_PARAMETERS,
  Reason,
} from '../console/schemas.ts'

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
  account: Type.Optional(Type.String({ description: "The reseller's account number" })),
  state: Type.Optional(Type.String({ description: CASE_STATES.join(', ') })),
  kind: Type.Optional(Type.String({ description: CASE_KINDS.join(', ') })),
  ...PAGE_PARAMETERS,
})

export const CaseParameters = Type.Object({ number: Type.String() })
export const CaseListResponse = listOf(Type.Object(summary, { title: 'Reseller case' }))

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
  Type.String({ description: 'Why, for the audit log; left out: the message' }),
)
const Message = Type.String({ description: 'What the reseller reads; 1 to 500 characters' })

export const TakeCaseBody = bodyOf('Reason request', { reason: Reason })
export const CaseMessageBody = bodyOf('Case message request', { message: Message, reason: OptionalReason })
export const CaseApprovalBody = bodyOf('Approve case request', {
  evidence: Type.String({
    description: "How you know that the biller approved; for the payment's timeline, 1 to 500 characters",
  }),
  reason: Reason,
})
