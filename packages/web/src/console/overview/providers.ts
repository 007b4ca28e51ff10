import type { OperatorOverview } from '../../api/operator.generated.ts'
import { answersEnough } from '../providers/answers.ts'

type Provider = NonNullable<OperatorOverview['providers']>[number]

/**
 * Tells whether a provider takes all orders: its breaker is closed, or nobody has ordered yet. Staging's own simulator
 * is not connected by anybody, and takes orders all the same.
 */
export function takesOrders({ health }: Pick<Provider, 'health'>): boolean {
  return health === null || health.state === 'closed'
}

/** Tells whether a provider takes orders and answers enough of them: the figure above and the table below say this. */
export function isWell({ health }: Pick<Provider, 'health'>): boolean {
  return takesOrders({ health }) && (health === null || answersEnough(health))
}
