import type { Static, TSchema } from 'typebox'
import { Type } from 'typebox'
import type { Validator } from 'typebox/compile'
import { Compile } from 'typebox/compile'
import { compileValidation } from '../../../http/validation.ts'
import { FAILURE_CODES } from '../../../lib/failure-codes.ts'
import { FAULT_KINDS, FAULT_TARGETS, FULFILMENTS } from './types.ts'

// The simulator's own HTTP protocol, used by its server and its client. It is the counterpart of a real provider's
// manual for those who connect one.

const MONEY = '^[0-9]{1,15}(\\.[0-9]{1,4})?$'
const Extra = Type.Optional(Type.Union([Type.String({ maxLength: 200 }), Type.Null()]))

/** POST /orders */
export const OrderBody = Type.Object({
  reference: Type.String({ pattern: '^[\\x21-\\x7e]{1,100}$' }),
  product: Type.String({ minLength: 1, maxLength: 100 }),
  account: Type.String({ maxLength: 200 }),
  amount: Type.String({ pattern: MONEY }),
  face_value: Type.Optional(Type.String({ pattern: MONEY })),
  subproduct_code: Extra,
  biller_code: Extra,
  ref2: Extra,
  fulfilment: Type.Optional(Type.Enum([...FULFILMENTS])),
})
export type OrderBody = Static<typeof OrderBody>

const Text = Type.String({ maxLength: 500 })

/** 200 of POST /orders and GET /orders/{reference} */
export const OrderAnswer = Type.Union([
  Type.Object({
    status: Type.Literal('succeeded'),
    output: Type.Object({
      serial_number: Text,
      pin: Text,
      expiry: Text,
      voucher_link: Text,
      note: Text,
    }),
  }),
  Type.Object({
    status: Type.Literal('failed'),
    code: Type.Enum([...FAILURE_CODES]),
    reason: Text,
  }),
  Type.Object({ status: Type.Literal('pending') }),
])
export type OrderAnswer = Static<typeof OrderAnswer>

/** 200 of POST /voids/{reference} */
export const VoidAnswerBody = Type.Union([
  Type.Object({ status: Type.Literal('approved') }),
  Type.Object({ status: Type.Literal('refused'), reason: Text }),
  Type.Object({ status: Type.Literal('pending') }),
])
export type VoidAnswerBody = Static<typeof VoidAnswerBody>

/** POST /bills */
export const BillBody = Type.Object({
  product: Type.String({ minLength: 1, maxLength: 100 }),
  account: Type.String({ maxLength: 200 }),
  biller_code: Extra,
  ref2: Extra,
  amount: Type.Optional(Type.Union([Type.String({ pattern: MONEY }), Type.Null()])),
})
export type BillBody = Static<typeof BillBody>

/** 200 of POST /bills */
export const BillAnswerBody = Type.Object({ bill: Type.Record(Type.String(), Type.Unknown()) })

/** POST /options */
export const OptionsBody = Type.Object({
  product: Type.String({ minLength: 1, maxLength: 100 }),
  field: Type.String({ minLength: 1, maxLength: 100 }),
  account: Type.String({ maxLength: 200 }),
})
export type OptionsBody = Static<typeof OptionsBody>

const TextOrNull = Type.Union([Text, Type.Null()])

/** 200 of POST /options */
export const OptionsAnswerBody = Type.Object({
  options: Type.Array(
    Type.Object({
      code: Text,
      label: Text,
      description: TextOrNull,
      account: TextOrNull,
      denomination: Type.Union([Type.String({ pattern: MONEY }), Type.Null()]),
      validity: TextOrNull,
      features: Type.Union([Type.Array(Text), Type.Null()]),
    }),
  ),
})
export type OptionsAnswerBody = Static<typeof OptionsAnswerBody>

/** 200 of GET /float */
export const FloatAnswerBody = Type.Object({ balance: Type.String({ pattern: MONEY }) })

/** Callback that the simulator sends by itself; signed with CALLBACK_HEADERS. */
export const CallbackBody = Type.Intersect([
  Type.Object({
    id: Type.String({ minLength: 1, maxLength: 100 }),
    reference: Type.String({ minLength: 1, maxLength: 100 }),
    amount: Type.String({ pattern: MONEY }),
  }),
  OrderAnswer,
])
export type CallbackBody = Static<typeof CallbackBody>

/** Headers of the time in seconds and of the HMAC-SHA256 in hex of `<timestamp>.<body>`. */
export const CALLBACK_HEADERS = {
  timestamp: 'x-simulator-timestamp',
  signature: 'x-simulator-signature',
} as const

/** Headers of the same for signed requests: the HMAC is of `<timestamp>.<method>.<path and query>.<body>`. */
export const REQUEST_SIGNATURE_HEADERS = { timestamp: 'x-timestamp', signature: 'x-signature' } as const

/** Body of every answer that is not 200. */
export const Refusal = Type.Object({ error: Text, message: Text })
export type Refusal = Static<typeof Refusal>

/** A line of GET /orders */
export type BookLine = {
  reference: string
  product: string
  account: string
  amount: string
  status: 'succeeded' | 'failed' | 'pending' | 'unknown'
  /** Time at which it was entered in the books. */
  acted_at: string
  times_received: number
  voided_at: string | null
}

const DELAY_MS_MAX = 600_000

/** POST /faults */
export const FaultBody = Type.Object({
  kind: Type.Enum([...FAULT_KINDS]),
  on: Type.Optional(Type.Enum([...FAULT_TARGETS])),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  matching_account: Type.Optional(Type.String({ maxLength: 200 })),
  delay_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: DELAY_MS_MAX })),
  callback_url: Type.Optional(Type.String({ pattern: '^https?://', maxLength: 2_000 })),
})
export type FaultBody = Static<typeof FaultBody>

/** GET /orders?after=&limit= */
export const BooksQuery = Type.Object({
  after: Type.Integer({ minimum: 0 }),
  limit: Type.Integer({ minimum: 1, maximum: 10_000 }),
})

export const readOrderBody = reader(OrderBody)
export const readFaultBody = reader(FaultBody)
export const readBooksQuery = reader(BooksQuery)
export const isOrderAnswer = checker(OrderAnswer)
export const isVoidAnswer = checker(VoidAnswerBody)
export const isRefusal = checker(Refusal)
export const readBillBody = reader(BillBody)
export const readOptionsBody = reader(OptionsBody)
export const isBillAnswer = checker(BillAnswerBody)
export const isOptionsAnswer = checker(OptionsAnswerBody)
export const isFloatAnswer = checker(FloatAnswerBody)
export const isCallbackBody = checker(CallbackBody)

/** Returns a reader that throws every problem at once. */
function reader<T extends TSchema>(schema: T): (value: unknown) => Static<T> {
  const validate = compileValidation(schema)
  return (value) => {
    validate(value)
    return value as Static<T>
  }
}

function checker<T extends TSchema>(schema: T): (value: unknown) => value is Static<T> {
  let compiled: Validator | undefined
  return (value): value is Static<T> => {
    compiled ??= Compile(schema)
    return compiled.Check(value)
  }
}

/** Header sent with every request and returned with its answer, so that no answer is taken for another's. */
export const EXCHANGE_HEADER = 'x-exchange-id'

/** Largest body either side reads. */
export const EXCHANGE_BYTES_MAX = 64 * 1_024
