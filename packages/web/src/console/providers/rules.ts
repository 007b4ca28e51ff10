import type { OperatorOverview, Provider, Route } from '../../api/operator.generated.ts'

/** Providers that deliver a product when one is away, first choice first; empty: nobody does. */
export function takersOf(
  product: string,
  without: string,
  routes: readonly Route[],
  providers: readonly Provider[],
): string[] {
  const enabled = new Set(providers.filter((each) => each.enabled).map(({ code }) => code))
  // A product that has routes uses these alone: the route for every product does not step in.
  const left = routes
    .filter((route) => route.product === product && route.provider !== without)
    .filter((route) => route.enabled && enabled.has(route.provider))
  const first = Math.min(...left.map(({ priority }) => priority))
  return left.filter(({ priority }) => priority === first).map(({ provider }) => provider)
}

const ANSWERED_MIN = 0.5

/** Tells whether a provider answers at least half of its orders. The overview and the list of providers call it well by this. */
export function answersEnough({
  orders,
  answered,
}: {
  readonly orders: number
  readonly answered: number
}): boolean {
  return answered >= ANSWERED_MIN * orders
}

type Overviewed = NonNullable<OperatorOverview['providers']>[number]

/**
 * Tells whether a provider takes all orders: its breaker is closed, or nobody has ordered yet. Staging's own simulator
 * is not connected by anybody, and takes orders all the same.
 */
export function takesOrders({ health }: Pick<Overviewed, 'health'>): boolean {
  return health === null || health.state === 'closed'
}

/** Tells whether a provider takes orders and answers enough of them: the figure above and the table below say this. */
export function isWell({ health }: Pick<Overviewed, 'health'>): boolean {
  return takesOrders({ health }) && (health === null || answersEnough(health))
}
