import { Type } from 'typebox'
import { columns, resource } from '../../../http/codec.ts'
import { documentedAs, parameter } from '../../../http/parameters.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { formatSeconds } from '../../../lib/dates.ts'
import { formatMoney } from '../../../lib/money.ts'
import type { LoggedDelivery } from '../../events/log/log.service.ts'
import { stateOf } from '../../payments/core/states.rules.ts'
import type { AttemptHistory, PaymentAttempt } from '../../payments/read/attempt-history.types.ts'
import { ANSWER_KINDS } from '../../payments/read/attempt-history.types.ts'
import type { AnyPaymentReport, FoundPayment } from '../../payments/read/search.service.ts'
import type { PaymentReport, StuckPayment } from '../../payments/support/support.service.ts'
import { APPROVAL } from '../kit/approvals.codec.ts'
import { dataOf, Instant, listOf, PAGE_PARAMETERS } from '../kit/schemas.ts'
import { DAYS_MAX, SEARCH_RULES, STUCK_RULES } from './payments.rules.ts'
import type { PaymentPage } from './payments.service.ts'

const STATES = ['accepted', 'processing', 'succeeded', 'failed', 'voided'] as const

const text = (description?: string) => Type.String(description === undefined ? {} : { description })

const FOUND = columns<FoundPayment>()({
  reseller: [text("The reseller's account number"), ({ account }) => account],
  reseller_name: [text(), ({ resellerName }) => resellerName],
  id: [text(), ({ id }) => String(id)],
  refid: [text(), ({ refid }) => refid],
  product: [text(), ({ productCode }) => productCode],
  product_name: [text(), ({ productName }) => productName],
  customer: [text('Customer account: a phone number, a bill’s account'), ({ customer }) => customer],
  amount: [text(), ({ amount }) => formatMoney(amount)],
  face_value: [text('Ringgit'), ({ faceValue }) => formatMoney(faceValue)],
  cost: [text('Ringgit'), ({ cost }) => formatMoney(cost)],
  state: [enumOf(STATES), ({ state }) => state],
  code: [Type.Number({ description: 'statusCode of the payment' }), ({ code }) => code],
  remarks: [text(), ({ remarks }) => remarks],
  provider: [text(), ({ provider }) => provider],
  created_at: [Instant, ({ createdAt }) => createdAt.toISOString()],
  changed_at: [Instant, ({ changedAt }) => changedAt.toISOString()],
  stuck: [
    Type.Boolean({ description: 'It is past its due time, and an operator may end it' }),
    ({ stuckSince }) => stuckSince !== null,
  ],
  stuck_since: [
    orNull(Instant, 'Its due time, when that is past'),
    ({ stuckSince }) => stuckSince?.toISOString() ?? null,
  ],
})

/** Payment in a list, in the back office and by `warungd payment list`. */
export const FOUND_PAYMENT = resource<FoundPayment>()('Reseller payment', FOUND)

const STEP = resource<PaymentReport['timeline'][number]>()(undefined, {
  at: [Instant, ({ at }) => at.toISOString()],
  kind: [text(), ({ kind }) => kind],
  state: [enumOf(STATES), ({ code }) => stateOf(code)],
  code: [Type.Number({ description: 'statusCode of the payment' }), ({ code }) => code],
  detail: [text(), ({ detail }) => detail],
  balance: [
    orNull(text(), "The wallet's, right after the money that this step moved; null: it moved none"),
    ({ balance }) => (balance === null ? null : formatMoney(balance)),
  ],
})

type FlatReport = FoundPayment & Pick<AnyPaymentReport, 'payment' | 'timeline'>

const REPORT = columns<FlatReport>()({
  ...FOUND,
  balance_after: [
    text("Ringgit: the wallet's, right after the latest movement"),
    ({ payment }) => formatMoney(payment.balanceAfter),
  ],
  subproduct_code: [orNull(text()), ({ payment }) => payment.extras.subproductCode],
  biller_code: [orNull(text()), ({ payment }) => payment.extras.billerCode],
  ref2: [orNull(text()), ({ payment }) => payment.extras.ref2],
  ic_number: [orNull(text(), 'Masked'), ({ payment }) => payment.extras.icNumber],
  serial_number: [text(), ({ payment }) => payment.output.serialNumber],
  pin: [text('Masked'), ({ payment }) => payment.output.pin],
  expiry: [text(), ({ payment }) => payment.output.expiry],
  voucher_link: [text('Masked'), ({ payment }) => payment.output.voucherLink],
  note: [text(), ({ payment }) => payment.output.note],
  sender: [text(), ({ payment }) => payment.sender],
  member_id: [
    text("The API key's or user's id; of a payment of an order, the order's id"),
    ({ payment }) => payment.memberId,
  ],
  timeline: [
    Type.Array(STEP.schema, { description: 'Oldest first' }),
    ({ timeline }) => timeline.map((step) => STEP.encode(step)),
  ],
})

