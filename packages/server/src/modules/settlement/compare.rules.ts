import { formatMoney } from '../../lib/money.ts'
import type { SettledAttempt } from '../payments/support/settled.types.ts'
import type { Found, SettlementLine } from './types.ts'

/** Returns the differences between a line of the file and our attempt; `ours` undefined: we have no such order. */
export function compareLine(line: SettlementLine, ours: SettledAttempt | undefined): Found[] {
  const about = {
    line: line.line,
    reference: line.reference,
    resellerId: ours?.resellerId ?? null,
    paymentId: ours?.paymentId ?? line.paymentId,
    attempt: ours?.attempt ?? line.attempt,
  }
  const theirs = `${line.state} ${formatMoney(line.amount)}`
  if (ours === undefined) return [{ ...about, kind: 'missing_here', theirs, ours: '' }]
  const found: Found[] = []
  if (!statesAgree(line.state, ours.state)) {
    found.push({ ...about, kind: 'state', theirs: line.state, ours: ours.state })
  }
  // An order that did not succeed there costs nothing, whatever amount the line has.
  if (line.state === 'succeeded' && line.amount !== ours.amount && line.amount !== ours.faceValue) {
    found.push({
      ...about,
      kind: 'amount',
      theirs: formatMoney(line.amount),
      ours: formatMoney(ours.faceValue),
    })
  }
  return found
}

function statesAgree(theirs: SettlementLine['state'], ours: SettledAttempt['state']): boolean {
  switch (theirs) {
    case 'succeeded':
      return ours === 'succeeded'
    case 'failed':
      return ours === 'failed' || ours === 'voided'
    // A pending line is not final: a later file has the end of it.
    case 'pending':
      return true
    default:
      return theirs satisfies never
  }
}

/** Difference for an order that the provider lists as succeeded once more. */
export function duplicateOf(line: SettlementLine, ours: SettledAttempt | undefined, earlier: string): Found {
  return {
    kind: 'duplicate_there',
    line: line.line,
    reference: line.reference,
    resellerId: ours?.resellerId ?? null,
    paymentId: line.paymentId,
    attempt: line.attempt,
    theirs: `${line.state} ${formatMoney(line.amount)} again, after ${earlier}`,
    ours: ours?.state ?? '',
  }
}

/** Difference for an order that we sold and the provider does not list. */
export function missingThere(ours: SettledAttempt, reference: string): Found {
  return {
    kind: 'missing_there',
    line: 0,
    reference,
    resellerId: ours.resellerId,
    paymentId: ours.paymentId,
    attempt: ours.attempt,
    theirs: '',
    ours: `${ours.state} ${formatMoney(ours.faceValue)}`,
  }
}
