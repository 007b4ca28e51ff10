import type { Database, Queryable, Tx } from '../../../db/database.ts'
import { RequestError } from '../../../lib/errors.ts'
import { nearestHint, noSuchName } from '../../../lib/input/nearest.ts'
import type { RouteInput } from './connections.rules.ts'
import { readRoute } from './connections.rules.ts'
import type { RouteRow } from './connections.sql.ts'
import {
  announceVersion,
  deleteRoutes,
  findConnectionRow,
  hasTooManyRoutes,
  listConnectionRows,
  listFallingToAny,
  listRouteRows,
  ROUTES_MAX,
  takeVersion,
  upsertRoute,
} from './connections.sql.ts'
import type { Route } from './routing.types.ts'

/** Creates the route or replaces the existing one. */
export async function setRoute(database: Database, input: RouteInput): Promise<Route> {
  const route = readRoute(input)
  await database.transaction(async (tx) => {
    await takeVersion(tx)
    if ((await findConnectionRow(tx, route.provider)) === undefined) {
      const codes = (await listConnectionRows(tx)).map(({ code }) => code)
      throw notFound(noSuchName('provider', route.provider, codes))
    }
    const isNew = await upsertRoute(tx, {
      product_code: route.productCode,
      provider: route.provider,
      priority: route.priority,
      weight: route.weight,
      cost_kind: route.cost?.kind ?? null,
      cost_value: route.cost?.value ?? null,
      windows: route.windows.map(({ days, fromMinute, toMinute }) => ({
        days: [...days],
        from: fromMinute,
        to: toMinute,
      })),
      is_enabled: route.isEnabled,
    })
    if (isNew && (await hasTooManyRoutes(tx))) throw tooManyRoutes()
    await announceVersion(tx)
  })
  return route
}

function tooManyRoutes(): RequestError {
  return new RequestError({
    status: 409,
    code: 'limit_reached',
    publicText: `There are ${ROUTES_MAX} routes. Remove some first, or let * lead to the provider of most products.`,
  })
}

/** `isToAny` allows the routes of `*` to take the product when this was its last route. */
export async function removeRoute(
  database: Database,
  productCode: string,
  provider: string,
  { isToAny, toAnyText }: { readonly isToAny?: boolean; readonly toAnyText?: string } = {},
): Promise<void> {
  await database.transaction(async (tx) => {
    await takeVersion(tx)
    await refuseFallingToAny(tx, { provider, productCode, isToAny, toAnyText })
    const removed = await deleteRoutes(tx, provider, productCode)
    if (removed === 0) throw await noRoute(tx, productCode, provider)
    await announceVersion(tx)
  })
}

const NAMED_MAX = 10

/**
 * Refuses a removal after which products would be sold through `*`, unless the caller confirms it. Without `*`, a
 * product that loses its last route is not sold any more.
 */
export async function refuseFallingToAny(
  tx: Tx,
  removal: {
    readonly provider: string
    /** Product of the route; null: all routes of the provider. */
    readonly productCode: string | null
    readonly isToAny: boolean | undefined
    /** Words by which the caller confirms it; the command's option when left out. */
    readonly toAnyText?: string | undefined
  },
): Promise<void> {
  if (removal.isToAny === true) return
  const products = await listFallingToAny(tx, removal.provider, removal.productCode, NAMED_MAX + 1)
  if (products.length === 0) return
  const named = products.slice(0, NAMED_MAX).join(', ') + (products.length > NAMED_MAX ? ' and others' : '')
  throw new RequestError({
    status: 409,
    code: 'conflict',
    publicText:
      `${named} would have no route left and be sold through *. ` +
      `Disable the route to stop its sale, or say that this is meant with ${removal.toAnyText ?? '--to-any'}.`,
  })
}

export async function listRoutes(
  database: Queryable,
  filter: { readonly productCode?: string | undefined; readonly provider?: string | undefined } = {},
): Promise<Route[]> {
  const routes = (await listRouteRows(database)).map(toRoute)
  return routes.filter(
    ({ productCode, provider }) =>
      (filter.productCode ?? productCode) === productCode && (filter.provider ?? provider) === provider,
  )
}

export function toRoute(row: RouteRow): Route {
  return {
    productCode: row.product_code,
    provider: row.provider,
    priority: row.priority,
    weight: row.weight,
    cost:
      row.cost_kind === null || row.cost_value === null
        ? null
        : { kind: row.cost_kind, value: row.cost_value },
    windows: row.windows.map(({ days, from, to }) => ({ days, fromMinute: from, toMinute: to })),
    isEnabled: row.is_enabled,
  }
}

/** Suggests another provider of the product, or else another product of the provider. */
async function noRoute(tx: Tx, productCode: string, provider: string): Promise<RequestError> {
  const routes = await listRouteRows(tx)
  const providers = routes.flatMap((each) => (each.product_code === productCode ? [each.provider] : []))
  const products = routes.flatMap((each) => (each.provider === provider ? [each.product_code] : []))
  const hint = nearestHint(provider, providers) || nearestHint(productCode, products)
  return notFound(`There is no route of ${productCode} to ${provider}${hint}.`)
}

function notFound(publicText: string): RequestError {
  return new RequestError({ status: 404, code: 'not_found', publicText })
}
