import { Type } from 'typebox'
import { resource } from '../../http/codec.ts'
import { enumOf, Instant } from '../../http/schemas.ts'
import { moneyToNumber } from '../../lib/money.ts'
import { VOIDED } from '../payments/core/states.rules.ts'
import type { Receipt } from './types.ts'

const text = (description: string) => Type.String({ description })

/** Path of the page of a receipt, behind the address of the service. */
export function receiptPath(token: string): string {
  return `/r/${token}`
}

export function receiptResource(baseUrl: () => string) {
  return resource<Receipt>()('Receipt', {
    number: [text('Short, to be read out on the telephone; such as 7K3M-9QXD'), ({ number }) => number],
    transaction_id: [text('The payment'), ({ claims }) => claims.trxid],
    refid: [text('As sent'), ({ claims }) => claims.refid],
    shop: [text('Name of the seller'), ({ shop }) => shop],
    product: [text('Product code'), ({ claims }) => claims.product],
    productName: [text('Its name when it was sold'), ({ payment }) => payment.productName],
    account: [
      text('First three and last three characters; the others are *'),
      ({ claims }) => claims.account,
    ],
    amount: [Type.Number({ description: 'Face value or quantity' }), ({ claims }) => claims.amount],
    face_value: [
      Type.Number({ description: 'In ringgit' }),
      ({ payment }) => moneyToNumber(payment.faceValue),
    ],
    currency: [Type.Literal('MYR'), () => 'MYR' as const],
    state: [
      enumOf(['succeeded', 'voided'], 'State of the payment now'),
      ({ payment }) => (payment.code === VOIDED ? 'voided' : 'succeeded'),
    ],
    sn: [text('Serial number; empty: none'), ({ payment }) => payment.output.serialNumber],
    expiry: [text('As the supplier wrote it; empty: none'), ({ payment }) => payment.output.expiry],
    time: [Instant, ({ claims }) => claims.time],
    verify_url: [
      text('Page that says whether the receipt is genuine, and what is true now'),
      ({ token }) => `${baseUrl()}${receiptPath(token)}`,
    ],
  })
}
