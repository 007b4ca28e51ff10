import { isDeepStrictEqual } from 'node:util'
import { formatCost, formatWindow, ROUTE_RULES } from './connections.rules.ts'
import type { Connection } from './connections.types.ts'
import type { Route } from './routing.types.ts'

// Views of providers and routes for operators.

/** Rules of route fields, for the API document of the back office. */
export const ROUTE_FIELDS = ROUTE_RULES

/** Formats a route as `setRoute` accepts it. */
export function routeRow(route: Route) {
  return {
    product: route.productCode,
    provider: route.provider,
    priority: route.priority,
    weight: route.weight,
    cost: formatCost(route.cost),
    windows: route.windows.map(formatWindow),
    enabled: route.isEnabled,
  }
}

/** View for the log. It leaves out the configuration, because more people read the log than may see that. */
export function connectionRow({ kind, name, isEnabled, version }: Connection) {
  return { kind, name, enabled: isEnabled, version }
}

/** View of a change for the log: whether the configuration changed, and which secrets were replaced or removed. */
export function changedConnectionRow(before: Connection | undefined, after: Connection) {
  const [was, is] = [before?.secretNames ?? {}, after.secretNames]
  return {
    ...connectionRow(after),
    config_changed: !isDeepStrictEqual(before?.config, after.config),
    credentials_replaced: Object.keys(is).filter((name) => setAt(is, name) !== setAt(was, name)),
    credentials_removed: Object.keys(was).filter((name) => !Object.hasOwn(is, name)),
  }
}

/** `hasOwn` is needed because operators choose the names of secrets, and `constructor` is possible. */
function setAt(names: Connection['secretNames'], name: string): number | undefined {
  return Object.hasOwn(names, name) ? names[name]?.getTime() : undefined
}
