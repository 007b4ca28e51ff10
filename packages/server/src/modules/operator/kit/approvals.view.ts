import type { Approval } from '../../approvals/types.ts'
import { withoutSecrets } from '../../audit/service.ts'
import type { ComparisonView } from '../../margins/types.ts'

const VALUE_LENGTH_MAX = 2_000

/** Shows an approval in a list, with long values shortened: an import that waits for its approval may be long. */
export function approvalLineView(approval: Approval) {
  const command = Object.entries(approval.command).map(([name, value]) => [name, shortened(value)])
  return approvalView({ ...approval, command: Object.fromEntries(command) })
}

function shortened(value: string | null): string | null {
  return value !== null && value.length > VALUE_LENGTH_MAX ? `${value.slice(0, VALUE_LENGTH_MAX)}…` : value
}

export function approvalView(approval: Approval) {
  const { decision } = approval
  return {
    id: String(approval.id),
    kind: approval.kind,
    state: approval.state,
    target: approval.target,
    command: Object.fromEntries(Object.entries(approval.command).map(maskedMember)),
    reason: approval.reason,
    requested_by: approval.requestedBy.email,
    requested_at: approval.requestedAt.toISOString(),
    expires_at: approval.expiresAt.toISOString(),
    decision: decision && {
      by: decision.by.name,
      by_kind: decision.by.kind,
      at: decision.at.toISOString(),
      reason: decision.reason,
      outcome: decision.outcome ?? null,
    },
  }
}

/** Masks each member by itself: a long one must not hide the others, which say what is to be approved. */
function maskedMember([name, value]: readonly [string, string | null]): [string, string | null] {
  if (value === null) return [name, value]
  const probe = value === '' ? '' : 'x'
  const masked = withoutSecrets({ [name]: probe }) as Readonly<Record<string, string>>
  return [name, masked[name] === probe ? value : (masked[name] ?? null)]
}

export function askedView({ approval, comparison }: { approval: Approval; comparison: ComparisonView }) {
  return { approval: approvalLineView(approval), comparison }
}
