import type { Payment } from '../payments/core/types.ts'

/** Members that are signed, by their names on the wire. */
export type ReceiptClaims = {
  readonly trxid: string
  readonly refid: string
  readonly product: string
  /** The customer's account, without its middle. */
  readonly account: string
  readonly amount: number
  readonly currency: 'MYR'
  readonly status: string
  /** When the payment was taken: ISO 8601, UTC. */
  readonly time: string
  /** Salted SHA-256 of serial and PIN, base64url. */
  readonly digest: string
  /** Number of the payment's entry in the ledger of the reseller. */
  readonly entry: number
}

export type Receipt = {
  readonly payment: Payment
  readonly shop: string
  readonly number: string
  readonly token: string
  readonly claims: ReceiptClaims
  readonly jws: string
}

/** Receipt as its page shows it. */
export type VerifiedReceipt = Receipt & {
  /** Head and foot that the shop has now. */
  readonly header: ReceiptHeader
  /** The signature is ours, and what it signs is what the books say, but for the state. */
  readonly isGenuine: boolean
}

/** Head and foot of every receipt of a shop. Empty texts are left out of the slip. */
export type ReceiptHeader = {
  /** Empty: the name of the account. */
  readonly name: string
  readonly address: string
  readonly registrationNumber: string
  readonly footer: string
  /** A small PNG. */
  readonly logo: Buffer | null
}

export const NO_HEADER: ReceiptHeader = {
  name: '',
  address: '',
  registrationNumber: '',
  footer: '',
  logo: null,
}
