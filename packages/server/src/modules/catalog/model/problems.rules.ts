import type { Rule } from '../../../lib/input/fields.ts'
import { hasLength, pattern, textRule, wholeNumber } from '../../../lib/input/fields.ts'
import { parseWebUrl } from '../../../lib/input/urls.ts'
import type { Amount } from '../../../lib/money.ts'
import { AMOUNT_MAX, formatMoney, isEnterable } from '../../../lib/money.ts'
import { isPicturePath } from './pictures.rules.ts'

/** Problem of a catalogue; `field` is a path into the resource. */
export type Problem = {
  readonly resource: 'groups' | 'categories' | 'products' | 'options' | 'levels' | 'texts' | 'prices'
  readonly id: string
  readonly field: string
  readonly text: string
}

/** Limit of listed problems: nobody reads more, and every row of a list of billers can be wrong. */
export const PROBLEMS_MAX = 1_000

export type Complain = (field: string, text: string) => void

export function complainAbout(problems: Problem[], resource: Problem['resource'], id: string): Complain {
  return (field, text) => {
    if (problems.length < PROBLEMS_MAX) problems.push({ resource, id, field, text })
  }
}

/** Returns the same function for a part of the resource. */
export function within(complain: Complain, path: string): Complain {
  return (field, text) => complain(`${path}.${field}`, text)
}

// ── Fields ──

export const OPTION_CODE = pattern(
  'must be 1 to 100 letters, digits, _ - . or : and begin with a letter or digit',
  /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,99}$/,
)
export const CURRENCY = pattern(
  'must be 2 to 16 capital letters, digits or _ and begin with a letter',
  /^[A-Z][A-Z0-9_]{1,15}$/,
)
export const FIELD_ID = pattern(
  'must be 1 to 50 letters, digits, _ or - and begin with a letter',
  /^[A-Za-z][A-Za-z0-9_-]{0,49}$/,
)
export const KEY = pattern(
  'must be 1 to 50 small letters, digits or _ and begin with a letter',
  /^[a-z][a-z0-9_]{0,49}$/,
)

// Line feeds are text; other control characters and lone surrogates break logs, mails and JSON.
const UNPRINTABLE = /(?!\n)[\p{Cc}\p{Cs}]/u

/** Rule for a text of the catalogue. It is kept as it stands, spaces included, and may have several lines. */
export function catalogText(min: number, max: number): Rule<string> {
  return textRule({
    message: `must be ${min} to ${max} characters of text`,
    schema: { ...(min > 0 && { minLength: min }), maxLength: max },
    parse(given) {
      const isSound = given.trim().length >= min && hasLength(given, 0, max) && !UNPRINTABLE.test(given)
      return isSound ? given : undefined
    },
  })
}

/** Name of a level, a group, a category or a product. */
export const NAME = catalogText(1, 100)

const URL_LENGTH_MAX = 500

/** Rule for a picture's URL. Other people's pages show it: they are https, and it must not leak anything. */
export const IMAGE_URL: Rule<string> = textRule({
  message: `must be an https URL of at most ${URL_LENGTH_MAX} characters, or a path under /images`,
  schema: { maxLength: URL_LENGTH_MAX },
  parse(given) {
    if (isPicturePath(given)) return given
    const url = given.length <= URL_LENGTH_MAX ? parseWebUrl(given) : undefined
    const isSound = url?.protocol === 'https:' && url.username === '' && url.password === ''
    return isSound ? given : undefined
  },
})

/** Place of an item in its list. */
export const ORDER = wholeNumber(0, 1_000_000)

// ── Checks ──

/** Checks a value by the rule of its field; null is no value. */
export function checkValue(complain: Complain, field: string, value: unknown, rule: Rule<unknown>): void {
  if (value !== null && rule.read(value) === undefined) complain(field, rule.message)
}

export function checkTexts(
  complain: Complain,
  field: string,
  values: readonly string[] | null,
  { countMax, rule }: { countMax: number; rule: Rule<string> },
): void {
  if (values === null) return
  if (values.length > countMax) complain(field, `must be at most ${countMax} texts`)
  else for (const value of values) checkValue(complain, field, value, rule)
}

/** Checks the picture of a group or a category, which may have none. */
export function checkIcon(complain: Complain, field: string, value: string | null): void {
  if (value !== '') checkValue(complain, field, value, IMAGE_URL)
}

export function checkAmount(complain: Complain, field: string, value: Amount | null): void {
  if (value !== null && !isEnterable(value)) {
    complain(field, `must be greater than 0 and at most ${formatMoney(AMOUNT_MAX)}`)
  }
}

export function checkLimits(
  complain: Complain,
  { minAmount, maxAmount }: { minAmount: Amount | null; maxAmount: Amount | null },
): void {
  checkAmount(complain, 'minAmount', minAmount)
  checkAmount(complain, 'maxAmount', maxAmount)
  if (minAmount !== null && maxAmount !== null && minAmount > maxAmount) {
    complain('minAmount', 'must not be greater than maxAmount')
  }
}

/** Lists the items whose code occurred before. */
export function listRepeated<T>(items: readonly T[], codeOf: (item: T) => string): T[] {
  const seen = new Set<string>()
  return items.filter((item) => {
    const code = codeOf(item)
    const isRepeated = seen.has(code)
    seen.add(code)
    return isRepeated
  })
}
