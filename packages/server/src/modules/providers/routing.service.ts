import type { Database } from '../../db/database.ts'
import { RequestError } from '../../lib/errors.ts'
import type { RouteInput } from './connections.rules.ts'
import { readRoute } from './connections.rules.ts'
import type { RouteRow } from './connections.sql.ts'
import {
  announceVersion,
  deleteRoutes,
  findConnectionRow,
  listRouteRows,
  takeVersion,
  upsertRoute,
} from './connections.sql.ts'
import type { Route } from './routing.types.ts'

/** A route as it should be from now on, whether there was one before or not. */
export async function setRoute(database: Database, input: RouteInput): Promise<Route> {
  const route = readRoute(input)
  await database.transaction(async (tx) => {
    await takeVersion(tx)
    if ((await findConnectionRow(tx, route.provider)) === undefined) {
      throw notFound(`There is no provider ${route.provider}.`)
    }
    await upsertRoute(tx, {
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
    await announceVersion(tx)
  })
  return route
}

export async function removeRoute(database: Database, productCode: string, provider: string): Promise<void> {
  await database.transaction(async (tx) => {
    await takeVersion(tx)
    const removed = await deleteRoutes(tx, provider, productCode)
    if (removed === 0) throw notFound(`There is no route of ${productCode} to ${provider}.`)
    await announceVersion(tx)
  })
}

export async function listRoutes(
  database: Database,
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

function notFound(publicText: string): RequestError {
  return new RequestError({ status: 404, code: 'not_found', publicText })
}
