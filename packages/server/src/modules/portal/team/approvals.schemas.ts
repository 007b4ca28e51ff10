import { Type } from 'typebox'
import { documentedAs } from '../../../http/parameters.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { ID } from '../../../lib/input/ids.ts'
import { APPROVAL_STATES, DECIDER_KINDS } from '../../approvals/types.ts'
import { STOP_OUTCOMES } from '../../grants/types.ts'
import { dataOf, Instant, listOf } from '../access/schemas.ts'

const Text = orNull(Type.String())

const PortalApproval = Type.Object(
  {
    id: Type.String(),
    kind: Type.Unsafe<string>(enumOf(['user_create', 'user_change', 'reseller_email'])),
    state: enumOf(APPROVAL_STATES),
    command: Type.Object(
      { username: Text, email: Text, role: Text, status: Text, from: Text },
      {
        description:
          'The change. user_create: a login `username` with the mail address `email` and the role `role`. user_change: ' +
          'the login gets `role` or `status`. reseller_email: the registered address becomes `email`; `from` is the present one.',
      },
    ),
    reason: Type.String(),
    requested_by: Type.String({ description: 'Address of the operator who asks' }),
    requested_at: Instant,
    expires_at: Instant,
    decision: orNull(
      Type.Object({
        by: Type.String({ description: 'An e-mail address, or the user name of a member' }),
        by_kind: enumOf(DECIDER_KINDS),
        at: Instant,
        reason: Type.String(),
      }),
    ),
  },
  { title: 'Request for access' },
)

export const ApprovalListResponse = listOf(PortalApproval)
export const ApprovalResponse = dataOf(PortalApproval)
export const ApprovalParams = Type.Object({
  id: documentedAs(ID, Type.String({ description: 'The id of a request' })),
})

const TOKEN_LENGTH_MAX = 200

export const StopBody = Type.Object({
  token: Type.String({ maxLength: TOKEN_LENGTH_MAX, description: 'That of the mail, `wst_…`' }),
})

export const StopResponse = dataOf(
  Type.Object(
    {
      outcome: {
        ...enumOf(STOP_OUTCOMES),
        description:
          'refused: the request is stopped and can no longer be approved. undone: it had been carried out, and was undone. ' +
          'nothing: it was never carried out and never will be; somebody had refused or withdrawn it, or its time was over.',
      },
    },
    { title: 'Stopped request for access' },
  ),
)
