import { formatDay } from '../../../lib/dates.ts'
import { formatMoney } from '../../../lib/money.ts'
import type { OperatorDepositRequest } from './deposit-requests.service.ts'

export function depositRequestView({ request, reseller, decidedBy, sameReference }: OperatorDepositRequest) {
  return {
    id: String(request.id),
    state: request.state,
    reseller,
    amount: formatMoney(request.amount),
    transferred_on: formatDay(request.transferredOn),
    bank_reference: request.bankReference,
    note: request.note,
    slip: { kind: request.slip.kind, bytes: request.slip.size },
    reported_by: request.reporter,
    reported_at: request.reportedAt.toISOString(),
    changed_at: request.changedAt.toISOString(),
    decided_by: decidedBy,
    approval_id: request.approvalId === null ? null : String(request.approvalId),
    refusal: request.refusal === '' ? null : request.refusal,
    entry_number: request.entrySequence === null ? null : String(request.entrySequence),
    same_reference: sameReference.map(({ id, account }) => ({ id: String(id), account })),
  }
}
