import type { Amount } from '../../../lib/money.ts'
import { parseMoney } from '../../../lib/money.ts'

// Text that somebody types to find a payment may be the end of a number, of a serial or of a PIN, or an amount.

export type Clues = {
  /** Digits that end a number, without what people put between them. */
  readonly numberEnd: string | null
  /** Characters that end a serial, in capitals. */
  readonly serialEnd: string | null
  readonly amount: Amount | null
  /** Characters that end a PIN. */
  readonly pinEnd: string | null
}

/** Fewer characters fit too many payments to be useful. */
const END_MIN = 4
const BETWEEN_DIGITS = /[\s().+-]/g
const NUMBER_END = /^\d{4,15}$/
const SERIAL_END = /^[A-Za-z0-9-]{4,64}$/
const AMOUNT = /^(?:RM|MYR)?\s*(\d{1,9}(?:\.\d{1,4})?)$/i

export function cluesOf(text: string): Clues {
  const digits = text.replace(BETWEEN_DIGITS, '')
  const amount = AMOUNT.exec(text)?.[1]
  return {
    numberEnd: NUMBER_END.test(digits) ? digits : null,
    serialEnd: SERIAL_END.test(text) ? text.toUpperCase() : null,
    amount: amount === undefined ? null : (parseMoney(amount) ?? null),
    pinEnd: SERIAL_END.test(text) && text.length === END_MIN ? text.toUpperCase() : null,
  }
}

/** Tells whether a PIN ends with the characters. Spaces and dashes in it are only for reading it aloud. */
export function endsPin(pin: string, end: string): boolean {
  const plain = pin.replace(/[\s-]/g, '').toUpperCase()
  // The end of a shorter PIN would be most of it.
  return plain.length >= 2 * END_MIN && plain.endsWith(end)
}
