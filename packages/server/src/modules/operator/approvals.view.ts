import type { Approval } from '../approvals/types.ts'
import { withoutSecrets } from '../audit/service.ts'

export function approvalView(approval: Approval) {
  const { decision } = approval
  return {
    id: String(approval.id),
    kind: approval.kind,
    state: approval.state,
    target: approval.target,
    command: withoutSecrets(approval.command),
    reason: approval.reason,
    requested_by: approval.requestedBy.email,
    requested_at: approval.requestedAt.toISOString(),
    expires_at: approval.expiresAt.toISOString(),
    decision: decision && {
      by: decision.by.email,
      at: decision.at.toISOString(),
      reason: decision.reason,
      outcome: decision.outcome ?? null,
    },
  }
}
