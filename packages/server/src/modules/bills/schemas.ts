import { Type } from 'typebox'
import { documentedAs, parameter } from '../../http/parameters.ts'
import type { Rule } from '../../lib/input/fields.ts'
import { mayBeEmpty } from '../../lib/input/fields.ts'
import { MONEY } from '../../lib/money.ts'
import { CUSTOMER_ACCOUNT, EXTRA, PRODUCT } from '../payments/core/fields.rules.ts'

const text = (rule: Rule<unknown>, description: string) =>
  Type.Optional(documentedAs(rule, Type.String({ description })))

/** Required parameter. An empty value is refused with the contract's text: an account or product that is not valid. */
const needed = (rule: Rule<string>) => ({ ...rule, isRequired: true }) as const

export const BillParameters = Type.Object({
  account: parameter(needed(CUSTOMER_ACCOUNT), 'Bill payment: Ref-1'),
  product: parameter(needed(PRODUCT), 'Product code'),
  biller_code: text(mayBeEmpty(EXTRA), 'Required for bill payment, where it says whose bill it is'),
  ref2: text(mayBeEmpty(EXTRA), 'Bill payment: the second reference, where the biller requires one'),
  amount: text(MONEY, 'Sum to be paid; judged as a payment would be'),
})

const shown = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const Metadata = (statusCode: 200 | 400) =>
  Type.Object({
    status_code: Type.Literal(statusCode),
    product_code: Type.String(),
    last_updated: Type.String({ description: 'dd-MM-yyyy HH:mm:ss, GMT+8' }),
  })

/** Bill with every field; null: the biller did not return it. */
export const BillResponse = Type.Object(
  {
    data: Type.Object({
      message: Type.String({
        description:
          'Account no is valid; Bill presentment is unavailable for this product; or Service unavailable. ' +
          'Please try again later. The customer may pay in all three cases',
      }),
      BillerName: shown('Name of the biller'),
      CustomerName: shown('Name of the customer'),
      Outstanding: Type.Union([Type.Number(), Type.Null()], { description: 'Sum that is owed, in MYR' }),
      Balance: shown('As the biller writes it'),
      Data: shown("The biller's own text"),
      Address: shown('Address of the customer'),
      'E-Bill': shown('Link to the bill as PDF'),
      CustomField: Type.Unknown({ description: "The biller's own, of any type" }),
      DueDate: shown('As the biller writes it'),
    }),
    metadata: Metadata(200),
    transaction_validity: Type.Literal(true),
    transaction_message: Type.String({ description: 'The same as data.message' }),
    error_message: Type.Literal('', { description: 'Always empty' }),
  },
  {
    title: 'Bill',
    examples: [
      {
        data: {
          message: 'Account no is valid',
          BillerName: 'VOLT',
          CustomerName: 'Aminah Yusof',
          Outstanding: 84.5,
          Balance: '84.50',
          Data: null,
          Address: '12, Jalan Kenanga',
          'E-Bill': null,
          CustomField: null,
          DueDate: '2026-03-15',
        },
        metadata: { status_code: 200, product_code: 'VOLT', last_updated: '01-03-2026 09:30:00' },
        transaction_validity: true,
        transaction_message: 'Account no is valid',
        error_message: '',
      },
    ],
  },
)

const empty = () => Type.Literal('', { description: 'Always empty' })
const none = () => Type.Null({ description: 'Always null' })

export const BillRefusal = Type.Object(
  {
    data: Type.Object({
      message: Type.String({
        description: 'The same as error_message. Invalid account no: the customer must not pay',
      }),
      BillerName: empty(),
      CustomerName: empty(),
      Outstanding: none(),
      Balance: empty(),
      Data: empty(),
      Address: empty(),
      'E-Bill': empty(),
      CustomField: empty(),
      DueDate: empty(),
    }),
    metadata: Metadata(400),
    transaction_validity: Type.Null(),
    transaction_message: none(),
    error_message: Type.String({
      description:
        'Invalid account no; The provided biller code is invalid; Ref-2 is required; The provided amount is ' +
        'invalid; or The provided product is invalid',
    }),
  },
  { title: 'Bill refusal', description: 'The account or a parameter is not valid' },
)
