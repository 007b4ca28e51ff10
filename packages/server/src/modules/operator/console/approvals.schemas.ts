import { Type } from 'typebox'
import { APPROVAL_STATES } from '../../approvals/types.ts'
import { bodyOf, dataOf, enumOf, Instant, listOf, orNull, PAGE_PARAMETERS, Reason } from './schemas.ts'

export const Approval = Type.Object(
  {
    id: Type.String(),
    kind: Type.String({
      description:
        'deposit, adjustment, payment_resolution, void, price_change, catalogue_change or route_change',
    }),
    state: enumOf(APPROVAL_STATES, 'expired: nobody decided in time'),
    target: Type.Object({ kind: Type.String(), id: Type.String() }),
    command: Type.Record(Type.String(), orNull(Type.String()), {
      description: 'What is to be done; secrets hidden',
    }),
    reason: Type.String(),
    requested_by: Type.String({ description: "The operator's address" }),
    requested_at: Instant,
    expires_at: Instant,
    decision: orNull(
      Type.Object({
        by: Type.String(),
        at: Instant,
        reason: Type.String(),
        outcome: Type.Unknown({ description: 'What came of it, when it was approved' }),
      }),
      'null: nobody decided yet',
    ),
  },
  { title: 'Approval' },
)

export const ApprovalListParameters = Type.Object({
  state: Type.Optional(Type.String({ description: APPROVAL_STATES.join(', ') })),
  kind: Type.Optional(Type.String()),
  ...PAGE_PARAMETERS,
})

export const ApprovalParameters = Type.Object({ id: Type.String() })
export const ApprovalListResponse = listOf(Approval)
export const ApprovalResponse = dataOf(Approval)
export const DecisionBody = bodyOf('Reason request', { reason: Reason })
