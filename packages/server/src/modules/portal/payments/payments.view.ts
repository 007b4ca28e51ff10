import { formatMoney } from '../../../lib/money.ts'
import type { Masks } from '../../../lib/secrets/masks.ts'
import type { Case } from '../../cases/types.ts'
import type { LoggedDelivery } from '../../events/log/log.service.ts'
import type { Payment } from '../../payments/core/types.ts'
import type { ListedPayment } from '../../payments/read/listing.service.ts'
import type { PaymentStep } from '../../payments/support/support.service.ts'
import type { Entry } from '../../wallet/balance/types.ts'
import { statusLabel } from './payments.rules.ts'

/** Currency of each product's amounts, by the product's code. */
export type Currencies = ReadonlyMap<string, string>

export function listedPaymentView(payment: ListedPayment, masks: Masks, currencies: Currencies) {
  const { output } = payment
  return {
    id: String(payment.id),
    refid: payment.refid,
    status: statusLabel(payment.status),
    code: payment.code,
    product: payment.productCode,
    product_name: payment.productName,
    biller: payment.billerCode,
    account: payment.account,
    amount: formatMoney(payment.amount),
    amount_currency: currencies.get(payment.productCode) ?? null,
    face_value: formatMoney(payment.faceValue),
    cost: formatMoney(payment.cost),
    remarks: payment.remarks,
    serial_number: output.serialNumber,
    pin: masks.secret(output.pin),
    voucher_link: masks.link(output.voucherLink),
    expiry: output.expiry,
    sender: payment.sender,
    member_id: payment.memberId,
    sold_by:
      payment.seller == null || payment.soldBy === null
        ? null
        : { kind: payment.seller, name: payment.soldBy },
    created_at: payment.createdAt.toISOString(),
    changed_at: payment.changedAt.toISOString(),
  }
}

export type PaymentDetails = {
  readonly listed: ListedPayment
  /** Payment with its secrets masked. */
  readonly payment: Payment
  readonly isRefundable: boolean
  readonly redemption: string | null
  readonly cases: readonly Case[]
  readonly currencies: Currencies
  readonly timeline: readonly PaymentStep[]
  readonly entries: readonly Entry[]
  readonly callbacks: readonly LoggedDelivery[]
}

export function paymentDetailsView(details: PaymentDetails, masks: Masks, showsAnswers: boolean) {
  const { payment } = details
  return {
    ...listedPaymentView(details.listed, masks, details.currencies),
    balance_after: formatMoney(payment.balanceAfter),
    note: payment.output.note,
    redemption: details.redemption,
    plan: payment.extras.subproductCode,
    ref2: payment.extras.ref2,
    ic_number: payment.extras.icNumber,
    is_refundable: details.isRefundable,
    cases: details.cases.map(({ number, kind, state, openedAt }) => ({
      number,
      kind,
      state,
      opened_at: openedAt.toISOString(),
    })),
    timeline: timelineView(details.timeline),
    movements: details.entries.map(walletMovementView),
    callbacks: details.callbacks.map((each) => sentCallbackView(each, showsAnswers)),
  }
}

const STATE_WORDS: Readonly<Record<number, string>> = {
  0: 'accepted',
  1: 'processing',
  20: 'successful',
  53: 'refunded',
}

/** Shows states and attempts only: steps about providers and operators are internal. */
function timelineView(timeline: readonly PaymentStep[]) {
  return timeline
    .filter(({ kind }) => kind === 'state' || kind === 'attempt')
    .map(({ kind, code, at }, index) => ({
      kind: index === 0 ? ('request' as const) : lineKind(kind),
      code,
      status: STATE_WORDS[code] ?? 'failed',
      at: at.toISOString(),
    }))
}

function lineKind(kind: string): 'state' | 'attempt' {
  return kind === 'attempt' ? 'attempt' : 'state'
}

function walletMovementView({ kind, amount, balanceAfter, createdAt }: Entry) {
  return {
    kind,
    amount: formatMoney(amount),
    balance: formatMoney(balanceAfter),
    at: createdAt.toISOString(),
  }
}

function sentCallbackView({ delivery, responseBody }: LoggedDelivery, showsAnswers: boolean) {
  return {
    id: delivery.id,
    event_id: delivery.ref.eventId,
    status: delivery.status,
    error: delivery.error,
    attempts: delivery.attemptsMade,
    response_status: delivery.responseStatus,
    response_body: showsAnswers ? responseBody : '',
    replay_of: delivery.originalId,
    created_at: delivery.createdAt.toISOString(),
    completed_at: delivery.completedAt?.toISOString() ?? null,
  }
}
