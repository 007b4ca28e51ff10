import { formatDay } from '../../../lib/dates.ts'
import { formatMoney } from '../../../lib/money.ts'
import type { DepositRequest } from '../../deposits/types.ts'

/** Shows a request to its reseller. Who decided, and requests of other resellers, are not theirs to know. */
export function depositRequestView(request: DepositRequest) {
  return {
    id: String(request.id),
    state: request.state,
    amount: formatMoney(request.amount),
    transferred_on: formatDay(request.transferredOn),
    bank_reference: request.bankReference,
    note: request.note,
    slip: { kind: request.slip.kind, bytes: request.slip.size },
    reported_by: request.reporter,
    reported_at: request.reportedAt.toISOString(),
    changed_at: request.changedAt.toISOString(),
    refusal: request.refusal === '' ? null : request.refusal,
    entry_number: request.entrySequence === null ? null : String(request.entrySequence),
    warnings: warningsOf(request),
  }
}

function warningsOf({ resellerId, sameReference }: DepositRequest) {
  const own = sameReference.filter((each) => each.resellerId === resellerId).map(({ id }) => String(id))
  if (own.length === 0) return []
  const message = `The same bank reference was reported before (${own.join(', ')}). A transfer is credited once.`
  return [{ code: 'same_bank_reference' as const, message, requests: own }]
}
