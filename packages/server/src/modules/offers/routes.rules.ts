import type { Amount } from '../../lib/money.ts'
import { parseMoney } from '../../lib/money.ts'
import { faceValue, findPricingField } from '../catalog/model/pricing.rules.ts'
import type { Product } from '../catalog/model/types.ts'
import type { Route, RouteCost, TimeWindow } from '../providers/connections/routing.types.ts'
import { inRinggit } from '../rates/rules.ts'
import type { Rates } from '../rates/types.ts'
import type { Shelf } from './shelf.rules.ts'
import type { Offer, OfferMoney, Place } from './types.ts'

// Route of a product by the offers that it is bought by: it has one cost and one set of hours for all of them.

/** One of the supplier's offers by which a product is bought. */
export type Bought = { readonly place: Place; readonly known: Offer | null }

export function ringgitOfCost(cost: OfferMoney | null | undefined, rates: Rates): Amount | null {
  const amount = cost == null ? undefined : parseMoney(cost.amount)
  return cost == null || amount === undefined ? null : inRinggit(rates, { amount, currency: cost.currency })
}

/** Returns the denomination that is ordered at a place; null: it is not one. */
export function denominationAt(
  shelf: Pick<Shelf, 'optionsOf'>,
  product: Product,
  place: Place,
  offer: Offer | null,
): Amount | null {
  if (place.by === 'amount') return parseMoney(place.key) ?? null
  if (place.by === 'product') {
    const face = offer?.face
    return face != null && face.min === face.max ? (parseMoney(face.min) ?? null) : null
  }
  const field = findPricingField(product)
  return field === undefined
    ? null
    : (shelf.optionsOf(product.code, field.id).get(place.key)?.denomination ?? null)
}

const SHARE_ONE = 10_000n
/** Largest share that a route can say, 999.99 %. */
const SHARE_MAX = 99_999n

/**
 * Returns the cost of a route by its offers: the largest share of the face value, because a price is a share of it too
 * and must cover each of them. `present` stays where an offer's cost is not known, unless the others are dearer.
 */
export function routeCostOf(
  lines: readonly { readonly face: Amount | null; readonly cost: Amount | null }[],
  present: RouteCost | null,
): RouteCost | null {
  const known = lines.flatMap(({ face, cost }) =>
    face === null || face <= 0n || cost === null ? [] : [{ face, cost }],
  )
  if (known.length === 0) return present
  const isWhole = known.length === lines.length
  if (!isWhole && present?.kind === 'fixed') return present
  const share = largest(known.map(({ face, cost }) => (cost * SHARE_ONE + face - 1n) / face))
  if (share > SHARE_MAX) return { kind: 'fixed', value: largest(known.map(({ cost }) => cost)) }
  return { kind: 'percentage', value: isWhole || present === null ? share : largest([share, present.value]) }
}

function largest(values: readonly bigint[]): bigint {
  return values.reduce((most, each) => (each > most ? each : most), 0n)
}

const DAY_MINUTES = 24 * 60

/** Returns the time of day at which all of the offers are sold; empty: always. undefined: they never are at once. */
export function windowsOf(offers: readonly Pick<Offer, 'hours'>[]): readonly TimeWindow[] | undefined {
  const hours = offers.flatMap((each) => (each.hours === null ? [] : [each.hours]))
  if (hours.length === 0) return []
  const isOpen = Array.from({ length: DAY_MINUTES }, (_, minute) =>
    hours.every(({ opens, closes }) => isWithin(minute, minutesOf(opens), minutesOf(closes))),
  )
  if (isOpen.every(Boolean)) return []
  const windows: TimeWindow[] = []
  for (const [minute, open] of isOpen.entries()) {
    if (!open || isOpen[(minute + DAY_MINUTES - 1) % DAY_MINUTES] === true) continue
    let toMinute = minute
    while (isOpen[toMinute % DAY_MINUTES] === true) toMinute += 1
    windows.push({
      days: [],
      fromMinute: minute,
      toMinute: toMinute > DAY_MINUTES ? toMinute - DAY_MINUTES : toMinute,
    })
  }
  return windows.length === 0 ? undefined : windows
}

function isWithin(minute: number, from: number, to: number): boolean {
  return from < to ? minute >= from && minute < to : from === to || minute >= from || minute < to
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
}

const USUAL_WEIGHT = 100
const PRIORITY_MAX = 1_000

/**
 * Returns the route as the offers of its product want it. undefined: the product has no route of its own and is sold
 * through `*`, which one of its own would end.
 */
export function routeAfter({
  provider,
  product,
  routes,
  bought,
  wasClosed,
  rates,
  shelf,
}: {
  readonly provider: string
  readonly product: Product
  /** All routes of the product, and those of `*`. */
  readonly routes: readonly Route[]
  readonly bought: readonly Bought[]
  /** Every offer of the product was closed before. */
  readonly wasClosed: boolean
  readonly rates: Rates
  readonly shelf: Pick<Shelf, 'optionsOf'>
}): Route | undefined {
  const own = routes.filter(({ productCode }) => productCode === product.code)
  const present = own.find((route) => route.provider === provider)
  if (own.length === 0 && routes.some(({ productCode, isEnabled }) => productCode === '*' && isEnabled))
    return undefined
  const open = bought.filter(({ place }) => place.isClosed !== true)
  const lines = open.map(({ place, known }) => {
    const denomination = denominationAt(shelf, product, place, known)
    return {
      face: denomination === null ? null : faceValue(denomination, product.denominationUnitPrice),
      cost: ringgitOfCost(known?.cost, rates),
    }
  })
  const told = open.flatMap(({ known }) => (known === null ? [] : [known]))
  const windows = windowsOf(told)
  const hasHours = told.some(({ hours }) => hours !== null)
  const isClosed = open.length === 0
  const last = own.reduce((most, { priority }) => Math.max(most, priority), 0)
  return {
    productCode: product.code,
    provider,
    priority: present?.priority ?? Math.min(last + 1, PRIORITY_MAX),
    weight: present === undefined ? USUAL_WEIGHT : present.weight,
    cost: routeCostOf(lines, present?.cost ?? null),
    windows: (hasHours || present === undefined ? windows : present.windows) ?? present?.windows ?? [],
    isEnabled: !isClosed && (present === undefined || present.isEnabled || wasClosed),
  }
}
