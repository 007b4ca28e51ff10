import { Type } from 'typebox'
import { resource } from '../../../http/codec.ts'
import { enumOf, Instant, orNull } from '../../../http/schemas.ts'
import { moneyToNumber } from '../../../lib/money.ts'
import { EXTRA_NAMES } from '../core/request.rules.ts'
import { maxCost, paymentOrder } from '../core/schemas.ts'
import type { ShownQuote } from './service.ts'
import { QUOTE_STATES, QUOTE_WARNINGS, quoteStateOf } from './types.ts'

/** Body of a quote: that of a payment without what names one. */
export const QuoteBody = Type.Object({ ...paymentOrder, max_cost: maxCost }, { title: 'Quote request' })

const money = (description: string) => Type.Number({ description })

const WARNING = Type.Object(
  {
    code: enumOf(QUOTE_WARNINGS),
    message: Type.String({ description: 'For a person' }),
  },
  { title: 'Quote warning' },
)

export const QUOTE = resource<ShownQuote>()('Quote', {
  quote_id: [
    Type.String({ format: 'uuid', description: 'Member `quote_id` of the payment' }),
    ({ quote }) => quote.id,
  ],
  state: [
    enumOf(QUOTE_STATES, 'A quote pays once. It is paid for ever, whatever becomes of the payment.'),
    ({ quote }) => quoteStateOf(quote),
  ],
  transaction_id: [
    orNull(Type.String(), 'Payment that was made with it; null: none'),
    ({ quote }) => quote.paymentId?.toString() ?? null,
  ],
  product: [Type.String(), ({ quote }) => quote.productCode],
  productName: [Type.String(), ({ quote }) => quote.productName],
  account: [Type.String({ description: 'As sent' }), ({ quote }) => quote.account],
  amount: [money('As sent: face value or quantity'), ({ quote }) => moneyToNumber(quote.amount)],
  extras: [
    Type.Record(Type.String(), Type.String(), { description: 'As sent' }),
    ({ quote }) => extrasOf(quote),
  ],
  face_value: [money('In ringgit'), ({ quote }) => moneyToNumber(quote.faceValue)],
  cost: [money('Taken from the wallet when it is paid'), ({ quote }) => moneyToNumber(quote.cost)],
  currency: [
    Type.Literal('MYR', { description: 'Currency of cost, face value and balance' }),
    () => 'MYR' as const,
  ],
  balance: [money('The wallet now'), ({ balance }) => moneyToNumber(balance)],
  balance_after: [
    money('The wallet after a payment with it; that of now where it is not open'),
    ({ quote, balance }) => moneyToNumber(quoteStateOf(quote) === 'open' ? balance - quote.cost : balance),
  ],
  expires_at: [Instant, ({ quote }) => quote.expiresAt.toISOString()],
  warnings: [
    Type.Array(WARNING, { description: 'Remarks that hinder no payment' }),
    ({ warnings }) => warnings.map(({ code, message }) => ({ code, message })),
  ],
})

function extrasOf({ extras }: ShownQuote['quote']): Record<string, string> {
  const sent = EXTRA_NAMES.flatMap(([name, wire]) => {
    const value = extras[name]
    return value === null ? [] : [[wire, value] as const]
  })
  return Object.fromEntries(sent)
}
