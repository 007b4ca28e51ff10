import type { OperatorOverview } from '../../api/operator.generated.ts'

type Provider = NonNullable<OperatorOverview['providers']>[number]

/**
 * Tells whether a provider takes all orders: its breaker is closed, or nobody has ordered yet. Staging's own simulator
 * is not connected by anybody, and takes orders all the same.
 */
export function takesOrders({ health }: Pick<Provider, 'health'>): boolean {
  return health === null || health.state === 'closed'
}
