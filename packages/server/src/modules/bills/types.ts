/** Question as it came in the query; null: missing or empty. */
export type BillQuestion = {
  readonly product: string
  readonly account: string
  readonly billerCode: string | null
  readonly ref2: string | null
  readonly amount: string | null
}

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** Record of a biller under the contract's own names; a field that the biller does not return is absent. */
export type Bill = {
  readonly BillerName?: string
  readonly CustomerName?: string
  readonly Outstanding?: number
  readonly Balance?: string
  readonly Data?: string
  readonly Address?: string
  readonly 'E-Bill'?: string | null
  readonly CustomField?: Json
  readonly DueDate?: string
}

export type BillProblem = 'product' | 'account' | 'biller_code' | 'ref2' | 'amount'

/** `not_presented`: the product has no bills to show. `unavailable`: it has bills, but no provider can show them now. */
export type BillResult =
  | { readonly kind: 'found'; readonly bill: Bill }
  | { readonly kind: 'not_presented' }
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'refused'; readonly problem: BillProblem }
