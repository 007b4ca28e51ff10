import { Type } from 'typebox'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { MessageErrors } from '../../../http/schemas.ts'
import type { Authenticator } from '../../auth/service.ts'
import type { Balances } from '../../wallet/balance/balances.service.ts'
import { readQuoteBody } from '../core/body.service.ts'
import { invalidFormat } from '../core/rejections.rules.ts'
import { QUOTE_ID_LENGTH_MAX } from '../core/request.rules.ts'
import { RejectionResponse } from '../core/schemas.ts'
import { rejectionView } from '../core/view.ts'
import { QUOTE, QuoteBody } from './codec.ts'
import type { Quotes } from './service.ts'

export type QuoteOperationsSettings = {
  readonly authenticate: Authenticator
  readonly payments: { readonly quotes: Quotes }
  readonly balances: Balances
  readonly now: () => Date
}

const QuoteResponse = Type.Object({ data: QUOTE.schema })

export function quoteOperations({
  authenticate,
  payments,
  balances,
  now,
}: QuoteOperationsSettings): Operation[] {
  return [
    operation({
      method: 'POST',
      path: '/v2/quotes',
      docs: {
        operationId: 'createQuote',
        summary: 'Ask what a payment would cost, and hold that cost',
        description:
          'Everything is judged as a payment would be, and a no is the same rejection. Nothing is reserved: stock, ' +
          'balance and limits are judged again when it is paid, by the same payment with `quote_id`.',
        tag: 'Payments',
      },
      schemas: { body: QuoteBody, responses: { 200: QuoteResponse, 400: RejectionResponse } },
      authenticate: authenticate('pay'),
      ownBody: 'json',
      async handle({ caller, request }) {
        const read = readQuoteBody(request)
        if (read.kind === 'unreadable') {
          const balance = await balances.get(caller.reseller.id, request.deadlineMs)
          const rejection = invalidFormat(read.problems)
          return { status: 400, body: rejectionView(read.echo, rejection, balance, now()) }
        }
        const result = await payments.quotes.quote(caller, read.request, request.deadlineMs)
        return result.kind === 'quoted'
          ? { status: 200, body: { data: QUOTE.encode(result.shown) } }
          : { status: 400, body: rejectionView(read.request, result.rejection, result.balance, now()) }
      },
    }),
    operation({
      method: 'GET',
      path: '/v2/quotes/:quote_id',
      docs: { operationId: 'getQuote', summary: 'A quote, and whether it was paid', tag: 'Payments' },
      schemas: {
        params: Type.Object({
          quote_id: Type.String({ maxLength: QUOTE_ID_LENGTH_MAX, description: 'As the quote has it' }),
        }),
        responses: { 200: QuoteResponse, 404: MessageErrors },
      },
      authenticate: authenticate('pay'),
      async handle({ caller, params, request }) {
        const shown = await payments.quotes.get(caller.reseller, params.quote_id, request.deadlineMs)
        return { status: 200, body: { data: QUOTE.encode(shown) } }
      },
    }),
  ]
}