const FLAT_REPORT = resource<FlatReport>()('Reseller payment timeline', REPORT)

/** Payment with its timeline. */
export const PAYMENT_REPORT = {
  schema: FLAT_REPORT.schema,
  encode: (report: AnyPaymentReport) => FLAT_REPORT.encode(flat(report)),
}

function flat({ payment, timeline, ...about }: AnyPaymentReport): FlatReport {
  const state = stateOf(payment.code)
  return { ...payment, ...about, customer: payment.account, state, payment, timeline }
}

const CALLBACK = resource<LoggedDelivery>()(undefined, {
  id: [text(), ({ delivery }) => delivery.id],
  event_id: [text(), ({ delivery }) => delivery.ref.eventId],
  status: [text(), ({ delivery }) => delivery.status],
  error: [text(), ({ delivery }) => delivery.error],
  attempts: [Type.Integer(), ({ delivery }) => delivery.attemptsMade],
  response_status: [
    Type.Integer({ description: '0 when nothing answered' }),
    ({ delivery }) => delivery.responseStatus,
  ],
  replay_of: [orNull(text()), ({ delivery }) => delivery.originalId],
  created_at: [Instant, ({ delivery }) => delivery.createdAt.toISOString()],
  completed_at: [orNull(Instant), ({ delivery }) => delivery.completedAt?.toISOString() ?? null],
})

const ATTEMPT = resource<PaymentAttempt>()('Attempt', {
  attempt: [Type.Integer(), ({ number }) => number],
  our_reference: [text('By which the supplier knows it'), ({ reference }) => reference],
  their_id: [
    orNull(text(), "The supplier's own id of the order; null when it gave none"),
    ({ supplierId }) => supplierId,
  ],
  supplier: [text(), ({ providerName }) => providerName],
  supplier_code: [text(), ({ provider }) => provider],
  sent_at: [
    orNull(Instant, 'null when it was certainly never sent'),
    ({ sentAt }) => sentAt?.toISOString() ?? null,
  ],
  sent_again: [
    Type.Integer({ description: 'How often it was sent again under the same reference' }),
    ({ repeats }) => repeats,
  ],
  undecided_answers: [
    orNull(Type.Integer(), 'Answers that decided nothing so far; null when nobody asks about it any more'),
    ({ questions }) => questions,
  ],
  next_question_at: [orNull(Instant), ({ nextQuestionAt }) => nextQuestionAt?.toISOString() ?? null],
  answers: [
    Type.Array(
      Type.Object({
        at: Instant,
        kind: enumOf(ANSWER_KINDS),
        code: Type.Number({ description: 'statusCode that the answer leads to' }),
        text: text(),
      }),
      { description: 'Answers and actions, oldest first' },
    ),
    ({ answers }) => answers.map(({ at, kind, code, text }) => ({ at: at.toISOString(), kind, code, text })),
  ],
})

type Traced = Pick<PaymentReport, 'payment'> & { readonly history: AttemptHistory }

const QUOTE = resource<Traced>()('Quote for the supplier', {
  supplier: [text(), ({ history }) => history.quote.providerName],
  supplier_code: [text(), ({ history }) => history.quote.provider],
  our_reference: [text(), ({ history }) => history.quote.reference],
  their_serial_number: [
    text('Empty when the supplier gave none'),
    ({ history }) => history.quote.serialNumber,
  ],
  sent_at: [
    orNull(text(), 'yyyy-MM-dd HH:mm:ss GMT+8'),
    ({ history: { quote } }) => (quote.sentAt === null ? null : `${formatSeconds(quote.sentAt)} GMT+8`),
  ],
  product: [text(), ({ payment }) => payment.productCode],
  account: [text(), ({ payment }) => payment.account],
  amount: [text(), ({ payment }) => formatMoney(payment.amount)],
  face_value: [text('Ringgit'), ({ payment }) => formatMoney(payment.faceValue)],
})

const HISTORY = columns<Traced>()({
  supplier: [
    Type.Object({ code: text(), name: text() }),
    ({ history: { quote } }) => ({ code: quote.provider, name: quote.providerName }),
  ],
  attempts: [
    Type.Array(ATTEMPT.schema, { description: 'Oldest first' }),
    ({ history }) => history.attempts.map((attempt) => ATTEMPT.encode(attempt)),
  ],
  quote_to_supplier: [QUOTE.schema, (traced) => QUOTE.encode(traced)],
})

