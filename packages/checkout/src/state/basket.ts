import type { Client } from '../api/client.ts'
import { asProblem } from '../api/client.ts'
import type { AskedItem, Order } from '../api/wire.ts'
import { aboutLines, isBasket, keptItem } from '../rules/order.ts'

export type BasketDeps = {
  readonly client: Client
  readonly order: () => Order | undefined
  readonly takeOrder: (order: Order) => void
}

/**
 * Replaces the basket. After a lost answer the order is read: the change may have been made. `own` is the line that the
 * form on the screen is about.
 */
export type PutItems = (items: (order: Order) => AskedItem[], own?: number) => Promise<void>

export function createBasketChanges({ client, order: shown, takeOrder }: BasketDeps): PutItems {
  /** Change of which nobody knows whether it was made. */
  let unsure: { readonly version: number; readonly asked: string } | undefined

  return async (items, own) => {
    const before = shown()
    if (before === undefined) return
    const asked = items(before)
    const attempt = { version: before.version, asked: JSON.stringify(asked) }
    const isRepeated = unsure?.version === attempt.version && unsure.asked === attempt.asked
    unsure = undefined
    try {
      takeOrder(await client.putItems(before.version, asked))
    } catch (error) {
      const problem = asProblem(error)
      // A repeated change that was made the first time is refused as one of an old basket.
      const isMaybeMade = problem.isUncertain || (isRepeated && problem.code === 'order_changed')
      if (!isMaybeMade) {
        const lines = asked.map((each) => keptItem(before, each, own))
        throw aboutLines(problem, lines)
      }
      const order = await client.order().catch(() => undefined)
      if (order === undefined) {
        unsure = attempt
        throw error
      }
      takeOrder(order)
      if (order.version === before.version || !isBasket(order, before, asked)) throw error
    }
  }
}
