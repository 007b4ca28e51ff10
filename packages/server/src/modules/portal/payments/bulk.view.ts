import type { Amount } from '../../../lib/money.ts'
import { formatMoney } from '../../../lib/money.ts'
import type { Masks } from '../../../lib/secrets/masks.ts'
import type { Rejection } from '../../payments/core/types.ts'
import type { ListedPayment } from '../../payments/read/listing.service.ts'
import type { BulkStatus, BulkTotal } from './bulk.rules.ts'
import type { BulkPreview, BulkRepeat, BulkResult } from './bulk.service.ts'
import { statusLabel } from './payments.rules.ts'
import type { Currencies } from './payments.view.ts'
import { listedPaymentView } from './payments.view.ts'

export function bulkPreviewView(preview: BulkPreview, fileDigest: string | undefined) {
  const { blocked, results, balance, carried } = preview
  const total = (status: BulkStatus) => totalOf(results, status, carried.byStatus[status])
  const ready = total('ready')
  return {
    file_digest: fileDigest ?? null,
    blocked,
    lines: results.map(bulkLineView),
    totals: {
      lines: carried.lines + results.length,
      by_status: {
        ready: totalView(ready),
        problem: totalView(total('problem')),
        unchecked: totalView(total('unchecked')),
        exists: totalView(total('exists')),
      },
      balance: formatMoney(balance),
      balance_after: formatMoney(balance - ready.cost),
      is_balance_enough: ready.cost <= balance,
    },
  }
}

function bulkLineView(result: BulkResult) {
  const { request, decision, price, payment } = result
  return {
    line: result.line,
    refid: result.refid,
    occurrence: result.occurrence,
    status: result.status,
    product: request.product,
    product_name: result.productName,
    account: request.account,
    amount: moneyOrNull(request.amount),
    amount_currency: result.currency,
    face_value: moneyOrNull(decision?.faceValue ?? null),
    cost: moneyOrNull(decision?.cost ?? null),
    price: moneyOrNull(price),
    margin: price === null || decision === null ? null : formatMoney(price - decision.cost),
    problems: result.rejection === null ? [] : problemsOf(result.rejection),
    warnings: result.repeats === null ? [] : [warningOf(result.repeats)],
    payment: payment && {
      id: String(payment.id),
      status: statusLabel(payment.status),
      code: payment.code,
      is_final: payment.isFinal,
      created_at: payment.createdAt.toISOString(),
    },
  }
}

function warningOf(repeats: BulkRepeat) {
  const code = 'possible_duplicate' as const
  if (repeats.kind === 'line') {
    return { code, message: `Line ${repeats.line} is the same payment.`, payment: null, line: repeats.line }
  }
  const { id, refid, seconds } = repeats
  const message = `The same payment was taken ${seconds} seconds ago: refid ${refid}, transaction ${id}.`
  return { code, message, payment: { id: String(id), refid, seconds }, line: null }
}

/** Shows one problem for each field at fault, or one about the whole line. */
export function problemsOf({ code, remarks, message, errors }: Rejection) {
  const byField = Object.entries(errors).flatMap(([field, words]) =>
    words.map((each) => ({ code, token: remarks, field, message: each })),
  )
  return byField.length > 0 ? byField : [{ code, token: remarks, field: null, message }]
}

/** Adds the lines of a status to those that came before. */
function totalOf(results: readonly BulkResult[], status: BulkStatus, before: BulkTotal): BulkTotal {
  return results
    .filter((each) => each.status === status)
    .reduce(
      (sum, { decision, price }) => ({
        count: sum.count + 1,
        faceValue: sum.faceValue + (decision?.faceValue ?? 0n),
        cost: sum.cost + (decision?.cost ?? 0n),
        price: sum.price + (price ?? 0n),
      }),
      before,
    )
}

function totalView({ count, faceValue, cost, price }: BulkTotal) {
  return {
    count,
    face_value: formatMoney(faceValue),
    cost: formatMoney(cost),
    price: formatMoney(price),
  }
}

function moneyOrNull(amount: Amount | null): string | null {
  return amount === null ? null : formatMoney(amount)
}

/** Shows what became of each refid, in the order in which they were asked for. */
export function statusesView(
  refids: readonly string[],
  payments: readonly ListedPayment[],
  masks: Masks,
  currencies: Currencies,
) {
  const byRefid = new Map(payments.map((payment) => [payment.refid, payment]))
  return refids.map((refid) => {
    const payment = byRefid.get(refid)
    return {
      refid,
      is_final: payment?.isFinal ?? false,
      payment: payment === undefined ? null : listedPaymentView(payment, masks, currencies),
    }
  })
}
