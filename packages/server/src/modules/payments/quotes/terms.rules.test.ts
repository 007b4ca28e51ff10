import { expect, it } from 'vitest'
import { commandFor } from '../../../testing/payments/payments.ts'
import { REJECTIONS } from '../core/rejections.rules.ts'
import type { Decision, Judgement } from '../core/types.ts'
import { underTerms } from './terms.rules.ts'
import type { Quote } from './types.ts'

const { request: plain, decision } = commandFor(1n)
const request = { ...plain, terms: { quoteId: 'q', costMax: null, allowsDuplicate: false } }
const accepted = (change: Partial<Decision> = {}): Judgement => ({
  kind: 'accepted',
  decision: { ...(decision as Decision), ...change },
})

const QUOTE: Quote = {
  ...{ id: 'q', resellerId: 1n, productCode: 'NOVA', productName: 'Nova', account: plain.account },
  ...{ amount: plain.amount ?? 0n, extras: plain.extras, planCode: 'A', faceValue: 10_000n, cost: 9_000n },
  ...{ expiresAt: new Date(0), isExpired: false, paymentId: null },
}

it('a quote is for the plan that it was decided to mean: where the catalogue means another one now, it does not pay', () => {
  const quote = QUOTE
  expect(underTerms(accepted({ planCode: 'A' }), { request, quote })).toMatchObject({
    kind: 'accepted',
    decision: { cost: 9_000n, quoteId: 'q' },
  })
  expect(underTerms(accepted({ planCode: 'B' }), { request, quote })).toMatchObject({
    rejection: {
      code: 44,
      remarks: 'Quote_Mismatch',
      errors: { quote_id: [expect.stringContaining('plan')] },
    },
  })
})

it('a quote sells nothing that is not for sale now', () => {
  const refused: Judgement = { kind: 'rejected', rejection: REJECTIONS.productUnavailable }
  expect(underTerms(refused, { request, quote: QUOTE })).toBe(refused)
})

it('the highest cost holds for the cost of the quote, not for that of the price list', () => {
  const under = (costMax: bigint) =>
    underTerms(accepted({ planCode: 'A', cost: 12_000n }), {
      request: { ...request, terms: { ...request.terms, costMax } },
      quote: QUOTE,
    })
  expect(under(9_000n)).toMatchObject({ kind: 'accepted' })
  expect(under(8_999n)).toMatchObject({ rejection: { remarks: 'Cost_Above_Maximum' } })
})
