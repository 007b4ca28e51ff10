import { createHash, randomBytes } from 'node:crypto'
import { moneyToNumber } from '../../lib/money.ts'
import { SUCCEEDED, VOIDED } from '../payments/core/states.rules.ts'
import type { Payment, PaymentCode } from '../payments/core/types.ts'
import type { ReceiptClaims } from './types.ts'

/** Type of the signature, so that nothing else that the service signs passes for a receipt, and no receipt for a token. */
export const RECEIPT_TYPE = 'receipt+jws'

const SHOWN = 3

/** Shows the first three and the last three characters of an account; of one that is short, nothing. */
export function maskAccount(account: string): string {
  const characters = [...account]
  if (characters.length <= 2 * SHOWN) return '*'.repeat(characters.length)
  const hidden = '*'.repeat(characters.length - 2 * SHOWN)
  return `${characters.slice(0, SHOWN).join('')}${hidden}${characters.slice(-SHOWN).join('')}`
}

/** Tells whether the customer has paid for something: it was delivered, or delivered and taken back. */
export function hasReceipt(code: PaymentCode): boolean {
  return code === SUCCEEDED || code === VOIDED
}

/** Letters that nobody mistakes for another one on the telephone: Crockford's. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const NUMBER_LENGTH = 8

/** Makes a number such as 7K3M-9QXD. */
export function newNumber(): string {
  const text = [...randomBytes(NUMBER_LENGTH)].map((byte) => LETTERS[byte % LETTERS.length]).join('')
  return `${text.slice(0, 4)}-${text.slice(4)}`
}

const TOKEN_BYTES = 16
const TOKEN_FORM = /^[A-Za-z0-9_-]{22}$/

export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

export function isToken(text: string): boolean {
  return TOKEN_FORM.test(text)
}

export function claimsOf(payment: Payment, status: string, entry: bigint, salt: Buffer): ReceiptClaims {
  return {
    trxid: String(payment.id),
    refid: payment.refid,
    product: payment.productCode,
    account: maskAccount(payment.canonicalAccount ?? payment.account),
    amount: moneyToNumber(payment.amount),
    currency: 'MYR',
    status,
    time: payment.createdAt.toISOString(),
    digest: digestOf(payment, salt),
    entry: Number(entry),
  }
}

/** Digest by which the service can show later which serial and PIN it sold. */
function digestOf({ output }: Payment, salt: Buffer): string {
  const hash = createHash('sha256').update(salt)
  return hash.update(JSON.stringify([output.serialNumber, output.pin])).digest('base64url')
}

/** Compares what was signed with the books. The state may have changed since. */
export function isSame(signed: unknown, claims: ReceiptClaims): boolean {
  if (typeof signed !== 'object' || signed === null) return false
  const told = signed as Readonly<Record<string, unknown>>
  return Object.entries(claims).every(([name, value]) => name === 'status' || told[name] === value)
}
