import type { Approval } from '../../approvals/types.ts'

export function portalApprovalView(approval: Approval) {
  const { command, decision } = approval
  return {
    id: String(approval.id),
    kind: approval.kind,
    state: approval.state,
    command: {
      username: command.username ?? null,
      email: command.email ?? null,
      role: command.role ?? null,
      status: command.status ?? null,
      from: command.from ?? null,
    },
    reason: approval.reason,
    requested_by: approval.requestedBy.email,
    requested_at: approval.requestedAt.toISOString(),
    expires_at: approval.expiresAt.toISOString(),
    decision: decision && {
      by: decision.by.name,
      by_kind: decision.by.kind,
      at: decision.at.toISOString(),
      reason: decision.reason,
    },
  }
}
