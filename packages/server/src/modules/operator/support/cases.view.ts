import type { OperatorCase, OperatorReport } from '../../cases/operators.service.ts'

export function operatorCaseView(each: OperatorCase) {
  return {
    reseller: each.account,
    number: each.number,
    kind: each.kind,
    state: each.state,
    refid: each.refid,
    payment_id: String(each.paymentId),
    created_at: each.openedAt.toISOString(),
    updated_at: each.changedAt.toISOString(),
    due_at: each.dueAt.toISOString(),
    closed_at: each.closedAt?.toISOString() ?? null,
  }
}

export function operatorCaseReportView({ case: each, account, messages }: OperatorReport) {
  return {
    ...operatorCaseView({ ...each, account }),
    cc: each.cc,
    refund_type: each.refund?.type ?? null,
    refund_reason: each.refund?.reason ?? null,
    messages: messages.map(({ author, text, at }) => ({ author, text, at: at.toISOString() })),
  }
}

/** Shows the parts of a case that a step can change. */
export function caseStateView({ case: each, messages }: OperatorReport) {
  return { kind: each.kind, state: each.state, payment_id: String(each.paymentId), messages: messages.length }
}
