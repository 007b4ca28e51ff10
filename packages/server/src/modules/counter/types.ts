import type { Amount } from '../../lib/money.ts'

/** Number that is sold to often, under a name that people know it by. */
export type Favourite = {
  readonly id: bigint
  /** Member whose own it is; null: the whole shop's. */
  readonly memberId: bigint | null
  readonly name: string
  readonly productCode: string
  readonly account: string
  /** In the product's own unit; null: asked each time. */
  readonly amount: Amount | null
}

/** Favourites of a shop, and of each of its members. */
export const FAVOURITES_MAX = 50

/** View of the payments under a name. */
export type SavedFilter = {
  readonly id: bigint
  /** Member whose own it is; null: the whole shop's. */
  readonly memberId: bigint | null
  readonly name: string
  /** Filters as the address of the list has them. */
  readonly query: string
}

/** Saved filters of a shop, and of each of its members. */
export const FILTERS_MAX = 20
