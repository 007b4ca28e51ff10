// Generated from packages/docs/src/search/text.ts by npm run sdk-api. Do not edit.
// Shared by the builder of the index and the browser's search: both must split words in the same way.

const WORD = /[\p{L}\p{N}_]+/gu
const STOP_WORDS: ReadonlySet<string> = new Set(
  'a an and are as at be by can do does for from how i if in is it its my not of on or so that the their then there this to was what when where which who why will with you your'.split(
    ' ',
  ),
)

/** Splits a text into lower-case terms. `invalid_signature` gives itself and its parts, `getBalance` likewise. */
export function termsOf(text: string): string[] {
  const terms: string[] = []
  for (const [word] of text.matchAll(WORD)) {
    const parts = word
      .split(/_|(?<=[a-z])(?=[A-Z])/)
      .map((part) => part.toLowerCase())
      .filter((part) => part !== '')
    const whole = word.toLowerCase()
    if (!STOP_WORDS.has(whole)) terms.push(whole)
    if (parts.length > 1) terms.push(...parts.filter((part) => part !== whole && !STOP_WORDS.has(part)))
  }
  return terms
}
