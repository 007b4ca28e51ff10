import type { TInteger, TString } from 'typebox'
import { Type } from 'typebox'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { dataOf, Instant, listOf, Money, StatusCode } from '../access/schemas.ts'
import { BULK_LINES_MAX, BULK_STATUSES } from './bulk.rules.ts'
import { BULK_BLOCKS } from './bulk.service.ts'
import { STATUS_WORDS } from './payments.rules.ts'
import { PaymentSummary } from './payments.schemas.ts'

/** Longer than any value that passes: what is wrong with a line is said about that line. */
const cell = (description?: string) =>
  Type.String({ maxLength: 500, ...(description !== undefined && { description }) })
const extra = Type.Optional(Type.Union([cell(), Type.Null()]))

const Line = Type.Object({
  line: Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Number of the line in the file' }),
  product: cell('Code'),
  account: cell(),
  amount: cell("Decimal, in the product's own unit"),
  extras: Type.Optional(
    Type.Object({ subproduct_code: extra, biller_code: extra, ref2: extra, ic_number: extra }),
  ),
  remarks: Type.Optional(Type.String({ maxLength: 2_000 })),
  reference: Type.Optional(cell('Your own, such as an invoice; tells equal payments apart')),
})

/** Totals by status, with the given forms of a count and an amount. */
function totalsOf(count: TInteger, amount: TString) {
  const total = Type.Object({ count, face_value: amount, cost: amount, price: amount })
  return Type.Object({ ready: total, problem: total, unchecked: total, exists: total })
}

const AMOUNT_LENGTH_MAX = 30
const CarriedCount = Type.Integer({ minimum: 0, maximum: 1_000_000 })
const CarriedAmount = Type.String({ maxLength: AMOUNT_LENGTH_MAX, description: 'As the answer had it' })

export const BulkBody = Type.Object(
  {
    file_digest: Type.Optional(
      Type.String({
        maxLength: 128,
        description: 'Digest of the file, made by the page; it comes back in the answer',
      }),
    ),
    batch: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Name of the batch. Under another name the same lines are other payments.',
      }),
    ),
    lines: Type.Array(Line, { minItems: 1, maxItems: BULK_LINES_MAX }),
    carried: Type.Optional(
      Type.Object(
        {
          lines: { ...CarriedCount, description: 'Lines before these' },
          by_status: totalsOf(CarriedCount, CarriedAmount),
        },
        {
          description:
            'Totals of the answer before, where a file has more lines than a request takes: the totals of this ' +
            'answer then count those lines too',
        },
      ),
    ),
  },
  { title: 'Bulk preview request' },
)

export const Problems = Type.Array(
  Type.Object({
    code: Type.Integer({ description: 'The code that paying would be refused with' }),
    token: Type.String(),
    field: orNull(Type.String()),
    message: Type.String(),
  }),
)

export const RepeatedPayment = Type.Object({
  id: Type.String(),
  refid: Type.String(),
  seconds: Type.Integer({ description: 'Seconds since it was taken' }),
})

export const BulkResponse = dataOf(
  Type.Object(
    {
      file_digest: orNull(Type.String()),
      blocked: orNull(enumOf(BULK_BLOCKS), 'Why the portal may not pay at all; null: it may'),
      lines: Type.Array(
        Type.Object({
          line: Type.Integer(),
          refid: Type.String({ description: 'To pay this line with' }),
          occurrence: Type.Integer({ description: '2 and more: the same line stands further up' }),
          status: enumOf(BULK_STATUSES),
          product: Type.String(),
          product_name: orNull(Type.String()),
          account: Type.String(),
          amount: orNull(Type.String(), "In the product's own unit; null: not readable"),
          amount_currency: orNull(Type.String()),
          face_value: orNull(Money),
          cost: orNull(Money, 'Sum that the wallet is debited'),
          price: orNull(
            Money,
            'Price for the end customer; null: not known, or your adjustment leaves nothing',
          ),
          margin: orNull(Money),
          problems: Problems,
          warnings: Type.Array(
            Type.Object({
              code: enumOf(['possible_duplicate']),
              message: Type.String(),
              payment: orNull(RepeatedPayment, 'The earlier payment; null: a line further up is the same'),
              line: orNull(Type.Integer(), 'The line further up'),
            }),
            {
              description:
                'The line repeats a payment within 120 seconds or your window, or a line further up; ' +
                'paying it needs `allow_duplicate`',
            },
          ),
          payment: orNull(
            Type.Object({
              id: Type.String(),
              status: enumOf(Object.keys(STATUS_WORDS)),
              code: StatusCode,
              is_final: Type.Boolean(),
              created_at: Instant,
            }),
          ),
        }),
      ),
      totals: Type.Object({
        lines: Type.Integer({ description: 'Lines of the file' }),
        by_status: totalsOf(Type.Integer(), Money),
        balance: Money,
        balance_after: { ...Money, description: 'After paying all that are ready; may be below zero' },
        is_balance_enough: Type.Boolean(),
      }),
    },
    { title: 'Bulk preview' },
  ),
)

export const StatusesBody = Type.Object(
  { refids: Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: BULK_LINES_MAX }) },
  { title: 'Payment statuses request' },
)

export const StatusesResponse = listOf(
  Type.Object(
    {
      refid: Type.String(),
      is_final: Type.Boolean({ description: 'True: it changes no more' }),
      payment: orNull(PaymentSummary),
    },
    { title: 'Payment status' },
  ),
)
