import { LOCAL_OFFSET_MS } from '../../../lib/dates.ts'
import type { Amount } from '../../../lib/money.ts'
import type { Provider } from '../port/types.ts'
import type {
  Obstacle,
  PassedOver,
  Route,
  RouteChoice,
  RouteCost,
  RouteNote,
  RouteRequest,
  TimeWindow,
} from './routing.types.ts'
import { ANY_PRODUCT } from './routing.types.ts'

// Routes are compiled when they change, so that the choice made for every payment is a few comparisons.

/** Inputs of a choice beside the routes. */
export type RoutingContext = {
  /** False while the provider is ill or all of its probes are under way. */
  acceptsOrders(code: string): boolean
  nowMs(): number
  /** Random number from 0 to below 1. */
  random(): number
}

type Candidate = {
  readonly provider: Provider
  readonly weight: number | null
  readonly cost: RouteCost | null
  /** Open hours in minutes of the week; null: always. */
  readonly open: readonly Interval[] | null
  /** Choice when it is simply the first; made once and not per payment. */
  readonly plainChoice: RouteChoice
}

type Interval = { readonly from: number; readonly to: number }

type Group = { readonly candidates: readonly Candidate[]; readonly isByCost: boolean }

export type ProductRoutes = {
  /** The only candidate of the first priority, open at every hour; undefined: all groups must be examined. */
  readonly plain: Candidate | undefined
  readonly groups: readonly Group[]
}

export type CompiledRoutes = {
  readonly products: ReadonlyMap<string, ProductRoutes>
  readonly others: ProductRoutes | undefined
}

const NONE: RouteChoice = { kind: 'none' }

/**
 * `providerOf` returns the providers that take new orders. `fallback` takes products without any route. A product with
 * routes of its own uses only these, even when none of them leads to a provider.
 */
export function compileRoutes(
  routes: readonly Route[],
  providerOf: (code: string) => Provider | undefined,
  fallback: Provider | undefined,
): CompiledRoutes {
  const byProduct = new Map<string, Route[]>()
  for (const route of routes) {
    byProduct.set(route.productCode, [...(byProduct.get(route.productCode) ?? []), route])
  }
  const products = new Map<string, ProductRoutes>()
  for (const [code, own] of byProduct) products.set(code, compileProduct(own, providerOf))
  const others = products.get(ANY_PRODUCT) ?? (fallback && routesTo(fallback))
  products.delete(ANY_PRODUCT)
  return { products, others }
}

function routesTo(provider: Provider): ProductRoutes {
  const candidate = candidateOf(provider, { weight: 1, cost: null, windows: [] })
  return { plain: candidate, groups: [{ candidates: [candidate], isByCost: false }] }
}

function compileProduct(
  routes: readonly Route[],
  providerOf: (code: string) => Provider | undefined,
): ProductRoutes {
  const groups = new Map<number, Candidate[]>()
  for (const route of [...routes].sort((a, b) => a.priority - b.priority)) {
    const provider = route.isEnabled ? providerOf(route.provider) : undefined
    if (provider === undefined) continue
    groups.set(route.priority, [...(groups.get(route.priority) ?? []), candidateOf(provider, route)])
  }
  const compiled = [...groups.values()].map((candidates) => ({
    candidates,
    isByCost: candidates.some(({ weight }) => weight === null),
  }))
  const [first] = compiled
  const [only] = first?.candidates ?? []
  const isPlain = first?.candidates.length === 1 && only?.open === null
  return { plain: isPlain ? only : undefined, groups: compiled }
}

function candidateOf(provider: Provider, route: Pick<Route, 'weight' | 'cost' | 'windows'>): Candidate {
  return {
    provider,
    weight: route.weight,
    cost: route.cost,
    open: route.windows.length === 0 ? null : route.windows.flatMap(intervalsOf),
    plainChoice: { kind: 'chosen', provider, note: null },
  }
}

export function routesOf(routes: CompiledRoutes, productCode: string): ProductRoutes | undefined {
  return routes.products.get(productCode) ?? routes.others
}

/** Returns the providers that are open at this hour, healthy or not. */
export function candidatesOf(routes: ProductRoutes, nowMs: number): Provider[] {
  const minute = minuteOfWeek(nowMs)
  return routes.groups.flatMap(({ candidates }) =>
    candidates.filter((candidate) => isOpenAt(candidate, minute)).map(({ provider }) => provider),
  )
}

function isOpenAt({ open }: Candidate, minute: number): boolean {
  return open === null || open.some(({ from, to }) => minute >= from && minute < to)
}

