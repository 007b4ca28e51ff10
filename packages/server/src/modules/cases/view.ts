import type { Case, CaseReport, SupportResult } from './types.ts'

export function supportView(result: SupportResult) {
  const status = result.kind === 'opened' ? 'Success' : 'Failed'
  return { data: { refid: result.refid, status, message: messageOf(result) } } as const
}

function messageOf(result: SupportResult): string {
  switch (result.kind) {
    case 'opened':
      return `Your request was received. The case number is ${result.number}.`
    case 'already_open':
      return 'A support request for this transaction already exists.'
    case 'failed_before':
      return 'The transaction failed and was already refunded automatically.'
    case 'voided_before':
      return 'The transaction was already voided and refunded.'
  }
}

export function caseListView({ cases, hasMore }: { cases: readonly Case[]; hasMore: boolean }) {
  return {
    data: cases.map(caseView),
    cursor: hasMore ? (cases.at(-1)?.number ?? null) : null,
    has_more: hasMore,
  }
}

export function caseView(each: Case) {
  return {
    number: each.number,
    kind: each.kind,
    state: each.state,
    refid: each.refid,
    transaction_id: String(each.paymentId),
    created_at: each.openedAt.toISOString(),
    updated_at: each.changedAt.toISOString(),
    due_at: each.dueAt.toISOString(),
    closed_at: each.closedAt?.toISOString() ?? null,
  }
}

export function caseReportView({ case: each, messages, copies }: CaseReport) {
  return {
    ...caseView(each),
    cc: copies,
    refund_type: each.refund?.type ?? null,
    refund_reason: each.refund?.reason ?? null,
    messages: messages.map(({ author, text, at }) => ({ author, text, at: at.toISOString() })),
  }
}
