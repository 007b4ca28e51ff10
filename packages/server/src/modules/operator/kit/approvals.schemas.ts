import { Type } from 'typebox'
import { parameter } from '../../../http/parameters.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { APPROVAL_STATES, DECIDER_KINDS } from '../../approvals/types.ts'
import { APPROVAL_KINDS, LIST_RULES } from './approvals.rules.ts'
import { dataOf, Id, Instant, listOf, PAGE_PARAMETERS } from './schemas.ts'

export const Approval = Type.Object(
  {
    id: Type.String(),
    kind: Type.Unsafe<string>(enumOf(APPROVAL_KINDS)),
    state: enumOf(APPROVAL_STATES, 'expired: there was no decision in time'),
    target: Type.Object({ kind: Type.String(), id: Type.String() }),
    command: Type.Record(Type.String(), orNull(Type.String()), {
      description: 'The requested change; secrets hidden',
    }),
    reason: Type.String(),
    requested_by: Type.String({ description: "The operator's address" }),
    requested_at: Instant,
    expires_at: Instant,
    decision: orNull(
      Type.Object({
        by: Type.String({ description: 'An e-mail address, or the user name of a member' }),
        by_kind: enumOf(
          DECIDER_KINDS,
          'operator: an operator. member: an admin of the reseller, in the portal. link: whoever used the link in the ' +
            'mail that warned this address; a link can only stop a request',
        ),
        at: Instant,
        reason: Type.String(),
        outcome: Type.Unknown({ description: 'The result, after an approval' }),
      }),
      'null: there is no decision yet',
    ),
  },
  { title: 'Approval' },
)

export const ApprovalListParameters = Type.Object({
  state: parameter(LIST_RULES.state, 'Requests in this state alone'),
  kind: parameter(LIST_RULES.kind, 'Requests of this kind alone'),
  ...PAGE_PARAMETERS,
})

export const ApprovalParameters = Type.Object({ id: Id })
export const ApprovalListResponse = listOf(Approval)
export const ApprovalResponse = dataOf(Approval)
