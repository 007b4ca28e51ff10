import { Type } from 'typebox'
import { resource } from '../../../http/codec.ts'
import { parameter } from '../../../http/parameters.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import type { Approval } from '../../approvals/types.ts'
import { APPROVAL_STATES, DECIDER_KINDS } from '../../approvals/types.ts'
import { withoutSecrets } from '../../audit/service.ts'
import type { ComparisonView } from '../../margins/types.ts'
import { APPROVAL_KINDS, LIST_RULES } from './approvals.rules.ts'
import { dataOf, Id, Instant, listOf, PAGE_PARAMETERS } from './schemas.ts'

/** Request for a second person, as operators and commands see it. */
export const APPROVAL = resource<Approval>()('Approval', {
  id: [Type.String(), ({ id }) => String(id)],
  kind: [Type.Unsafe<string>(enumOf(APPROVAL_KINDS)), ({ kind }) => kind],
  state: [enumOf(APPROVAL_STATES, 'expired: there was no decision in time'), ({ state }) => state],
  target: [Type.Object({ kind: Type.String(), id: Type.String() }), ({ target }) => target],
  command: [
    Type.Record(Type.String(), orNull(Type.String()), {
      description: 'The requested change; secrets hidden',
    }),
    ({ command }) => Object.fromEntries(Object.entries(command).map(maskedMember)),
  ],
  reason: [Type.String(), ({ reason }) => reason],
  requested_by: [
    Type.String({ description: "The operator's address" }),
    ({ requestedBy }) => requestedBy.email,
  ],
  requested_at: [Instant, ({ requestedAt }) => requestedAt.toISOString()],
  expires_at: [Instant, ({ expiresAt }) => expiresAt.toISOString()],
  decision: [
    orNull(
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
    ({ decision }) =>
      decision && {
        by: decision.by.name,
        by_kind: decision.by.kind,
        at: decision.at.toISOString(),
        reason: decision.reason,
        outcome: decision.outcome ?? null,
      },
  ],
})

/** Masks each member by itself: a long one must not hide the others, which say what is to be approved. */
function maskedMember([name, value]: readonly [string, string | null]): [string, string | null] {
  if (value === null) return [name, value]
  const probe = value === '' ? '' : 'x'
  const masked = withoutSecrets({ [name]: probe }) as Readonly<Record<string, string>>
  return [name, masked[name] === probe ? value : (masked[name] ?? null)]
}

const VALUE_LENGTH_MAX = 2_000

/** Shows an approval in a list, with long values shortened: an import that waits for its approval may be long. */
export function approvalLineView(approval: Approval) {
  const command = Object.entries(approval.command).map(([name, value]) => [name, shortened(value)])
  return APPROVAL.encode({ ...approval, command: Object.fromEntries(command) })
}

function shortened(value: string | null): string | null {
  return value !== null && value.length > VALUE_LENGTH_MAX ? `${value.slice(0, VALUE_LENGTH_MAX)}…` : value
}

export function askedView({ approval, comparison }: { approval: Approval; comparison: ComparisonView }) {
  return { approval: approvalLineView(approval), comparison }
}

export const ApprovalListParameters = Type.Object({
  state: parameter(LIST_RULES.state, 'Requests in this state alone'),
  kind: parameter(LIST_RULES.kind, 'Requests of this kind alone'),
  ...PAGE_PARAMETERS,
})

export const ApprovalParameters = Type.Object({ id: Id })
export const ApprovalListResponse = listOf(APPROVAL.schema)
export const ApprovalResponse = dataOf(APPROVAL.schema)
