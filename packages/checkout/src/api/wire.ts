import type { BillAnswer, CatalogTree, FormOption, FormProduct } from '@warung/forms/types'

// Answers of the client API (`/checkout/v1/orders/…`), as far as the checkout reads them.

export type OrderStatus =
  | 'draft'
  | 'awaiting_payment'
  | 'confirmed'
  | 'completed'
  | 'partially_completed'
  | 'failed'
  | 'cancelled'
  | 'timeout'

export type ItemStatus = 'pending' | 'processing' | 'succeeded' | 'partially_succeeded' | 'failed'

export type OrderItem = {
  readonly line: number
  readonly product_code: string
  readonly product_name: string
  readonly image_url: string | null
  readonly account: string | null
  readonly amount: string
  readonly quantity: number
  readonly unit_price: string
  readonly price: string
  readonly is_fixed: boolean
  /** Values that the customer still has to give, such as `account` or `ref2`. */
  readonly missing: readonly string[]
  readonly status: ItemStatus
}

export type ThemeTokens = {
  readonly accent?: string | null
  readonly background?: string | null
  readonly surface?: string | null
  readonly text?: string | null
  readonly radius?: string | null
  readonly font?: string | null
}

export type Order = {
  readonly order_id: string
  readonly status: OrderStatus
  readonly merchant: { readonly name: string }
  readonly theme: ThemeTokens | null
  readonly language: string
  readonly currency: string
  /** True when the shop chose the basket: only missing values can be given. */
  readonly is_fixed: boolean
  readonly items: readonly OrderItem[]
  readonly total_amount: string
  readonly refund_amount: string
  readonly expires_at: string
  readonly server_time: string
  readonly version: number
  readonly continue_url: string | null
  readonly show_results: boolean
}

export type Product = FormProduct & { readonly note: string | null; readonly image_url: string }

export type Catalog = {
  readonly tree: CatalogTree
  readonly products: Readonly<Record<string, Product>>
  /** Codes of the products that do not work now. Nodes of the version before do not tell. */
  readonly interrupted?: readonly string[]
}

export type OptionPage = { readonly items: readonly FormOption[]; readonly meta: { readonly total: number } }

export type Bill = BillAnswer

export type Quote = { readonly unit_price: string; readonly price: string }

/** Line of the basket that repeats an earlier payment. */
export type Repeat = { readonly line: number; readonly seconds: number }

/** Item as it is asked for. An item with `line` is that line of the basket: what it leaves out stays. */
export type AskedItem =
  | {
      readonly line: number
      readonly quantity: number
      readonly account?: string
      readonly extras?: Readonly<Record<string, string>>
    }
  | {
      readonly product_code: string
      readonly account: string
      readonly amount: string
      readonly extras?: Readonly<Record<string, string>>
      readonly quantity: number
    }

export type UnitResult = {
  readonly line: number
  readonly number: number
  readonly sn: string
  readonly pin: string
  readonly expiry: string
  readonly voucherlink: string
  readonly redemption: string | null
}

/** Operator of a number, and the products for it, the operator's first. */
export type NumberAnswer = {
  readonly e164: string
  readonly operator: { readonly name: string } | null
  readonly is_certain: boolean
  readonly products: readonly string[]
}
