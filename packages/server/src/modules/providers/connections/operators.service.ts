import { isDeepStrictEqual } from 'node:util'
import { formatCost, formatWindow, limitsView, ROUTE_RULES } from './connections.rules.ts'
import type { Connection } from './connections.types.ts'
import type { Route } from './routing.types.ts'

// Providers and routes as those who look after them read them.

/** How fields of routes are read, for the API document of the back office. */
export const ROUTE_FIELDS = ROUTE_RULES

/** As `setRoute` takes it. */
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

/** For the log. Of the configuration it says nothing: more people read it than may see that. */
export function connectionRow({ kind, name, isEnabled, version }: Connection) {
  return { kind, name, enabled: isEnabled, version }
}

/** What became of it, for the log: whether it is spoken to in another way, and which secrets are others now. */
export function changedConnectionRow(before: Connection | undefined, after: Connection) {
  const [was, is] = [before?.secretNames ?? {}, after.secretNames]
  return {
    ...connectionRow(after),
    config_changed: !isDeepStrictEqual(before?.config, after.config),
    credentials_replaced: Object.keys(is).filter((name) => setAt(is, name) !== setAt(was, name)),
    credentials_removed: Object.keys(was).filter((name) => !Object.hasOwn(is, name)),
  }
}

/** Secrets have names of the operator's choice, `constructor` among them. */
function setAt(names: Connection['secretNames'], name: string): number | undefined {
  return Object.hasOwn(names, name) ? names[name]?.getTime() : undefined
}

/** As `changeConnection` takes them. */
export function limitsOf({ limits }: Pick<Connection, 'limits'>): Record<string, unknown> {
  return limitsView(limits)
}
