import type { Provider, Route } from '../../api/operator.generated.ts'

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
