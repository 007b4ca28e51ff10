// Spaces of any kind, dashes, dots, and the marks that copied texts carry unseen.
const SEPARATORS = /[\s.\p{Pd}\u2212\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu

/**
 * Returns a telephone number without what people write between its digits, for its pattern. The service reads the
 * number as it was typed, and alone knows which number it is.
 */
export function withoutSeparators(typed: string): string {
  return typed
    .replace(SEPARATORS, '')
    .replace(/(\d\)?)\(0\)/, '$1')
    .replace(/[()[\]]/g, '')
    .replace(/^00/, '+')
}

/** Digits from which a text may be a telephone number; fewer are still being typed, or the code of a biller. */
const DIGITS = /^\+?\d{9,15}$/

/** True for what may be a telephone number, in any way that people write one. */
export function maybeNumber(typed: string): boolean {
  return DIGITS.test(withoutSeparators(typed))
}
