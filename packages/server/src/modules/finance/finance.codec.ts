import { Type } from 'typebox'
import { BODY_BYTES_MAX } from '../../http/body.ts'
import { resource } from '../../http/codec.ts'
import { documentedAs, parameter } from '../../http/parameters.ts'
import { enumOf, Instant, orNull } from '../../http/schemas.ts'
import { DAY, formatDay } from '../../lib/dates.ts'
import { formatMoney } from '../../lib/money.ts'
import { ACCOUNT_FIELDS } from '../accounts/fields.service.ts'
import type { Movement, Movements } from '../wallet/statement/periods.types.ts'
import type { MonthStatement, ShownDay } from './closings/types.ts'
import type { Comparison } from './compare.service.ts'
import { DIFFERENCES_MAX } from './compare.service.ts'
import type { Mismatch } from './reconcile/reconcile.types.ts'
import { MISMATCH_KINDS } from './reconcile/reconcile.types.ts'
import { MONTH } from './statement/statement.rules.ts'

const Money = Type.String({ description: 'Decimal with 2 to 4 places, in MYR', examples: ['10.00'] })
const Day = Type.String({ description: 'yyyy-MM-dd, GMT+8' })

/** Path parameters. The operators' API has the account in the path; a member's account comes from the session. */
export const OwnerParameters = Type.Object({
  account: Type.Optional(documentedAs(ACCOUNT_FIELDS.account, Type.String())),
})

const REQUIRED_DAY = { ...DAY, isRequired: true } as const

export const MonthParameters = Type.Object({
  month: parameter(MONTH, 'yyyy-MM, GMT+8; the present one when left out'),
})

const MOVEMENT = resource<Movement>()(undefined, {
  count: [Type.Integer(), ({ count }) => Number(count)],
  amount: [Money, ({ amount }) => formatMoney(amount)],
})
const movement = (kind: keyof Movements) =>
  [MOVEMENT.schema, (all: Movements) => MOVEMENT.encode(all[kind])] as const

const MOVEMENTS = resource<Movements>()('Movements', {
  deposit: movement('deposit'),
  adjustment: movement('adjustment'),
  payment: movement('payment'),
  refund: movement('refund'),
  commission: movement('commission'),
})
const Moved = { ...MOVEMENTS.schema, description: 'By type. Payments are below zero' }

const MONTH_DAY = resource<ShownDay>()('Wallet day', {
  day: [Day, ({ day }) => formatDay(day)],
  opening: [Money, ({ opening }) => formatMoney(opening)],
  movements: [Moved, ({ movements }) => MOVEMENTS.encode(movements)],
  closing: [Money, ({ closing }) => formatMoney(closing)],
  first_entry: [Type.String(), ({ firstSequence }) => String(firstSequence)],
  last_entry: [Type.String(), ({ lastSequence }) => String(lastSequence)],
  closed_at: [
    orNull(Instant, 'null: not closed yet, and this is what the ledger says now'),
    ({ closedAt }) => closedAt?.toISOString() ?? null,
  ],
})

/** Month of a wallet, as it stands today. */
export const WALLET_MONTH = resource<MonthStatement, number>()('Wallet month', {
  account: [Type.String(), ({ account }) => account],
  month: [Type.String(), ({ month }) => month.name],
  opening: [Money, ({ opening }) => formatMoney(opening)],
  totals: [Moved, ({ totals }) => MOVEMENTS.encode(totals)],
  closing: [Money, ({ closing }) => formatMoney(closing)],
  is_closed: [
    Type.Boolean({ description: 'The month is over, and so is every day of it that moved' }),
    ({ month, days }, today) => month.to < today && days.every(({ closedAt }) => closedAt !== null),
  ],
  days: [
    Type.Array(MONTH_DAY.schema, { description: 'Days with movements, oldest first' }),
    ({ days }) => days.map((day) => MONTH_DAY.encode(day)),
  ],
})

export const StatementCsv = Type.String({ contentMediaType: 'text/csv', description: 'The month as CSV' })
export const StatementPdf = Type.String({
  contentMediaType: 'application/pdf',
  description: 'The month as PDF: summary and days',
})

export const CompareParameters = Type.Object({
  from: parameter(REQUIRED_DAY, 'The first day, GMT+8'),
  to: parameter(REQUIRED_DAY, 'The last day, included'),
})

export const TheirFile = Type.String({
  maxLength: BODY_BYTES_MAX,
  description:
    'The CSV file itself, UTF-8, up to 10 MB. A row of headings with `refid`, and `amount`, `status` and `date` where ' +
    'they are to be compared',
})

const DIFFERENCE = resource<Mismatch>()('Difference', {
  kind: [enumOf(MISMATCH_KINDS), ({ kind }) => kind],
  cause: [Type.String(), ({ cause }) => cause],
  line: [
    orNull(Type.Integer(), 'null: the file has no line for it'),
    ({ line }) => (line === 0 ? null : line),
  ],
  refid: [Type.String(), ({ refid }) => refid],
  payment_id: [orNull(Type.String()), ({ paymentId }) => (paymentId === null ? null : String(paymentId))],
  theirs: [Type.String(), ({ theirs }) => theirs],
  ours: [Type.String(), ({ ours }) => ours],
  detail: [Type.String({ description: 'For a human' }), ({ detail }) => detail],
})

/** Comparison of the books of an account with ours. */
export const COMPARISON = resource<Comparison, string>()('Comparison', {
  account: [Type.String(), (_comparison, account) => account],
  lines: [Type.Integer({ description: 'Lines of the file' }), ({ summary }) => summary.lines],
  payments: [Type.Integer({ description: 'Ours of these days' }), ({ summary }) => summary.payments],
  agreed: [
    Type.Integer({ description: 'Lines that agree with a payment in everything they say' }),
    ({ summary }) => summary.agreed,
  ],
  outside: [
    Type.Integer({ description: 'Lines of other days, about which nothing was asked' }),
    ({ summary }) => summary.outside,
  ],
  kinds: [
    Type.Record(Type.String(), Type.Integer(), { description: 'How many differences of each kind' }),
    ({ summary }) => summary.kinds,
  ],
  differences_total: [Type.Integer(), ({ summary }) => summary.mismatches],
  differences: [
    Type.Array(DIFFERENCE.schema, {
      description: `In the order of the file, then what it lacks; at most ${DIFFERENCES_MAX}`,
    }),
    ({ differences }) => differences.map((each) => DIFFERENCE.encode(each)),
  ],
})
