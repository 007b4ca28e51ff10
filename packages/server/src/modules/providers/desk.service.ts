import { formatCost, formatWindow, limitsView } from './connections.rules.ts'
import type { Connection } from './connections.types.ts'
import type { Route } from './routing.types.ts'

// Providers and routes as those who look after them read them.

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

/** As `changeConnection` takes them. */
export function limitsOf({ limits }: Pick<Connection, 'limits'>): Record<string, unknown> {
  return limitsView(limits)
}