/** Attempts of a payment, as `warungd payment show` prints them. */
export const ATTEMPT_HISTORY = resource<Traced>()(undefined, HISTORY)

const PAGE = resource<FlatReport & PaymentPage>()('Reseller payment details', {
  ...REPORT,
  needs_second_person: [
    Type.Boolean({
      description:
        'Ending it by hand needs an approval: it costs more than you may decide about alone, or with it a sum of ' +
        'such decisions would be above its limit',
    }),
    ({ resolution }) => resolution.needsSecondPerson,
  ],
  resolve_alone_max: [
    text('Ringgit: the largest cost that one operator may decide about'),
    ({ resolution }) => formatMoney(resolution.limits.each),
  ],
  resolve_alone_day_max: [
    text('Ringgit: limit of what one operator, and what is for one reseller, is decided alone in 24 hours'),
    ({ resolution }) => formatMoney(resolution.limits.day),
  ],
  resolve_alone_week_max: [
    text('Ringgit: the same limit for 7 days'),
    ({ resolution }) => formatMoney(resolution.limits.week),
  ],
  ...HISTORY,
  callbacks: [
    Type.Array(CALLBACK.schema, { description: 'Oldest first, replays included' }),
    ({ callbacks }) => callbacks.map((callback) => CALLBACK.encode(callback)),
  ],
  cases: [
    Type.Array(Type.Object({ number: text(), kind: text(), state: text() }), {
      description: 'About this payment',
    }),
    ({ cases }) => cases.map(({ number, kind, state }) => ({ number, kind, state })),
  ],
})

/** Page of a payment in the back office. */
export const PAYMENT_PAGE = {
  schema: PAGE.schema,
  encode: (page: PaymentPage) => PAGE.encode({ ...page, ...flat(page) }),
}

/** Payment past its due time, in the back office and by `warungd payment stuck`. */
export const STUCK_PAYMENT = resource<StuckPayment>()('Stuck payment', {
  reseller: [text(), ({ account }) => account],
  reseller_name: [text(), ({ resellerName }) => resellerName],
  id: [text(), ({ id }) => String(id)],
  refid: [text(), ({ refid }) => refid],
  product: [text(), ({ productCode }) => productCode],
  cost: [text(), ({ cost }) => formatMoney(cost)],
  state: [enumOf(STATES), ({ code }) => stateOf(code)],
  provider: [text(), ({ provider }) => provider],
  our_reference: [text('By which the provider knows the present attempt'), ({ reference }) => reference],
  attempt: [Type.Number(), ({ attempt }) => attempt],
  questions: [
    Type.Number({ description: 'How often the provider was asked about it' }),
    ({ questions }) => questions,
  ],
  created_at: [Instant, ({ createdAt }) => createdAt.toISOString()],
  due_at: [Instant, ({ dueAt }) => dueAt.toISOString()],
  next_at: [Instant, ({ nextAt }) => nextAt.toISOString()],
})

export const PaymentSearchParameters = Type.Object({
  id: parameter(SEARCH_RULES.id, 'The transaction id'),
  refid: parameter(SEARCH_RULES.refid, "The reseller's reference, exactly"),
  customer: parameter(SEARCH_RULES.customer, 'Customer account, exactly'),
  account: parameter(SEARCH_RULES.account, "The reseller's account number"),
  product: parameter(SEARCH_RULES.product, 'Its code'),
  provider: parameter(SEARCH_RULES.provider, "The provider's code"),
  reference: parameter(
    SEARCH_RULES.reference,
    'Reference at the supplier, exactly: ours (W…-1), or the serial number that the supplier gave',
  ),
  state: parameter(
    SEARCH_RULES.state,
    'Payments in this state alone; stuck: pending, and past their due time',
  ),
  days: parameter(
    SEARCH_RULES.days,
    `A day yyyy-MM-dd (GMT+8) or a range yyyy-MM-dd - yyyy-MM-dd of at most ${DAYS_MAX} days. Left out: all days ` +
      `when id, refid, customer or our reference is given, else the last ${DAYS_MAX}`,
  ),
  ...PAGE_PARAMETERS,
})

export const PaymentParameters = Type.Object({ id: documentedAs(SEARCH_RULES.id, Type.String()) })
export const PaymentListResponse = listOf(FOUND_PAYMENT.schema)
export const PaymentPageResponse = dataOf(PAYMENT_PAGE.schema)
export const StuckListParameters = Type.Object({
  limit: parameter(STUCK_RULES.limit, 'Payments of the list'),
})
export const StuckListResponse = listOf(STUCK_PAYMENT.schema)

export const ResolutionRequestedResponse = dataOf(
  APPROVAL.schema,
  'It costs more than one person may decide about: another operator has to approve it',
)
