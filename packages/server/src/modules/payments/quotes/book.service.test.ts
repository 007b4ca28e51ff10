import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PaymentsBench } from '../../../testing/payments/payments.ts'
import { commandFor, openPaymentsBench } from '../../../testing/payments/payments.ts'
import type { Decision } from '../core/types.ts'
import type { QuoteBook } from './book.service.ts'
import { createQuoteBook } from './book.service.ts'
import { quoteStateOf } from './types.ts'

let bench: PaymentsBench
let book: QuoteBook

beforeAll(async () => {
  bench = await openPaymentsBench()
  book = createQuoteBook({ database: bench.database, vault: bench.vault, quoteSeconds: 300 })
})
afterAll(() => bench.close())

async function keep(resellerId: bigint): Promise<string> {
  const { request, decision } = commandFor(resellerId)
  return (await book.keep(resellerId, request, decision as Decision)).id
}

async function stateOf(resellerId: bigint, id: string) {
  const quote = await book.find(resellerId, id)
  return quote && quoteStateOf(quote)
}

it('the oldest of ten thousand open quotes of a reseller expires with the next one, and no other reseller’s', async () => {
  const [reseller, other] = [await bench.newReseller(), await bench.newReseller()]
  const [first, second, others] = [await keep(reseller), await keep(reseller), await keep(other)]
  await bench.database.query(
    `insert into quotes (reseller_id, id, product_code, product_name, account, amount, face_value, cost, created_at,
                         expires_at)
     select reseller_id, gen_random_uuid(), product_code, product_name, account, amount, face_value, cost, created_at,
            expires_at + interval '1 millisecond'
       from quotes, generate_series(1, 9998) where reseller_id = $1 and id = $2`,
    [reseller, second],
  )
  expect(await stateOf(reseller, first)).toBe('open')
  const last = await keep(reseller)
  expect(await stateOf(reseller, first)).toBe('expired')
  for (const id of [second, last]) expect(await stateOf(reseller, id)).toBe('open')
  expect(await stateOf(other, others)).toBe('open')
})

it('quotes that are read together are each found for their reseller alone', async () => {
  const [reseller, other] = [await bench.newReseller(), await bench.newReseller()]
  const [own, theirs] = [await keep(reseller), await keep(other)]
  const asked = [own, theirs, 'no id', own.toUpperCase(), '00000000-0000-4000-8000-000000000000']
  const found = await Promise.all(asked.map((id) => book.find(reseller, id)))
  expect(found.map((quote) => quote?.id)).toEqual([own, undefined, undefined, own, undefined])
})
