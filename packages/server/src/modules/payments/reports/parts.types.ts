import type { Amount } from '../../../lib/money.ts'
import type { PaymentCode } from '../core/types.ts'

/** Parts that a day is summed by, beside products. */
export const PART_KINDS = ['hour', 'seller'] as const
export type PartKind = (typeof PART_KINDS)[number]

/** Sums of the payments of one part and one code. */
export type PartSum = {
  /** Code of a product; hour from 0 to 23; `key:` or `member:` and its id, or `orders`. */
  readonly part: string
  readonly code: PaymentCode
  readonly payments: bigint
  readonly faceValue: Amount
  readonly cost: Amount
}
