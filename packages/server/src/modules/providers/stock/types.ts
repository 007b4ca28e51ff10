import type { Amount } from '../../../lib/money.ts'

/** Content of an item: PIN or link, and its serial number; '' when the file had none. PIN and link are secrets. */
export type ItemContent = { readonly pin: string; readonly serialNumber: string; readonly link: string }

/** One line of a file after reading. */
export type StockLine = {
  /** Number of the line, from 1. */
  readonly line: number
  readonly content: ItemContent
  readonly denomination: Amount
  /** Last day on which it is valid; null: it does not expire. */
  readonly expiryDay: number | null
}

/** An item as it is stored: its content cannot be read without the vault. */
export type SealedItem = {
  readonly denomination: Amount
  readonly sealed: Buffer
  readonly fingerprint: Buffer
  readonly expiryDay: number | null
}

/** An item that was sold. */
export type SoldItem = Pick<SealedItem, 'sealed' | 'fingerprint'> & {
  readonly paymentId: bigint
  /** Expiry as yyyyMMdd; '' when it does not expire. */
  readonly expiry: string
}

/** A loaded file, with who loaded it and who withdrew it. */
export type StockBatch = {
  readonly id: bigint
  readonly productCode: string
  /** Denomination of every line; null: the file states it line by line. */
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
 * Numbers of items of each kind; together they are all that were ever loaded. `free` can be sold; `sold` went to a
 * payment that stands; `spent` went to a payment whose money went back; `expired` and `withdrawn` were never sold.
 */
export type StockCount = StockKind & {
  readonly free: number
  readonly sold: number
  readonly spent: number
  readonly expired: number
  readonly withdrawn: number
  /** Number of free items below which an operator is alerted; null: no alert. */
  readonly freeMin: number | null
}
