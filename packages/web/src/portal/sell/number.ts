import { withoutSeparators } from '@warung/forms/numbers'

// Digits count as a number until its field is left with Enter or Tab, however many there are: that a number is complete
// never makes the next digit an amount, so that a digit typed too many buys nothing.

/** Digits from which a text may be a telephone number; fewer are still being typed, or the code of a biller. */
const DIGITS = /^\+?\d{9,15}$/

/** True for what may be a telephone number, in any way that people write one. */
export function maybeNumber(typed: string): boolean {
  return DIGITS.test(withoutSeparators(typed))
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** Key that chooses the product at a place of the list; undefined: it has none. */
export function productKey(index: number): string | undefined {
  return LETTERS[index]
}
