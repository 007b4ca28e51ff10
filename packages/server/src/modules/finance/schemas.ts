import { Type } from 'typebox'
import { BODY_BYTES_MAX } from '../../http/body.ts'
import { documentedAs, parameter } from '../../http/parameters.ts'
import { enumOf } from '../../http/schemas.ts'
import { DAY } from '../../lib/dates.ts'
import { ACCOUNT_FIELDS } from '../accounts/fields.service.ts'
import { DIFFERENCES_MAX } from './compare.service.ts'
import { MISMATCH_KINDS } from './reconcile/reconcile.types.ts'
import { MONTH } from './statement/statement.rules.ts'

const Money = Type.String({ description: 'Decimal with 2 to 4 places, in MYR', examples: ['10.00'] })
const Day = Type.String({ description: 'yyyy-MM-dd, GMT+8' })
const Instant = Type.String({ description: 'ISO 8601, UTC' })

/** Path parameters. The operators' API has the account in the path; a member's account comes from the session. */
export const OwnerParameters = Type.Object({
  account: Type.Optional(documentedAs(ACCOUNT_FIELDS.account, Type.String())),
})

const REQUIRED_DAY = { ...DAY, isRequired: true } as const

export const MonthParameters = Type.Object({
  month: parameter(MONTH, 'yyyy-MM, GMT+8; the present one when left out'),
})

const Movement = Type.Object({ count: Type.Integer(), amount: Money })

const Movements = Type.Object(
  { deposit: Movement, adjustment: Movement, payment: Movement, refund: Movement, commission: Movement },
  { title: 'Movements', description: 'By type. Payments are below zero' },
)

const MonthDay = Type.Object(
  {
    day: Day,
    opening: Money,
    movements: Movements,
    closing: Money,
    first_entry: Type.String(),
    last_entry: Type.String(),
    closed_at: Type.Union([Instant, Type.Null()], {
      description: 'null: not closed yet, and this is what the ledger says now',
    }),
  },
  { title: 'Wallet day' },
)

export const MonthResponse = Type.Object({
  data: Type.Object(
    {
      account: Type.String(),
      month: Type.String(),
      opening: Money,
      totals: Movements,
      closing: Money,
      is_closed: Type.Boolean({ description: 'The month is over, and so is every day of it that moved' }),
      days: Type.Array(MonthDay, { description: 'Days with movements, oldest first' }),
    },
    { title: 'Wallet month' },
  ),
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

const Difference = Type.Object(
  {
    kind: enumOf(MISMATCH_KINDS),
    cause: Type.String(),
    line: Type.Union([Type.Integer(), Type.Null()], { description: 'null: the file has no line for it' }),
    refid: Type.String(),
    payment_id: Type.Union([Type.String(), Type.Null()]),
    theirs: Type.String(),
    ours: Type.String(),
    detail: Type.String({ description: 'For a human' }),
  },
  { title: 'Difference' },
)

export const CompareResponse = Type.Object({
  data: Type.Object(
    {
      account: Type.String(),
      lines: Type.Integer({ description: 'Lines of the file' }),
      payments: Type.Integer({ description: 'Ours of these days' }),
      agreed: Type.Integer({ description: 'Lines that agree with a payment in everything they say' }),
      outside: Type.Integer({ description: 'Lines of other days, about which nothing was asked' }),
      kinds: Type.Record(Type.String(), Type.Integer(), { description: 'How many differences of each kind' }),
      differences_total: Type.Integer(),
      differences: Type.Array(Difference, {
        description: `In the order of the file, then what it lacks; at most ${DIFFERENCES_MAX}`,
      }),
    },
    { title: 'Comparison' },
  ),
})
