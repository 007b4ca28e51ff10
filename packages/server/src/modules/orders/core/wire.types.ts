import type { OrderState } from './types.ts'

/** A payment of an order, as the wire has it. */
export type OrderTransactionData = {
  readonly refid: string
  readonly transaction_id: string | null
  readonly status_code: number | null
  readonly status_name: string | null
  readonly price: string
  readonly sn: string
  readonly pin: string
  readonly expiry: string
  readonly voucherlink: string
  readonly error: string | null
}

/** Data of an order's event, in the webhook and in the feed. */
export type OrderEventData = {
  readonly order_id: string
  readonly reference: string
  readonly user_id: string
  readonly total_amount: string
  readonly refund_amount: string
  readonly status: OrderState
  readonly payment_reference: string | null
  readonly completed_at: string
  readonly items: readonly {
    readonly product_code: string
    readonly amount: string
    readonly quantity: number
    readonly transactions: readonly OrderTransactionData[]
  }[]
}
