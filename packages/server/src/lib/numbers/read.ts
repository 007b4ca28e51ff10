import { countriesOf } from './calling-codes.ts'
import type { CountryNumbers, NumberKind, NumberPlans } from './plans.ts'
import { numbersOf } from './plans.ts'

// The one reader of numbers as people write them. A number has one canonical form, the digits of E.164 without the plus,
// and a spelling that could mean two numbers means none.

/** Fewest and most digits of an international number (E.164). */
const DIGITS_MIN = 7
const DIGITS_MAX = 15

/** Spaces of any kind, dashes, dots, and the marks that copied texts carry unseen. */
const SEPARATORS = /[\s.\p{Pd}\u2212\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu
const BRACKETS = /[()[\]]/g
/** Form of `+60(0)`: in it, the zero is for callers within the country. Brackets may stand around the code, too. */
const BRACKETED_ZERO = /^[([]?(\+|00)?([1-9]\d{0,2})[)\]]?[([]0[)\]](.*)$/

/** Digits as they were written, and whether a country's calling code certainly stands before them. */
export type WrittenNumber = { readonly isInternational: boolean; readonly digits: string }

/**
 * Reads the digits of a number, without knowing what they mean. A bracketed zero is dropped behind one of the calling
 * codes; anywhere else it would be a guess. Digits of other scripts are no digits.
 */
export function readWritten(text: string, callingCodes: readonly string[]): WrittenNumber | undefined {
  // Nearly all accounts are sent as digits alone.
  if (/^[1-9][0-9]+$/.test(text)) return { isInternational: false, digits: text }
  const bare = text.replace(SEPARATORS, '')
  const [, plus = '', code = '', behind] = BRACKETED_ZERO.exec(bare) ?? []
  if (behind !== undefined && (!callingCodes.includes(code) || /^[([]*0/.test(behind))) return undefined
  const isMarked = behind !== undefined
  const rest = isMarked ? `${plus}${code}${behind}` : bare
  // A bracketed zero within a number is a part of it that somebody may leave out.
  if (/\d[)\]]?[([]0[)\]]/.test(rest)) return undefined
  const [, prefix, digits] = /^(\+|00)?(\d+)$/.exec(rest.replace(BRACKETS, '')) ?? []
  if (digits === undefined) return undefined
  return { isInternational: prefix !== undefined || isMarked, digits }
}

export function isE164(digits: string): boolean {
  return digits.length >= DIGITS_MIN && digits.length <= DIGITS_MAX && !digits.startsWith('0')
}

/** Numbers that a field takes: their country, and their kind. */
export type NumberScope = { readonly country: string; readonly kind?: NumberKind | undefined }

/** Reads a number of one country; undefined: it is none, or it could mean two. */
export function readNumber(text: string, plans: NumberPlans, scope: NumberScope): string | undefined {
  const numbers = numbersOf(plans, scope.country)
  if (numbers === undefined) return undefined
  const written = readWritten(text, [numbers.callingCode])
  return written && onlyOne(meaningsIn(written, numbers, scope.kind))
}

/** Lists the numbers that a text could mean in any country; [] when it is none. */
export function listReadings(text: string, plans: NumberPlans, kind?: NumberKind): readonly string[] {
  const countries = [...plans.values()]
  const written = readWritten(
    text,
    countries.map(({ callingCode }) => callingCode),
  )
  if (written === undefined) return []
  const { digits } = written
  // A country without a plan has its numbers with its calling code alone.
  const there = countriesOf(digits)
  const isThere = there.length > 0 && !there.some((country) => plans.has(country)) && isE164(digits)
  const meanings = countries.flatMap((numbers) => meaningsIn(written, numbers, kind))
  return [...new Set(isThere ? [...meanings, digits] : meanings)]
}

function onlyOne(meanings: readonly string[]): string | undefined {
  return meanings.length === 1 ? meanings[0] : undefined
}

function meaningsIn(
  { isInternational, digits }: WrittenNumber,
  { callingCode, trunk, findRange }: CountryNumbers,
  kind: NumberKind | undefined,
): string[] {
  const meanings: string[] = []
  const isOurs = digits.startsWith(callingCode)
  const behindCode = digits.slice(callingCode.length)
  // The digit for callers within the country cannot stand behind its calling code.
  const isMistaken = isOurs && trunk !== '' && behindCode.startsWith(trunk)
  if ((isInternational || isOurs) && !isMistaken && isE164(digits)) meanings.push(digits)
  if (isInternational) return meanings
  const national = trunk !== '' && digits.startsWith(trunk) ? digits.slice(trunk.length) : digits
  const range = findRange(national)
  if (range !== undefined && (kind === undefined || range.kind === kind)) {
    const number = `${callingCode}${national}`
    if (isE164(number)) meanings.push(number)
  }
  return meanings
}

/** Finds the country of a canonical number among the plans, and the digits within it. */
export function findCountry(
  number: string,
  plans: NumberPlans,
): { readonly numbers: CountryNumbers; readonly national: string } | undefined {
  for (const numbers of plans.values()) {
    if (number.startsWith(numbers.callingCode)) {
      return { numbers, national: number.slice(numbers.callingCode.length) }
    }
  }
  return undefined
}
