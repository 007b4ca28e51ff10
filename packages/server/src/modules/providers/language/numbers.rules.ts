// Rules that read a supplier's JSON without loss: a number keeps the digits of its literal.

/** Number that a double would change, or spell in another way: 20 digits, 10.50, 1e3. */
export class ExactNumber {
  readonly literal: string

  constructor(literal: string) {
    this.literal = literal
  }
}

const LITERAL = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/
/** A text of JSON, or a number: numbers within texts are skipped with the text. */
const TOKEN = /"(?:[^"\\]+|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
/** Beginning of a text that stands for a number while JSON is parsed; a supplier who writes it has written the number. */
const MARK = '\u0000'

/** Throws a SyntaxError when it is not JSON. */
export function parseExactJson(text: string): unknown {
  const plain: unknown = JSON.parse(text)
  let isExact = true
  const marked = text.replace(TOKEN, (token) => {
    if (token.startsWith('"') || isKept(Number(token), token)) return token
    isExact = false
    return JSON.stringify(MARK + token)
  })
  if (isExact) return plain
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(MARK) && LITERAL.test(value.slice(1))
      ? new ExactNumber(value.slice(1))
      : value,
  )
}

function isKept(number: number, literal: string): boolean {
  return String(number) === literal && (!Number.isInteger(number) || Number.isSafeInteger(number))
}

/**
 * Returns a number as text: the digits of a whole one, a fraction without its last zeros. undefined in exponent form,
 * which says nothing about the digits that were meant, and for a double that may have lost digits.
 */
export function numberText(value: number | ExactNumber): string | undefined {
  const literal = typeof value === 'number' ? String(value) : value.literal
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) return undefined
  if (/[eE]/.test(literal) || !LITERAL.test(literal)) return undefined
  return literal.includes('.') ? literal.replace(/\.?0+$/, '') : literal
}

/** Returns JSON with ordinary numbers; one that an ordinary number would change becomes a text. */
export function withPlainNumbers(json: unknown): unknown {
  if (json instanceof ExactNumber) {
    const number = Number(json.literal)
    const exact = numberText(json)
    const isSame = exact === undefined || exact === numberText(number) || String(number) === json.literal
    return isSame && Number.isFinite(number) ? number : json.literal
  }
  if (Array.isArray(json)) return json.map(withPlainNumbers)
  if (typeof json !== 'object' || json === null) return json
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, withPlainNumbers(value)]))
}
