import { Type } from 'typebox'
import { resource } from '../../../http/codec.ts'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { formatMoney } from '../../../lib/money.ts'
import { readQuoteBody } from '../../payments/core/body.service.ts'
import { invalidFormat } from '../../payments/core/rejections.rules.ts'
import { QuoteBody } from '../../payments/quotes/codec.ts'
import type { QuoteResult } from '../../payments/quotes/service.ts'
import { QUOTE_WARNINGS } from '../../payments/quotes/types.ts'
import { memberCaller, resellerOf } from '../access/access.service.ts'
import { dataOf, Instant, Money } from '../access/schemas.ts'
import type { PortalSettings } from '../access/types.ts'
import { Problems, RepeatedPayment } from '../payments/bulk.schemas.ts'
import type { BulkBlock } from '../payments/bulk.service.ts'
import { BULK_BLOCKS, blockOf } from '../payments/bulk.service.ts'
import { problemsOf } from '../payments/bulk.view.ts'

type SellQuote = { readonly result: QuoteResult; readonly blocked: BulkBlock | null }

const shownOf = ({ result }: SellQuote) => (result.kind === 'quoted' ? result.shown : undefined)

/** Quote for a person: with the price for the customer, and refusals as values beside the fields that they are about. */
const SELL_QUOTE = resource<SellQuote>()('Sell quote', {
  blocked: [
    orNull(enumOf(BULK_BLOCKS), 'Why the portal may not pay at all; null: it may'),
    ({ blocked }) => blocked,
  ],
  quote_id: [
    orNull(Type.String({ format: 'uuid' }), 'To pay it with; null: the payment would be refused'),
    (sold) => shownOf(sold)?.quote.id ?? null,
  ],
  expires_at: [
    orNull(Instant, 'Until then the cost holds'),
    (sold) => shownOf(sold)?.quote.expiresAt.toISOString() ?? null,
  ],
  face_value: [orNull(Money), (sold) => textOf(shownOf(sold)?.quote.faceValue)],
  cost: [orNull(Money, 'Sum that the wallet is debited'), (sold) => textOf(shownOf(sold)?.quote.cost)],
  price: [
    orNull(Money, 'Price for the end customer; null: not known, or your adjustment leaves nothing'),
    (sold) => textOf(shownOf(sold)?.price),
  ],
  margin: [
    orNull(Money),
    (sold) => {
      const { price, quote } = shownOf(sold) ?? {}
      return price == null || quote === undefined ? null : formatMoney(price - quote.cost)
    },
  ],
  balance: [Money, ({ result }) => formatMoney(balanceOf(result))],
  balance_after: [
    orNull(Money, 'After paying it'),
    ({ result }) =>
      textOf(result.kind === 'quoted' ? result.shown.balance - result.shown.quote.cost : undefined),
  ],
  problems: [Problems, ({ result }) => (result.kind === 'quoted' ? [] : problemsOf(result.rejection))],
  warnings: [
    Type.Array(
      Type.Object({
        code: enumOf(QUOTE_WARNINGS),
        message: Type.String(),
        payment: orNull(
          RepeatedPayment,
          'The earlier payment of a possible duplicate, which needs `allow_duplicate`',
        ),
      }),
      { description: 'Remarks that hinder no payment' },
    ),
    (sold) =>
      (shownOf(sold)?.warnings ?? []).map(({ code, message, payment }) => ({
        code,
        message,
        payment: payment === undefined ? null : { ...payment, id: String(payment.id) },
      })),
  ],
})

function textOf(amount: bigint | null | undefined): string | null {
  return amount == null ? null : formatMoney(amount)
}

function balanceOf(result: QuoteResult): bigint {
  return result.kind === 'quoted' ? result.shown.balance : result.balance
}

export function portalQuoteOperations(settings: PortalSettings): Operation[] {
  const { authenticate, quotes, balances } = settings
  return [
    operation({
      method: 'POST',
      path: '/portal/v1/sell/quotes',
      docs: {
        operationId: 'portalQuote',
        summary: 'What a payment would cost, its price and its margin',
        description:
          'Holds the cost, as `POST /v2/quotes` does. A payment that would be refused is an answer with `problems`.',
        tag: 'Sell',
      },
      schemas: { body: QuoteBody, responses: { 200: dataOf(SELL_QUOTE.schema) } },
      never: [404, 409],
      authenticate: authenticate('sell'),
      ownBody: 'json',
      async handle({ caller, request }) {
        const reseller = resellerOf(settings, caller)
        const read = readQuoteBody(request)
        const result: QuoteResult =
          read.kind === 'unreadable'
            ? {
                kind: 'rejected',
                rejection: invalidFormat(read.problems),
                balance: await balances.get(reseller.id, request.deadlineMs),
              }
            : await quotes.quote(memberCaller(reseller, caller), read.request, request.deadlineMs)
        const blocked = blockOf(reseller, request.address)
        return { status: 200, body: { data: SELL_QUOTE.encode({ result, blocked }) } }
      },
    }),
  ]
}
