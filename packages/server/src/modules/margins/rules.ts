import type { Amount } from '../../lib/money.ts'
import { formatMoney, UNITS_PER_RINGGIT } from '../../lib/money.ts'
import { RATE_ONE } from '../../lib/rates.ts'
import {
  faceValue as faceValueOf,
  findPricingField,
  cost as resellerCost,
} from '../catalog/model/pricing.rules.ts'
import type { Option, PriceLevel, Product, WholesalePrice } from '../catalog/model/types.ts'
import type { Charge, KnownCost } from './costs.rules.ts'
import { cheapest, costsOf, distance, isFar, lostCosts, movedCosts } from './costs.rules.ts'
import type { Terms } from './drift.rules.ts'
import { listTerms, referenceTerms } from './drift.rules.ts'
import { isSamePrice } from './repriced.rules.ts'
import { samplesOf } from './samples.rules.ts'
import type { Comparison, EarlierPrice, Finding, Market, Sales } from './types.ts'

// Comparison of prices and supplier costs. A line is one option of a product, or one amount of a product that
// takes any amount; it has the reseller's price and the cheapest route's charge.

// ── A change ──

type Offer = {
  readonly product: Product
  readonly options: readonly Option[]
  readonly wholesale: WholesalePrice | undefined
  readonly costs: readonly KnownCost[]
}

export type ComparisonSettings = {
  /** Limit, in percent, of a price move that one person may make alone. */
  readonly maxPercent: number
  /** Sales by level and product: see salesKey. */
  readonly sales: ReadonlyMap<string, Sales>
  /** Changes of the last days by product, newest first. */
  readonly history?: ReadonlyMap<string, readonly EarlierPrice[]>
}

export function salesKey(level: string, product: string): string {
  return `${level}\n${product}`
}

export function compareMarkets(before: Market, after: Market, settings: ComparisonSettings): Comparison {
  const products = new Map(before.base.products.map((product) => [product.code, product]))
  const isRouted = before.suppliers !== after.suppliers
  const found: Finding[] = isRouted
    ? [...movedCosts(before, after, settings.maxPercent), ...lostCosts(before, after)]
    : []
  let loss = 0n
  for (const product of after.base.products) {
    const present = products.get(product.code)
    // A change of one route leaves the costs of nearly all products as they are: those are not compared.
    const isUntouched =
      present === product &&
      before.base.options.get(product.code) === after.base.options.get(product.code) &&
      (!isRouted || haveSameCosts(before, after, product.code))
    for (const level of after.levels.values()) {
      const wholesale = level.prices.get(product.code)
      if (wholesale === undefined) continue
      const was = before.levels.get(level.code)
      if (isUntouched && isSamePrice(was?.prices.get(product.code), wholesale)) continue
      const findings = compareOffers(
        level.code,
        present === undefined ? undefined : offerOf(before, present, lastPrice(was, product.code)),
        offerOf(after, product, wholesale),
        settings,
      )
      found.push(...findings)
      loss += findings[0]?.loss ?? 0n
    }
  }
  return { findings: found, loss }
}

function haveSameCosts(before: Market, after: Market, productCode: string): boolean {
  const [was, is] = [costsOf(before.suppliers, productCode), costsOf(after.suppliers, productCode)]
  return (
    was.length === is.length &&
    was.every(({ provider, cost }, index) => {
      const other = is[index]
      return provider === other?.provider && cost.kind === other.cost.kind && cost.value === other.cost.value
    })
  )
}

/** Returns the present price, or the last removed one: otherwise removing a price first would hide any move. */
function lastPrice(level: PriceLevel | undefined, productCode: string): WholesalePrice | undefined {
  return level?.prices.get(productCode) ?? level?.withdrawn?.get(productCode)
}

function offerOf(market: Market, product: Product, wholesale: WholesalePrice | undefined): Offer {
  const options = [...(market.base.options.get(product.code)?.values() ?? [])].flat()
  return { product, options, wholesale, costs: costsOf(market.suppliers, product.code) }
}

type Line = {
  readonly key: string
  readonly reference: Amount | undefined
  readonly isNew: boolean
  readonly price: Amount
  readonly charge: Charge | undefined
}

function compareOffers(
  level: string,
  before: Offer | undefined,
  after: Offer,
  settings: ComparisonSettings,
): Finding[] {
  const lines = linesOf(before, after)
  const below = worst(lines, ({ isNew, price, charge }) =>
    isNew && charge !== undefined && price < charge.amount ? charge.amount - price : 0n,
  )
  const moved = worst(lines, (line) => movedBy(line, settings.maxPercent))
  const since = moved === undefined ? driftReference(level, before, after, settings) : undefined
  const drifted = since && worst(linesOf(since, after), (line) => movedBy(line, settings.maxPercent))
  const [first] = [below, moved, drifted].filter((line) => line !== undefined)
  if (first === undefined) return []
  const loss = lossOf(
    drifted === undefined ? before : since,
    after,
    first,
    settings.sales.get(salesKey(level, after.product.code)),
  )
  const about = (kind: Finding['kind'], { key, reference, price, charge }: Line): Finding => ({
    kind,
    product: after.product.code,
    level,
    provider: charge?.provider ?? null,
    sample: key,
    before: reference === undefined ? null : formatMoney(reference),
    after: formatMoney(price),
    cost: charge?.amount ?? null,
    loss,
  })
  return [
    ...(below ? [about('below_cost', below)] : []),
    ...(moved ? [about('price_moved', moved)] : []),
    ...(drifted ? [about('price_drifted', drifted)] : []),
  ]
}

