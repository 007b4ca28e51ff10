import { fieldErrorsOf, RequestError } from '../../lib/errors.ts'
import type { DirectoryReseller } from '../accounts/types.ts'
import type { Catalog } from '../catalog/model/store.types.ts'
import type { EffectiveProduct } from '../catalog/model/types.ts'
import { invalidItems } from '../orders/core/items.rules.ts'
import { orderProblem } from '../orders/core/problems.rules.ts'
import type { CustomerOrders } from '../orders/core/service.ts'
import type { BasketItem, CustomerOrder, Order } from '../orders/core/types.ts'
import type { SentItem } from './basket.rules.ts'
import { readBasket } from './basket.rules.ts'
import { checkoutProblem } from './problems.rules.ts'
import type { CustomerAtOrder } from './types.ts'

export type CheckoutSettings = {
  readonly orders: CustomerOrders
  readonly catalog: Pick<Catalog, 'snapshotFor'>
}

/** Steps of a customer that judge the basket or an item of it. */
export type Checkout = {
  quote(customer: CustomerAtOrder, item: SentItem): ReturnType<CustomerOrders['quote']>
  replaceItems(customer: CustomerAtOrder, version: number, items: readonly SentItem[]): Promise<CustomerOrder>
  submit(customer: CustomerAtOrder, version: number, allowsRepeats: boolean): Promise<CustomerOrder>
}

export function createCheckout({ orders, catalog }: CheckoutSettings): Checkout {
  /**
   * Counts the questions to suppliers that judging will need: one for each line, because a line that the basket has
   * already is judged again with the others.
   */
  function countQuestions({ reseller, spend }: CustomerAtOrder, items: readonly BasketItem[]): void {
    const { products } = catalog.snapshotFor(reseller)
    const asking = items.filter(({ productCode }) => isAsking(products.get(productCode)))
    if (asking.length > 0) spend('questions', asking.length)
  }

  function admit(customer: CustomerAtOrder, items: readonly BasketItem[]): void {
    requireOpenShop(customer.reseller)
    countQuestions(customer, items)
  }

  return {
    async quote(customer, item) {
      const { order } = customer.read
      requireDraft(order)
      try {
        const [wanted] = readBasket(order, [item])
        if (wanted === undefined) throw new Error('one item was read')
        admit(customer, [wanted])
        return await orders.quote(customer.key, wanted)
      } catch (error) {
        throw ofOneItem(error)
      }
    },
    async replaceItems(customer, version, sent) {
      const { order } = customer.read
      requireDraft(order)
      // Lines are named by their numbers, which belong to one version of the basket.
      if (order.version !== version) throw orderProblem('order_changed')
      const items = readBasket(order, sent)
      admit(customer, items)
      return orders.replaceItems(customer.key, { version, items })
    },
    async submit(customer, version, allowsRepeats) {
      const { order } = customer.read
      requireOpenShop(customer.reseller)
      if (order.state === 'draft') countQuestions(customer, order.lines)
      return orders.submit(customer.key, version, allowsRepeats)
    },
  }
}

/** Refuses steps that are only for a draft. The order's own service judges again, under the lock of its row. */
export function requireDraft({ state }: Pick<Order, 'state'>): void {
  if (state !== 'draft') throw orderProblem('order_not_open')
}

/** Refuses orders of an account that may not pay: its own status is nothing that customers read in a rejection. */
export function requireOpenShop({ status, access }: Pick<DirectoryReseller, 'status' | 'access'>): void {
  if (status !== 'active' || access !== 0) throw checkoutProblem('shop_closed')
}

/** Tells whether a supplier is asked before a payment for the product can be judged. */
function isAsking(product: EffectiveProduct | undefined): boolean {
  return product?.product.fields.some(({ dataSource }) => dataSource?.type === 'dynamic') === true
}

const FIRST_ITEM = /^items\.0\.?/

/** Names the problems of a single item by its own fields. */
function ofOneItem(error: unknown): unknown {
  if (!(error instanceof RequestError) || error.fields === undefined) return error
  const fields = Object.entries(error.fields).flatMap(([name, texts]) =>
    texts.map((text) => [name.replace(FIRST_ITEM, '') || 'item', text] as const),
  )
  return error.code === 'invalid_items' ? invalidItems(fieldErrorsOf(fields)) : error
}
