import type { OrderKey } from '../core/types.ts'

type PaymentKey = { readonly resellerId: bigint; readonly id: bigint }

/** Payments that orders of this node wait for, in memory. The poll finds the orders that are not here. */
export type AwaitedPayments = {
  /** Remembers the payments that an order waits for now, instead of those before. */
  remember(order: OrderKey, paymentIds: readonly bigint[]): void
  /** Finds the order that waits for a payment, and forgets the payment. */
  take(payment: PaymentKey): OrderKey | undefined
  readonly size: number
}

/** Keeps at most `paymentsMax` payments: the orders that were remembered first are forgotten first. */
export function createAwaitedPayments(paymentsMax: number): AwaitedPayments {
  const byPayment = new Map<string, OrderKey>()
  const byOrder = new Map<string, readonly string[]>()

  function forget(orderName: string): void {
    for (const name of byOrder.get(orderName) ?? []) byPayment.delete(name)
    byOrder.delete(orderName)
  }

  return {
    remember(order, paymentIds) {
      const orderName = nameOf(order)
      forget(orderName)
      if (paymentIds.length === 0) return
      const names = paymentIds.map((id) => nameOf({ resellerId: order.resellerId, id }))
      byOrder.set(orderName, names)
      for (const name of names) byPayment.set(name, order)
      for (const oldest of byOrder.keys()) {
        if (byPayment.size <= paymentsMax) return
        forget(oldest)
      }
    },
    take(payment) {
      const name = nameOf(payment)
      const order = byPayment.get(name)
      byPayment.delete(name)
      return order
    },
    get size() {
      return byPayment.size
    },
  }
}

function nameOf({ resellerId, id }: PaymentKey): string {
  return `${resellerId} ${id}`
}
