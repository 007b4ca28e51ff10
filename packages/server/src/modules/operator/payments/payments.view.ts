import { formatSeconds } from '../../../lib/dates.ts'
import { formatMoney } from '../../../lib/money.ts'
import { stateOf } from '../../payments/core/states.rules.ts'
import type { AttemptHistory, PaymentAttempt } from '../../payments/read/attempt-history.types.ts'
import type { AnyPaymentReport, FoundPayment } from '../../payments/read/search.service.ts'
import type { PaymentReport, StuckPayment } from '../../payments/support/support.service.ts'
import type { PaymentPage } from './payments.service.ts'

export function foundPaymentView(payment: FoundPayment) {
  return {
    reseller: payment.account,
    reseller_name: payment.resellerName,
    id: String(payment.id),
    refid: payment.refid,
    product: payment.productCode,
    product_name: payment.productName,
    customer: payment.customer,
    amount: formatMoney(payment.amount),
    face_value: formatMoney(payment.faceValue),
    cost: formatMoney(payment.cost),
    state: payment.state,
    code: payment.code,
    remarks: payment.remarks,
    provider: payment.provider,
    created_at: payment.createdAt.toISOString(),
    changed_at: payment.changedAt.toISOString(),
    stuck: payment.stuckSince !== null,
    stuck_since: payment.stuckSince?.toISOString() ?? null,
  }
}

export function paymentReportView({ payment, timeline, ...about }: AnyPaymentReport) {
  const { extras, output } = payment
  const found = {
    ...payment,
    ...about,
    customer: payment.account,
    state: stateOf(payment.code),
  }
  return {
    ...foundPaymentView(found),
    balance_after: formatMoney(payment.balanceAfter),
    subproduct_code: extras.subproductCode,
    biller_code: extras.billerCode,
    ref2: extras.ref2,
    ic_number: extras.icNumber,
    serial_number: output.serialNumber,
    pin: output.pin,
    expiry: output.expiry,
    voucher_link: output.voucherLink,
    note: output.note,
    sender: payment.sender,
    member_id: payment.memberId,
    timeline: timeline.map(({ at, kind, code, detail, balance }) => ({
      at: at.toISOString(),
      kind,
      state: stateOf(code),
      code,
      detail,
      balance: balance === null ? null : formatMoney(balance),
    })),
  }
}

/** Shows the attempts. `warungd payment show` prints the same. */
export function attemptHistoryView({ attempts, quote }: AttemptHistory, { payment }: PaymentReport) {
  return {
    supplier: { code: quote.provider, name: quote.providerName },
    attempts: attempts.map(attemptView),
    quote_to_supplier: {
      supplier: quote.providerName,
      supplier_code: quote.provider,
      our_reference: quote.reference,
      their_serial_number: quote.serialNumber,
      sent_at: quote.sentAt === null ? null : `${formatSeconds(quote.sentAt)} GMT+8`,
      product: payment.productCode,
      account: payment.account,
      amount: formatMoney(payment.amount),
      face_value: formatMoney(payment.faceValue),
    },
  }
}

function attemptView(attempt: PaymentAttempt) {
  return {
    attempt: attempt.number,
    our_reference: attempt.reference,
    their_id: attempt.supplierId,
    supplier: attempt.providerName,
    supplier_code: attempt.provider,
    sent_at: attempt.sentAt?.toISOString() ?? null,
    sent_again: attempt.repeats,
    undecided_answers: attempt.questions,
    next_question_at: attempt.nextQuestionAt?.toISOString() ?? null,
    answers: attempt.answers.map(({ at, kind, code, text }) => ({ at: at.toISOString(), kind, code, text })),
  }
}

export function paymentPageView({ history, callbacks, cases, resolution, ...report }: PaymentPage) {
  return {
    ...paymentReportView(report),
    ...attemptHistoryView(history, report),
    needs_second_person: resolution.needsSecondPerson,
    resolve_alone_max: formatMoney(resolution.limits.each),
    resolve_alone_day_max: formatMoney(resolution.limits.day),
    resolve_alone_week_max: formatMoney(resolution.limits.week),
    callbacks: callbacks.map(({ delivery }) => ({
      id: delivery.id,
      event_id: delivery.ref.eventId,
      status: delivery.status,
      error: delivery.error,
      attempts: delivery.attemptsMade,
      response_status: delivery.responseStatus,
      replay_of: delivery.originalId,
      created_at: delivery.createdAt.toISOString(),
      completed_at: delivery.completedAt?.toISOString() ?? null,
    })),
    cases: cases.map(({ number, kind, state }) => ({ number, kind, state })),
  }
}

export function stuckPaymentView(payment: StuckPayment) {
  return {
    reseller: payment.account,
    reseller_name: payment.resellerName,
    id: String(payment.id),
    refid: payment.refid,
    product: payment.productCode,
    cost: formatMoney(payment.cost),
    state: stateOf(payment.code),
    provider: payment.provider,
    our_reference: payment.reference,
    attempt: payment.attempt,
    questions: payment.questions,
    created_at: payment.createdAt.toISOString(),
    due_at: payment.dueAt.toISOString(),
    next_at: payment.nextAt.toISOString(),
  }
}
