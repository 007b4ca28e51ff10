import { formatMoney, isStorable } from '../../lib/money.ts'
import type { SupplierOffer } from '../providers/port/types.ts'
import type { Offer } from './types.ts'

const CODE_LENGTH_MAX = 200
const SHORT_MAX = 100
const NAME_MAX = 200
const LONG_MAX = 1_000
const URL_MAX = 500
const REQUIRES_MAX = 30
const VALUES_MAX = 30

/** Line feeds are text; other control characters and lone surrogates cannot be stored, or break lines. */
const UNPRINTABLE = /(?!\n)[\p{Cc}\p{Cs}]/gu

/** Returns the form of an offer that is stored; undefined: its code or an amount is of no use. */
export function storedOffer(given: SupplierOffer): Offer | undefined {
  const { code, face, cost, hours } = given
  if (!isPlainCode(code)) return undefined
  const amounts = [face?.min, face?.max, cost?.amount].filter((amount) => amount !== undefined)
  if (amounts.some((amount) => amount < 0n || !isStorable(amount))) return undefined
  return {
    code,
    name: bounded(given.name, NAME_MAX) || code.slice(0, NAME_MAX),
    brand: textOf(given.brand, SHORT_MAX),
    country: textOf(given.country, 2),
    type: textOf(given.type, SHORT_MAX),
    description: textOf(given.description, LONG_MAX),
    image: given.image !== null && given.image.length <= URL_MAX ? textOf(given.image, URL_MAX) : null,
    open: given.isOpen,
    face: face && {
      currency: bounded(face.currency, 16),
      min: formatMoney(face.min),
      max: formatMoney(face.max),
    },
    cost: cost && { amount: formatMoney(cost.amount), currency: bounded(cost.currency, 16) },
    hours: hours && { opens: hours.opens, closes: hours.closes },
    validity: textOf(given.validity, 50),
    requires: given.requires.slice(0, REQUIRES_MAX).map((each) => bounded(each, SHORT_MAX)),
    values: Object.fromEntries(
      Object.entries(given.values)
        .slice(0, VALUES_MAX)
        .map(([name, value]) => [bounded(name, SHORT_MAX), bounded(value, NAME_MAX)]),
    ),
  }
}

function isPlainCode(code: string): boolean {
  return code.length > 0 && code.length <= CODE_LENGTH_MAX && code.search(UNPRINTABLE) < 0
}

function textOf(text: string | null, max: number): string | null {
  return text === null ? null : bounded(text, max) || null
}

function bounded(text: string, max: number): string {
  return text.slice(0, max).replace(UNPRINTABLE, '').trim()
}

/** Returns the JSON of a value with the members of every object in order, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )
}
