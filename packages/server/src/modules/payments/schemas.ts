import { Type } from 'typebox'

const text = (description: string) => Type.String({ description })

export const PaymentBody = Type.Object({
  refid: Type.String({
    minLength: 1,
    maxLength: 50,
    description: 'Yours, unique for ever. Sending the same body again is how to ask for the status.',
  }),
  product: text('Product code'),
  account: text('Recipient account, bill account or mobile number'),
  amount: Type.Union([Type.String(), Type.Number()], {
    description: 'Face value or quantity: a plain decimal greater than 0 with at most 4 decimals',
  }),
  remarks: Type.Optional(Type.String()),
  extras: Type.Optional(
    Type.Object({
      subproduct_code: Type.Optional(text('Plan code, exactly as the option has it')),
      biller_code: Type.Optional(text('Bill payment')),
      ic_number: Type.Optional(text('Bill payment and student loan: identity number without dashes')),
      ref2: Type.Optional(text('Second reference, where the biller requires one')),
    }),
  ),
})

const CODES =
  '0 accepted, 1 processing, 20 succesful. Failures: 41 account suspended or not authorised, 43 balance too low, ' +
  '44 format, product, plan code or extras, 45 out of stock, 47 service unavailable, 48 rejected by the provider, ' +
  '49 temporary, send again, 52 account, 53 voided, 54 duplicate or daily limit, 55 timed out at the provider, ' +
  '56 blacklisted, 57 not eligible, 58 and 61 denomination, 62 identity check'

const common = {
  statusCode: Type.Integer({ description: CODES }),
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

export const PaymentData = Type.Object({
  ...common,
  status: Type.Union(
    (['Accepted', 'Processing', 'Succesful', 'Failed'] as const).map((each) => Type.Literal(each)),
  ),
  transaction_id: Type.String(),
})

const Errors = Type.Record(Type.String(), Type.Array(Type.String()))

export const PaymentResponse = Type.Object({ data: PaymentData })

/** Nothing exists: the refid may be used again. */
export const RejectionResponse = Type.Object({
  data: Type.Object({ ...common, status: Type.Literal('Failed') }),
  message: Type.String(),
  errors: Errors,
})

export const ConflictResponse = Type.Object({ data: PaymentData, message: Type.String(), errors: Errors })

export const TestClockResponse = Type.Object({
  data: Type.Object({
    advanced_seconds: Type.Number({ description: 'How far this clock was moved in all' }),
  }),
})
