import type { Amount } from '../../../lib/money.ts'

/** What an item is worth money for, and its number; '' where the file had none. PIN and link are secrets. */
export type ItemContent = { readonly pin: string; readonly serialNumber: string; readonly link: string }

/** One line of a file, read. */
export type StockLine = {
  /** From 1 */
  readonly line: number
  readonly content: ItemContent
  readonly denomination: Amount
  /** Its last day; null: it does not expire. */
  readonly expiryDay: number | null
}

/** An item as it is stored: nothing of it can be read without the vault. */
export type SealedItem = {
  readonly denomination: Amount
  readonly sealed: Buffer
  readonly fingerprint: Buffer
  readonly expiryDay: number | null
}

/** An item that was sold. */
export type SoldItem = Pick<SealedItem, 'sealed' | 'fingerprint'> & {
  readonly paymentId: bigint
  /** yyyyMMdd; '' when it does not expire. */
  readonly expiry: string
}

/** Who loaded or withdrew a batch. */
export type StockBatch = {
  readonly id: bigint
  readonly productCode: string
  /** null: the file says it line by line. */
  readonly denomination: Amount | null
  readonly fileName: string
  readonly items: number
  readonly loadedBy: string
  readonly loadedAt: Date
  readonly withdrawnBy: string | null
  readonly withdrawnReason: string | null
  readonly withdrawnAt: Date | null
}

export type StockKind = { readonly productCode: string; readonly denomination: Amount }

/**
 * How many there are of each; together they are all that were ever loaded. `free` can be sold; `sold` went to a
 * payment that stands; `spent` to one whose money went back; `expired` and `withdrawn` were never sold.
 */
export type StockCount = StockKind & {
  readonly free: number
  readonly sold: number
  readonly spent: number
  readonly expired: number
  readonly withdrawn: number
  /** An operator wants to hear of it when fewer are free; null: no. */
  readonly freeMin: number | null
}