/**
 * Returns the offer that the small steps of the last days are compared with; undefined: no history, no earlier
 * price, or no move.
 */
function driftReference(
  level: string,
  before: Offer | undefined,
  after: Offer,
  { history, maxPercent }: ComparisonSettings,
): Offer | undefined {
  const steps = history?.get(after.product.code)
  if (steps === undefined || before?.wholesale === undefined) return undefined
  const { denominationUnitPrice } = before.product
  const isSameUnit = denominationUnitPrice === after.product.denominationUnitPrice
  if (isSameUnit && isSamePrice(before.wholesale, after.wholesale)) return undefined
  const samples = samplesOf(after.product, after.options, after.costs)
  const isFarApart = (from: Terms, to: Terms) =>
    samples.some(({ denomination }) =>
      isFar(resellerCost(denomination, from), resellerCost(denomination, to), maxPercent),
    )
  const present = { denominationUnitPrice, wholesale: before.wholesale }
  const reference = referenceTerms(listTerms(present, steps, level), isFarApart)
  if (reference === undefined) return undefined
  const product = { ...before.product, denominationUnitPrice: reference.denominationUnitPrice }
  return { ...before, product, wholesale: reference.wholesale }
}

function linesOf(before: Offer | undefined, after: Offer): Line[] {
  const { product, wholesale, costs } = after
  if (wholesale === undefined) return []
  const terms = { denominationUnitPrice: product.denominationUnitPrice, wholesale }
  const isByOption = findPricingField(product)?.type === 'select'
  const denominations = new Map(
    before === undefined || !isByOption
      ? []
      : samplesOf(before.product, before.options, before.costs).map((each) => [each.key, each.denomination]),
  )
  return samplesOf(product, after.options, costs).map(({ key, denomination }) => {
    const faceValue = faceValueOf(denomination, product.denominationUnitPrice)
    const price = resellerCost(denomination, terms)
    const charge = cheapest(costs, faceValue)
    const old = isByOption ? denominations.get(key) : denomination
    const was = old === undefined ? undefined : lineBefore(before, old)
    // A first price has no earlier one: if no cost is known, it is compared with the face value.
    const isFirst = before?.wholesale === undefined
    const reference = isFirst ? (charge === undefined ? faceValue : undefined) : was?.price
    const isNew = isFirst || was?.price !== price || was.charge !== charge?.amount
    return { key, reference, isNew, price, charge }
  })
}

function lineBefore(before: Offer | undefined, denomination: Amount) {
  if (before?.wholesale === undefined) return undefined
  const { denominationUnitPrice } = before.product
  const faceValue = faceValueOf(denomination, denominationUnitPrice)
  return {
    price: resellerCost(denomination, { denominationUnitPrice, wholesale: before.wholesale }),
    charge: cheapest(before.costs, faceValue)?.amount,
  }
}

/** Returns the distance of a move; 0: within the limit of one person. */
function movedBy({ reference, price }: Line, maxPercent: number): Amount {
  if (reference === undefined) return 0n
  return isFar(reference, price, maxPercent) ? distance(reference, price) : 0n
}

function worst(lines: readonly Line[], badness: (line: Line) => Amount): Line | undefined {
  let found: Line | undefined
  let most = 0n
  for (const line of lines) {
    const bad = badness(line)
    if (bad > most) [found, most] = [line, bad]
  }
  return found
}

// ── Last month's sales ──

/**
 * Compares the sales of the last 30 days at the old price, at the new price and at the cheapest route's cost.
 * Returns the larger of two losses: resellers would have paid less, or the supplier would have charged more
 * than the new price.
 */
function lossOf(before: Offer | undefined, after: Offer, line: Line, sales: Sales | undefined): Amount {
  if (sales === undefined || after.wholesale === undefined) return 0n
  const unitBefore = before?.product.denominationUnitPrice ?? after.product.denominationUnitPrice
  const unitAfter = after.product.denominationUnitPrice
  const faceAfter = unitBefore > 0n ? (sales.faceValue * unitAfter) / unitBefore : sales.faceValue
  const paidBefore =
    before?.wholesale === undefined
      ? sales.faceValue
      : paidFor(before.wholesale, sales.faceValue, sales.payments)
  const isSameTerms = unitBefore === unitAfter && isSamePrice(before?.wholesale, after.wholesale)
  // An option whose amount changed moves its price in the same proportion, because sales are not kept by
  // option.
  const isByOption = isSameTerms && findPricingField(after.product)?.type === 'select'
  const paidAfter =
    isByOption && line.reference !== undefined && line.reference > 0n
      ? (paidBefore * line.price) / line.reference
      : paidFor(after.wholesale, faceAfter, sales.payments)
  const charged = cheapest(after.costs, faceAfter, sales.payments)?.amount ?? 0n
  return larger(0n, larger(paidBefore - paidAfter, charged - paidAfter))
}

/** Returns the amount that resellers pay for a face value of several orders. */
function paidFor({ discountType, unitPrice }: WholesalePrice, faceValue: Amount, orders: bigint): Amount {
  return discountType === 'percentage'
    ? (faceValue * unitPrice) / RATE_ONE
    : faceValue - (distance(unitPrice, 0n) * UNITS_PER_RINGGIT * orders) / RATE_ONE
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
