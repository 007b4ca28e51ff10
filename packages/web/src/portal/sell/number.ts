// Digits count as a number until its field is left with Enter or Tab, however many there are: that a number is complete
// never makes the next digit an amount, so that a digit typed too many buys nothing.

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** Key that chooses the product at a place of the list; undefined: it has none. */
export function productKey(index: number): string | undefined {
  return LETTERS[index]
}
