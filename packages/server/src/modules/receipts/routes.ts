import { Type } from 'typebox'
import type { Operation } from '../../http/operation.ts'
import { anyone, operation } from '../../http/operation.ts'
import { PAGE_POLICY } from '../../http/reference/style.ts'
import { MessageErrors } from '../../http/schemas.ts'
import type { Authenticator } from '../auth/service.ts'
import type { CatalogAnswers } from '../catalog/serve/answers.service.ts'
import { receiptResource } from './codec.ts'
import { noReceiptPage, receiptPage } from './page.view.ts'
import type { Receipts } from './service.ts'

const Page = Type.String({ contentMediaType: 'text/html', description: 'The page' })

/** Operation of the seller. */
export function receiptOperations(
  authenticate: Authenticator,
  receipts: Receipts,
  baseUrl: () => string,
): Operation[] {
  const RECEIPT = receiptResource(baseUrl)
  return [
    operation({
      method: 'GET',
      path: '/v2/receipts/:transaction_id',
      docs: {
        operationId: 'getReceipt',
        summary: 'Receipt of a payment, signed',
        description:
          'For payments that succeeded, also when they were voided since; 409 for others. `data` is what a customer ' +
          'may see. `jws` is a compact JWS (ES256, key in `/.well-known/jwks.json`) with `trxid`, `refid`, `product`, ' +
          '`account`, `amount`, `currency`, `status`, `time`, `digest` (salted SHA-256 of serial and PIN) and `entry` ' +
          '(number in your ledger). Neither holds PIN or link. Number and link stay the same; after a void it is ' +
          'signed anew.',
        tag: 'Payments',
      },
      schemas: {
        params: Type.Object({
          transaction_id: Type.String({ maxLength: 40, description: 'As the payment has it' }),
        }),
        responses: {
          200: Type.Object({ data: RECEIPT.schema, jws: Type.String({ description: 'Compact JWS' }) }),
          404: MessageErrors,
          409: MessageErrors,
        },
      },
      authenticate: authenticate('read'),
      async handle({ caller, params }) {
        const receipt = await receipts.get(caller.reseller, params.transaction_id)
        return { status: 200, body: { data: RECEIPT.encode(receipt), jws: receipt.jws } }
      },
    }),
  ]
}

/** Page for whoever has the link. */
export function receiptPageOperations(
  receipts: Pick<Receipts, 'find'>,
  catalog: Pick<CatalogAnswers, 'redemption'>,
): Operation[] {
  return [
    operation({
      method: 'GET',
      path: '/r/:token',
      docs: { operationId: 'showReceipt', summary: 'Page of a receipt', tag: 'Payments', hidden: true },
      schemas: { params: Type.Object({ token: Type.String() }), responses: { 200: Page, 404: Page } },
      authenticate: anyone,
      answersHead: true,
      async handle({ params, request }) {
        const language = String(request.headers['accept-language'] ?? '')
        const receipt = await receipts.find(params.token)
        if (receipt === undefined) return answerWith(404, noReceiptPage(language))
        const redemption = catalog.redemption(receipt.payment.productCode, language)
        return answerWith(200, receiptPage(receipt, redemption, language))
      },
    }),
  ]
}

const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': PAGE_POLICY,
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
  'Cache-Control': 'no-store',
  Vary: 'Accept-Language',
} as const

function answerWith<S extends number>(status: S, page: string) {
  return { status, body: Buffer.from(page, 'utf8'), headers: PAGE_HEADERS }
}
