import type { Amount } from '../../../lib/money.ts'
import { formatMoney } from '../../../lib/money.ts'
import { isPicturePath } from './pictures.rules.ts'

/** Problem of a catalogue; `field` is a path into the resource. */
export type Problem = {
  readonly resource: 'groups' | 'categories' | 'products' | 'options' | 'levels' | 'prices'
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

export const CODE = {
  form: /^[A-Za-z0-9][A-Za-z0-9_.-]{0,49}$/,
  words: 'must be 1 to 50 letters, digits, _ - or . and begin with a letter or digit',
}
export const OPTION_CODE = {
  form: /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,99}$/,
  words: 'must be 1 to 100 letters, digits, _ - . or : and begin with a letter or digit',
}
export const LEVEL_CODE = {
  form: /^[A-Z0-9_]{1,40}$/,
  words: 'must be 1 to 40 capital letters, digits or _',
}
export const CURRENCY = {
  form: /^[A-Z][A-Z0-9_]{1,15}$/,
  words: 'must be 2 to 16 capital letters, digits or _ and begin with a letter',
}
export const FIELD_ID = {
  form: /^[A-Za-z][A-Za-z0-9_-]{0,49}$/,
  words: 'must be 1 to 50 letters, digits, _ or - and begin with a letter',
}
export const KEY = {
  form: /^[a-z][a-z0-9_]{0,49}$/,
  words: 'must be 1 to 50 small letters, digits or _ and begin with a letter',
}

export function checkForm(
  complain: Complain,
  field: string,
  value: string,
  { form, words }: { form: RegExp; words: string },
): void {
  if (!form.test(value)) complain(field, words)
}

/** Limit of the names of levels, groups, categories and products. */
export const NAME_LENGTH_MAX = 100

// Line feeds are text; other control characters and lone surrogates break logs, mails and JSON.
const UNPRINTABLE = /(?!\n)[\p{Cc}\p{Cs}]/u

export function checkText(
  complain: Complain,
  field: string,
  value: string | null,
  { min = 0, max }: { min?: number; max: number },
): void {
  if (value === null) return
  const isLong = value.length > 2 * max || [...value].length > max
  if (value.trim().length < min || isLong || UNPRINTABLE.test(value)) {
    complain(field, `must be ${min} to ${max} characters of text`)
  }
}

export function checkTexts(
  complain: Complain,
  field: string,
  values: readonly string[] | null,
  { countMax, max }: { countMax: number; max: number },
): void {
  if (values === null) return
  if (values.length > countMax) complain(field, `must be at most ${countMax} texts`)
  else for (const value of values) checkText(complain, field, value, { min: 1, max })
}

export const URL_LENGTH_MAX = 500

/** Checks a picture's URL. Other people's pages show it: they are https, and it must not leak anything. */
export function checkImageUrl(
  complain: Complain,
  field: string,
  value: string | null,
  { mayBeEmpty = false }: { mayBeEmpty?: boolean } = {},
): void {
  if (value === null || (mayBeEmpty && value === '') || isPicturePath(value)) return
  const isSound =
    value.length <= URL_LENGTH_MAX &&
    /^https:\/\/[^\s]+$/.test(value) &&
    URL.canParse(value) &&
    isPlain(value)
  if (!isSound) {
    complain(field, `must be an https URL of at most ${URL_LENGTH_MAX} characters, or a path under /images`)
  }
}

function isPlain(value: string): boolean {
  const url = new URL(value)
  return url.username === '' && url.password === ''
}

export const ORDER_MAX = 1_000_000

export function checkOrder(complain: Complain, field: string, value: number | null): void {
  if (value === null) return
  if (!Number.isInteger(value) || value < 0 || value > ORDER_MAX) {
    complain(field, `must be a whole number from 0 to ${ORDER_MAX}`)
  }
}

/**
 * Limit of amounts, a thousand million ringgit: larger numbers are not safe in JSON and not readable for
 * people.
 */
const AMOUNT_MAX: Amount = 10n ** 13n

export function checkAmount(complain: Complain, field: string, value: Amount | null): void {
  if (value === null) return
  if (value <= 0n || value > AMOUNT_MAX) {
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
