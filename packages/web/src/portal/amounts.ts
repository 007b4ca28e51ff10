const AMOUNT = /^\d{1,12}(\.\d{1,4})?$/

/**
 * Tells whether a typed amount can be read: digits, and a point before at most four decimals. A comma means thousands
 * to some and decimals to others, so that it is never guessed at.
 */
export function isAmount(typed: string): boolean {
  return AMOUNT.test(typed.trim())
}
