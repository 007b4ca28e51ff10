import type { Amount } from '../../lib/money.ts'
import { formatMoney, LOCAL_CURRENCY } from '../../lib/money.ts'
import type { AnsweredCost, SettledAttempt } from '../payments/support/settled.types.ts'
import { ringgitOf } from '../rates/rules.ts'
import type { Found, SettlementFile, SettlementLine, Sums } from './types.ts'

/** Kind of the amounts of a file, and their currency. */
export type FileAmounts = Pick<SettlementFile, 'amountOf' | 'currency'>

/** Returns the differences between a line of the file and our attempt; `ours` undefined: we have no such order. */
export function compareLine(
  file: FileAmounts,
  line: SettlementLine,
  ours: SettledAttempt | undefined,
): Found[] {
  const about = {
    line: line.line,
    reference: line.reference,
    resellerId: ours?.resellerId ?? null,
    paymentId: ours?.paymentId ?? line.paymentId,
    attempt: ours?.attempt ?? line.attempt,
    ...NO_RINGGIT,
  }
  const theirs = `${line.state} ${listedText(file, line.amount)}`
  if (ours === undefined) return [{ ...about, kind: 'missing_here', theirs, ours: '' }]
  const found: Found[] = []
  if (!statesAgree(line.state, ours.state)) {
    found.push({ ...about, kind: 'state', theirs: line.state, ours: ours.state })
  }
  // An order that did not succeed there costs nothing, whatever amount the line has.
  if (line.state !== 'succeeded') return found
  const amounts = file.amountOf === 'cost' ? costsApart(file, line, ours) : amountsApart(line, ours)
  if (amounts !== undefined) found.push({ ...about, kind: 'amount', ...amounts })
  return found
}

const NO_RINGGIT = { theirsRinggit: null, oursRinggit: null }

type Amounts = Pick<Found, 'theirs' | 'ours' | 'theirsRinggit' | 'oursRinggit'>

function amountsApart({ amount }: SettlementLine, ours: SettledAttempt): Amounts | undefined {
  if (amount === ours.amount || amount === ours.faceValue) return undefined
  return { theirs: formatMoney(amount), ours: formatMoney(ours.faceValue), ...NO_RINGGIT }
}

/** Compares with what the supplier's own answer said that it took. Where it said nothing, there is nothing to compare. */
function costsApart(
  file: FileAmounts,
  { amount }: SettlementLine,
  { cost }: SettledAttempt,
): Amounts | undefined {
  if (cost === null) return undefined
  const isOfFile = cost.currency === file.currency
  if (isOfFile && costsAgree(amount, cost.amount)) return undefined
  return {
    theirs: costText(amount, file.currency),
    ours: costText(cost.amount, cost.currency),
    theirsRinggit: isOfFile ? inRinggit(amount, cost) : null,
    oursRinggit: inRinggit(cost.amount, cost),
  }
}

const HUNDREDTH = 100n

/** Files have two decimals where answers may have four. */
function costsAgree(listed: Amount, answered: Amount): boolean {
  if (listed === answered) return true
  return listed % HUNDREDTH === 0n && ((answered + HUNDREDTH / 2n) / HUNDREDTH) * HUNDREDTH === listed
}

/** Returns an amount in ringgit by the rate that is kept with the cost; null: it is ringgit, or there is no rate. */
function inRinggit(amount: Amount, { rate, currency }: AnsweredCost): Amount | null {
  return rate === null || currency === LOCAL_CURRENCY ? null : ringgitOf(amount, rate)
}

function costText(amount: Amount, currency: string): string {
  return `${formatMoney(amount)} ${currency}`
}

function listedText({ amountOf, currency }: FileAmounts, amount: Amount): string {
  return amountOf === 'cost' ? costText(amount, currency) : formatMoney(amount)
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
export function duplicateOf(
  file: FileAmounts,
  line: SettlementLine,
  ours: SettledAttempt | undefined,
  earlier: string,
): Found {
  return {
    kind: 'duplicate_there',
    line: line.line,
    reference: line.reference,
    resellerId: ours?.resellerId ?? null,
    paymentId: line.paymentId,
    attempt: line.attempt,
    theirs: `${line.state} ${listedText(file, line.amount)} again, after ${earlier}`,
    ours: ours?.state ?? '',
    ...NO_RINGGIT,
  }
}

/** Difference for an order that we sold and the provider does not list. */
export function missingThere({ amountOf }: FileAmounts, ours: SettledAttempt, reference: string): Found {
  const { cost } = ours
  const isCost = amountOf === 'cost' && cost !== null
  return {
    kind: 'missing_there',
    line: 0,
    reference,
    resellerId: ours.resellerId,
    paymentId: ours.paymentId,
    attempt: ours.attempt,
    theirs: '',
    ours: `${ours.state} ${isCost ? costText(cost.amount, cost.currency) : formatMoney(ours.faceValue)}`,
    theirsRinggit: null,
    oursRinggit: isCost ? inRinggit(cost.amount, cost) : null,
  }
}

export const NO_SUMS: Sums = {
  theirs: 0n,
  ours: 0n,
  theirsRinggit: 0n,
  oursRinggit: 0n,
  told: 0,
  untold: 0,
}

/** Adds an order that the file lists as succeeded. Costs in another currency than the file's are differences, not sums. */
export function addToSums(
  sums: Sums,
  { currency }: FileAmounts,
  { amount }: SettlementLine,
  { cost }: SettledAttempt,
): Sums {
  if (cost?.currency !== currency) return { ...sums, untold: sums.untold + 1 }
  const add = (sum: Amount | null, each: Amount) =>
    sum === null || cost.rate === null ? null : sum + ringgitOf(each, cost.rate)
  return {
    theirs: sums.theirs + amount,
    ours: sums.ours + cost.amount,
    theirsRinggit: add(sums.theirsRinggit, amount),
    oursRinggit: add(sums.oursRinggit, cost.amount),
    told: sums.told + 1,
    untold: sums.untold,
  }
}
