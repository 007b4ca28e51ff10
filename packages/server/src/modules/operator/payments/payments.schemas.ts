import { Type } from 'typebox'
import { documentedAs, parameter } from '../../../http/parameters.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { ANSWER_KINDS } from '../../payments/read/attempt-history.types.ts'
import { APPROVAL } from '../kit/approvals.codec.ts'
import { dataOf, Instant, listOf, PAGE_PARAMETERS } from '../kit/schemas.ts'
import { DAYS_MAX, SEARCH_RULES, STUCK_RULES } from './payments.rules.ts'

const STATES = ['accepted', 'processing', 'succeeded', 'failed', 'voided'] as const

const found = {
  reseller: Type.String({ description: "The reseller's account number" }),
  reseller_name: Type.String(),
  id: Type.String(),
  refid: Type.String(),
  product: Type.String(),
  product_name: Type.String(),
  customer: Type.String({ description: 'Customer account: a phone number, a bill’s account' }),
  amount: Type.String(),
  face_value: Type.String({ description: 'Ringgit' }),
  cost: Type.String({ description: 'Ringgit' }),
  state: enumOf(STATES),
  code: Type.Number({ description: 'statusCode of the payment' }),
  remarks: Type.String(),
  provider: Type.String(),
  created_at: Instant,
  changed_at: Instant,
  stuck: Type.Boolean({ description: 'It is past its due time, and an operator may end it' }),
  stuck_since: orNull(Instant, 'Its due time, when that is past'),
}

export const FoundPayment = Type.Object(found, { title: 'Reseller payment' })

const text = () => Type.String()

const report = {
  ...found,
  balance_after: Type.String({ description: "Ringgit: the wallet's, right after the latest movement" }),
  subproduct_code: orNull(text()),
  biller_code: orNull(text()),
  ref2: orNull(text()),
  ic_number: orNull(text(), 'Masked'),
  serial_number: text(),
  pin: Type.String({ description: 'Masked' }),
  expiry: text(),
  voucher_link: Type.String({ description: 'Masked' }),
  note: text(),
  sender: text(),
  member_id: Type.String({
    description: "The API key's or user's id; of a payment of an order, the order's id",
  }),
  timeline: Type.Array(
    Type.Object({
      at: Instant,
      kind: text(),
      state: enumOf(STATES),
      code: Type.Number({ description: 'statusCode of the payment' }),
      detail: text(),
      balance: orNull(
        text(),
        "The wallet's, right after the money that this step moved; null: it moved none",
      ),
    }),
    { description: 'Oldest first' },
  ),
}

export const Report = Type.Object(report, { title: 'Reseller payment timeline' })

const Callback = Type.Object({
  id: text(),
  event_id: text(),
  status: text(),
  error: text(),
  attempts: Type.Integer(),
  response_status: Type.Integer({ description: '0 when nothing answered' }),
  replay_of: orNull(text()),
  created_at: Instant,
  completed_at: orNull(Instant),
})

const Attempt = Type.Object(
  {
    attempt: Type.Integer(),
    our_reference: Type.String({ description: 'By which the supplier knows it' }),
    their_id: orNull(text(), "The supplier's own id of the order; null when it gave none"),
    supplier: text(),
    supplier_code: text(),
    sent_at: orNull(Instant, 'null when it was certainly never sent'),
    sent_again: Type.Integer({ description: 'How often it was sent again under the same reference' }),
    undecided_answers: orNull(
      Type.Integer(),
      'Answers that decided nothing so far; null when nobody asks about it any more',
    ),
    next_question_at: orNull(Instant),
    answers: Type.Array(
      Type.Object({
        at: Instant,
        kind: enumOf(ANSWER_KINDS),
        code: Type.Number({ description: 'statusCode that the answer leads to' }),
        text: text(),
      }),
      { description: 'Answers and actions, oldest first' },
    ),
  },
  { title: 'Attempt' },
)

const Quote = Type.Object(
  {
    supplier: text(),
    supplier_code: text(),
    our_reference: text(),
    their_serial_number: Type.String({ description: 'Empty when the supplier gave none' }),
    sent_at: orNull(text(), 'yyyy-MM-dd HH:mm:ss GMT+8'),
    product: text(),
    account: text(),
    amount: text(),
    face_value: Type.String({ description: 'Ringgit' }),
  },
  { title: 'Quote for the supplier' },
)

const Page = Type.Object(
  {
    ...report,
    needs_second_person: Type.Boolean({
      description:
        'Ending it by hand needs an approval: it costs more than you may decide about alone, or with it a sum of ' +
        'such decisions would be above its limit',
    }),
    resolve_alone_max: Type.String({
      description: 'Ringgit: the largest cost that one operator may decide about',
    }),
    resolve_alone_day_max: Type.String({
      description:
        'Ringgit: limit of what one operator, and what is for one reseller, is decided alone in 24 hours',
    }),
    resolve_alone_week_max: Type.String({
      description: 'Ringgit: the same limit for 7 days',
    }),
    supplier: Type.Object({ code: text(), name: text() }),
    attempts: Type.Array(Attempt, { description: 'Oldest first' }),
    quote_to_supplier: Quote,
    callbacks: Type.Array(Callback, { description: 'Oldest first, replays included' }),
    cases: Type.Array(Type.Object({ number: text(), kind: text(), state: text() }), {
      description: 'About this payment',
    }),
  },
  { title: 'Reseller payment details' },
)

export const StuckPayment = Type.Object(
  {
    reseller: text(),
    reseller_name: text(),
    id: text(),
    refid: text(),
    product: text(),
    cost: text(),
    state: enumOf(STATES),
    provider: text(),
    our_reference: Type.String({ description: 'By which the provider knows the present attempt' }),
    attempt: Type.Number(),
    questions: Type.Number({ description: 'How often the provider was asked about it' }),
    created_at: Instant,
    due_at: Instant,
    next_at: Instant,
  },
  { title: 'Stuck payment' },
)

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
export const PaymentListResponse = listOf(FoundPayment)
export const PaymentPageResponse = dataOf(Page)
export const StuckListParameters = Type.Object({
  limit: parameter(STUCK_RULES.limit, 'Payments of the list'),
})
export const StuckListResponse = listOf(StuckPayment)

export const ResolutionRequestedResponse = dataOf(
  APPROVAL.schema,
  'It costs more than one person may decide about: another operator has to approve it',
)
