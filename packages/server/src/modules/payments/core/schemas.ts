import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { FieldErrors } from '../../../lib/errors.ts'
import type { Rule } from '../../../lib/input/fields.ts'
import { mayBeEmpty } from '../../../lib/input/fields.ts'
import { CUSTOMER_ACCOUNT, EXTRA, PRODUCT, REFID } from './fields.rules.ts'
import { AMOUNT_END, AMOUNT_FORM, QUOTE_ID_LENGTH_MAX, REMARKS_LENGTH_MAX } from './request.rules.ts'
import type { PaymentCode, RejectionCode } from './types.ts'

const text = (description: string) => Type.String({ description })
const line = ({ schema }: Rule<string>, description: string) => Type.String({ ...schema, description })
const extra = (description: string) => Type.Optional(line(mayBeEmpty(EXTRA), description))

const MONEY = (description: string) =>
  Type.Union(
    [
      Type.String({ pattern: AMOUNT_FORM.source }),
      Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: AMOUNT_END }),
    ],
    { description },
  )

/** Members of an order, in the API document only: request.rules.ts reads the body, and the payment dialect words the problems. */
export const paymentOrder = {
  product: line(PRODUCT, 'Product code'),
  account: line(CUSTOMER_ACCOUNT, 'Recipient account, bill account or mobile number'),
  amount: MONEY('Face value or quantity: a plain decimal greater than 0 with at most 4 decimals'),
  remarks: Type.Optional(
    Type.String({
      maxLength: REMARKS_LENGTH_MAX,
      description: 'A note of yours; longer ones are cut',
    }),
  ),
  extras: Type.Optional(
    Type.Object(
      {
        subproduct_code: extra('Plan code, exactly as the option has it'),
        biller_code: extra('Bill payment'),
        ic_number: extra('Bill payment and student loan: identity number without dashes'),
        ref2: extra('Second reference, where the biller requires one'),
      },
      { title: 'Payment extras' },
    ),
  ),
}

export const maxCost = Type.Optional(
  MONEY('Highest cost at which the payment is made; a higher one is rejected'),
)

export const PaymentBody = Type.Object(
  {
    refid: line(REFID, 'Yours, unique for ever. Sending the same body again is how to ask for the status.'),
    ...paymentOrder,
    quote_id: Type.Optional(
      Type.String({
        maxLength: QUOTE_ID_LENGTH_MAX,
        description: 'Quote whose cost is taken; each pays once',
      }),
    ),
    max_cost: maxCost,
    allow_duplicate: Type.Optional(
      Type.Boolean({
        description: 'True: it is meant, although the same was paid within duplicate_window_seconds',
      }),
    ),
  },
  { title: 'Payment request' },
)

const CODES: Readonly<Record<PaymentCode | RejectionCode, string>> = {
  0: 'accepted',
  1: 'processing',
  20: 'succesful',
  41: 'account suspended or not authorised',
  43: 'balance too low',
  44: 'format, product, plan code or extras',
  45: 'out of stock',
  47: 'service unavailable',
  48: 'rejected by the provider',
  49: 'temporary, send again',
  52: 'account',
  53: 'voided',
  54: 'duplicate or daily limit',
  55: 'timed out at the provider',
  56: 'blacklisted',
  57: 'not eligible',
  58: 'denomination',
  61: 'denomination',
  62: 'identity check',
}

const CODES_TEXT = Object.entries(CODES)
  .map(([code, meaning]) => `${code} ${meaning}`)
  .join('; ')

const common = {
  statusCode: Type.Integer({ description: CODES_TEXT }),
  account: Type.String(),
  product: Type.String(),
  productName: Type.String(),
  amount: Type.Number(),
  sn: text('Serial number of the provider'),
  pin: Type.String(),
  expiry: text('yyyyMMdd'),
  cost: Type.Number({ description: 'Taken from the wallet; 0 when nothing was' }),
  balance: Type.Number({ description: "The wallet after this payment's latest movement of money" }),
  remarks: text('Yours, until a reason of failure takes their place'),
  refid: Type.String(),
  timestamp: text('yyyy-MM-dd HH:mm:ss, GMT+8: the latest change of state'),
  note: text('Instructions for the user'),
  voucherlink: Type.String(),
}

const payment = {
  ...common,
  status: Type.Union(
    [Type.Literal('Accepted'), Type.Literal('Processing'), Type.Literal('Succesful'), Type.Literal('Failed')],
    { description: 'Accepted and Processing change further; Succesful and Failed are final' },
  ),
  transaction_id: Type.String({ pattern: '^\\d+$' }),
}

export const PaymentData = Type.Object(payment, { title: 'Payment' })
export type PaymentWire = Static<typeof PaymentData>

/** Fields in the order of the contract, which shows no transaction_id in callbacks. */
export const CallbackData = Type.Object({ ...common, status: payment.status }, { title: 'Callback payment' })

const Errors = Type.Record(Type.String(), Type.Array(Type.String()))

export const PaymentResponse = Type.Object({ data: PaymentData })

export const RejectionResponse = Type.Object(
  {
    data: Type.Object({ ...common, status: Type.Literal('Failed') }, { title: 'Rejected payment' }),
    message: Type.String(),
    errors: Errors,
  },
  { title: 'Payment rejection', description: 'Nothing was made: the refid may be used again' },
)
/** The errors are shown and never changed. */
export type RejectionWire = Omit<Static<typeof RejectionResponse>, 'errors'> & {
  readonly errors: FieldErrors
}

export const ConflictResponse = Type.Object(
  { data: PaymentData, message: Type.String(), errors: Errors },
  {
    title: 'Payment conflict',
    description: 'The refid belongs to a payment with other contents, shown here',
  },
)

export const TestClockResponse = Type.Object(
  {
    data: Type.Object({
      advanced_seconds: Type.Number({ description: 'How far this clock was moved in all' }),
    }),
  },
  { title: 'Test clock' },
)
