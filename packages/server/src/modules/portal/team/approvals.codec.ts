import { Type } from 'typebox'
import { resource } from '../../../http/codec.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import type { Approval } from '../../approvals/types.ts'
import { APPROVAL_STATES, DECIDER_KINDS } from '../../approvals/types.ts'
import { STOP_OUTCOMES } from '../../grants/types.ts'
import { Instant } from '../access/schemas.ts'

const Text = orNull(Type.String())

/** Request about an account, as its admins see it. */
export const PORTAL_APPROVAL = resource<Approval>()('Request for access', {
  id: [Type.String(), ({ id }) => String(id)],
  kind: [Type.Unsafe<string>(enumOf(['user_create', 'user_change', 'reseller_email'])), ({ kind }) => kind],
  state: [enumOf(APPROVAL_STATES), ({ state }) => state],
  command: [
    Type.Object(
      { username: Text, email: Text, role: Text, status: Text, from: Text },
      {
        description:
          'The change. user_create: a login `username` with the mail address `email` and the role `role`. user_change: ' +
          'the login gets `role` or `status`. reseller_email: the registered address becomes `email`; `from` is the present one.',
      },
    ),
    ({ command: { username = null, email = null, role = null, status = null, from = null } }) => ({
      username,
      email,
      role,
      status,
      from,
    }),
  ],
  reason: [Type.String(), ({ reason }) => reason],
  requested_by: [
    Type.String({ description: 'Address of the operator who asks' }),
    ({ requestedBy }) => requestedBy.email,
  ],
  requested_at: [Instant, ({ requestedAt }) => requestedAt.toISOString()],
  expires_at: [Instant, ({ expiresAt }) => expiresAt.toISOString()],
  decision: [
    orNull(
      Type.Object({
        by: Type.String({ description: 'An e-mail address, or the user name of a member' }),
        by_kind: enumOf(DECIDER_KINDS),
        at: Instant,
        reason: Type.String(),
      }),
    ),
    ({ decision }) =>
      decision && {
        by: decision.by.name,
        by_kind: decision.by.kind,
        at: decision.at.toISOString(),
        reason: decision.reason,
      },
  ],
})

/** Outcome of a request that was stopped by the link in a mail. */
export const STOPPED = Type.Object(
  {
    outcome: {
      ...enumOf(STOP_OUTCOMES),
      description:
        'refused: the request is stopped and can no longer be approved. undone: it had been carried out, and was undone. ' +
        'nothing: it was never carried out and never will be; somebody had refused or withdrawn it, or its time was over.',
    },
  },
  { title: 'Stopped request for access' },
)