export function chooseRoute(
  routes: CompiledRoutes,
  request: RouteRequest,
  world: RoutingContext,
): RouteChoice {
  const own = routesOf(routes, request.productCode)
  if (own === undefined || own.groups.length === 0) return NONE
  const { plain } = own
  if (plain !== undefined && request.tried === undefined && request.withoutStock !== true) {
    if (world.acceptsOrders(plain.provider.code)) return plain.plainChoice
  }
  return chooseAmong(own.groups, request, world)
}

function chooseAmong(groups: readonly Group[], request: RouteRequest, world: RoutingContext): RouteChoice {
  const minute = minuteOfWeek(world.nowMs())
  const passedOver: PassedOver[] = []
  for (const group of groups) {
    const eligible: Candidate[] = []
    for (const candidate of group.candidates) {
      const obstacle = obstacleOf(candidate, request, world, minute)
      if (obstacle === undefined) eligible.push(candidate)
      else passedOver.push({ provider: candidate.provider.code, obstacle })
    }
    const [first] = eligible
    if (first === undefined) continue
    if (eligible.length === 1) return chosen(first, { passedOver, pick: null })
    const picked = group.isByCost
      ? cheapest(eligible, request.faceValue, world.random())
      : drawn(eligible, world.random())
    const among = eligible.map(({ provider }) => provider.code)
    return chosen(picked, { passedOver, pick: { by: group.isByCost ? 'cost' : 'weight', among } })
  }
  return { kind: 'closed', passedOver }
}

function chosen(candidate: Candidate, note: RouteNote): RouteChoice {
  if (note.passedOver.length === 0 && note.pick === null) return candidate.plainChoice
  return { kind: 'chosen', provider: candidate.provider, note }
}

function obstacleOf(
  candidate: Candidate,
  { tried, withoutStock }: RouteRequest,
  world: RoutingContext,
  minute: number,
): Obstacle | undefined {
  const { provider } = candidate
  if (tried?.has(provider.code) === true) return 'tried'
  if (withoutStock === true && provider.reservesStock) return 'stock_not_reserved'
  if (!isOpenAt(candidate, minute)) return 'closed_now'
  return world.acceptsOrders(provider.code) ? undefined : 'interrupted'
}

// ── Within a priority ──

/** Draws in proportion to the weights; evenly when all are 0. */
function drawn(candidates: readonly Candidate[], random: number): Candidate {
  const total = candidates.reduce((sum, { weight }) => sum + (weight ?? 0), 0)
  if (total === 0) return candidates[Math.floor(random * candidates.length)] as Candidate
  let left = random * total
  for (const candidate of candidates) {
    left -= candidate.weight ?? 0
    if (left < 0) return candidate
  }
  return candidates.at(-1) as Candidate
}

/** Picks the lowest cost. Unknown costs come last; a draw decides between equal ones. */
function cheapest(
  candidates: readonly Candidate[],
  faceValue: Amount | undefined,
  random: number,
): Candidate {
  let best: Candidate[] = []
  let bestCost: bigint | undefined
  for (const candidate of candidates) {
    const cost = costOf(candidate.cost, faceValue)
    const isBetter = cost !== undefined && (bestCost === undefined || cost < bestCost)
    if (isBetter) {
      best = [candidate]
      bestCost = cost
    } else if (cost === bestCost) best.push(candidate)
  }
  return best[Math.floor(random * best.length)] as Candidate
}

const PERCENTAGE_ONE = 10_000n

/** Face value that makes percentages comparable when none is given. */
const USUAL_FACE_VALUE: Amount = 100_000n

function costOf(cost: RouteCost | null, faceValue: Amount = USUAL_FACE_VALUE): bigint | undefined {
  if (cost === null) return undefined
  return cost.kind === 'fixed' ? cost.value : (faceValue * cost.value) / PERCENTAGE_ONE
}

// ── Time ──

const MINUTE_MS = 60_000
const DAY_MINUTES = 24 * 60
const WEEK_MINUTES = 7 * DAY_MINUTES
/** The first of January 1970 was a Thursday, three days after a Monday. */
const EPOCH_MINUTE = 3 * DAY_MINUTES

/** Minutes since Monday 00:00, by Malaysia's clock. */
export function minuteOfWeek(instantMs: number): number {
  return (Math.floor((instantMs + LOCAL_OFFSET_MS) / MINUTE_MS) + EPOCH_MINUTE) % WEEK_MINUTES
}

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7]

function intervalsOf({ days, fromMinute, toMinute }: TimeWindow): Interval[] {
  return (days.length === 0 ? EVERY_DAY : days).flatMap((day) => {
    const midnight = (day - 1) * DAY_MINUTES
    const from = midnight + fromMinute
    const to = midnight + toMinute + (toMinute <= fromMinute ? DAY_MINUTES : 0)
    if (to <= WEEK_MINUTES) return [{ from, to }]
    return [
      { from, to: WEEK_MINUTES },
      { from: 0, to: to - WEEK_MINUTES },
    ]
  })
}
