import type { Amount } from '../../../lib/money.ts'
import { formatMoney } from '../../../lib/money.ts'
import { findDifferences } from '../core/differences.rules.ts'
import { REJECTIONS, worded } from '../core/rejections.rules.ts'
import type { Decision, Judgement, PaymentRequest, Rejection } from '../core/types.ts'
import type { Quote } from './types.ts'

export type GivenTerms = {
  readonly request: PaymentRequest
  /** Quote that the request names; undefined: it names none, or there is no such quote. */
  readonly quote: Quote | undefined
  /** Highest cost that the service itself accepts for the caller. Left out: any. */
  readonly costMax?: Amount | undefined
}

/** Returns the canonical number of an account of the product; the account itself where it has none. */
type CanonicalOf = (account: string) => string

/** Judges the terms of a payment that would be taken without them. A quote says its cost. */
export function underTerms(
  judgement: Judgement,
  { request, quote, costMax }: GivenTerms,
  canonicalOf?: CanonicalOf,
): Judgement {
  if (judgement.kind === 'rejected') {
    const { behind } = judgement
    if (behind === undefined) return judgement
    const before = underTerms(
      { kind: 'accepted', decision: behind },
      { request, quote, costMax },
      canonicalOf,
    )
    return before.kind === 'rejected' ? before : judgement
  }
  const { quoteId = null, costMax: callersMax = null } = request.terms ?? {}
  const rejection = quoteId === null ? undefined : judgeQuote(judgement.decision, request, quote, canonicalOf)
  if (rejection !== undefined) return { kind: 'rejected', rejection }
  const decision = quote === undefined ? judgement.decision : quotedDecision(judgement.decision, quote)
  const { cost } = decision
  if (callersMax !== null && cost > callersMax) {
    const text = `The payment costs ${formatMoney(cost)} now, more than ${formatMoney(callersMax)}.`
    return { kind: 'rejected', rejection: worded(REJECTIONS.costAboveMaximum, text) }
  }
  if (costMax !== undefined && cost > costMax) return COST_ABOVE_PRICE
  return decision === judgement.decision ? judgement : { kind: 'accepted', decision }
}

function quotedDecision(decision: Decision, { id, cost, faceValue }: Quote): Decision {
  return { ...decision, cost, faceValue, quoteId: id }
}

function judgeQuote(
  decision: Decision,
  request: PaymentRequest,
  quote: Quote | undefined,
  canonicalOf: CanonicalOf | undefined,
): Rejection | undefined {
  if (quote === undefined) return REJECTIONS.quoteUnknown
  const differing = Object.keys(findDifferences(quote, request, canonicalOf))
  if (differing.length === 0 && decision.planCode !== quote.planCode) differing.push('plan')
  if (differing.length > 0) {
    return worded(REJECTIONS.quoteMismatch, `The quote is for another ${differing.join(', ')}.`)
  }
  return quote.paymentId === null && !quote.isExpired ? undefined : closedRejection(quote)
}

/** Says why a quote cannot be paid any more. */
export function closedRejection(quote: Quote | undefined): Rejection {
  if (quote === undefined) return REJECTIONS.quoteUnknown
  const { paymentId, expiresAt } = quote
  return paymentId === null
    ? worded(REJECTIONS.quoteExpired, `The quote expired at ${expiresAt.toISOString()}.`)
    : worded(REJECTIONS.quoteUsed, `The quote was paid by transaction ${paymentId}.`)
}

const COST_ABOVE_PRICE: Judgement = {
  kind: 'rejected',
  rejection: { code: 44, remarks: 'Cost_Above_Price', message: 'The cost is above the price.', errors: {} },
}
