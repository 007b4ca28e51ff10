import { CURRENCY_CODE } from '../../../lib/input/codes.ts'
import { path } from './path.rules.ts'
import type { Reader } from './reading.rules.ts'
import { below, complain, isObject, needed, object, oneOf, optional } from './reading.rules.ts'
import type { CurrencySource, MoneyPath, PricePath } from './types.ts'

// Reads where an answer has an amount of money, and in which unit and currency.

const UNITS = { ringgit: 'major', major: 'major', cents: 'minor', minor: 'minor' } as const

export const unit: Reader<MoneyPath['unit']> = (value, site) =>
  UNITS[oneOf('ringgit', 'major', 'cents', 'minor')(value, site)]

const longMoneyPath: Reader<MoneyPath> = object(
  { path: needed(path, []), unit: optional(unit, 'major') },
  (found) => ({ ...found, divisor: null }),
)

/** Reads a place of money in the currency that is known. */
export const moneyPath: Reader<MoneyPath> = (value, site) =>
  typeof value === 'string'
    ? { path: path(value, site), unit: 'major', divisor: null }
    : longMoneyPath(value, site)

export const currency: Reader<string> = (value, site) =>
  CURRENCY_CODE.read(value) ?? complain(site, 'must be a currency of ISO 4217, such as MYR', 'MYR')

const place = object({ path: needed(path, []) }, (found) => found.path)

/** Reads a currency, or where the answer names it. */
export const currencySource: Reader<CurrencySource> = (value, site) =>
  isObject(value) ? { path: place(value, site) } : { code: currency(value, site) }

const longPricePath: Reader<PricePath> = object(
  {
    path: needed(path, []),
    unit: optional(unit, null),
    divisor: optional(place, null),
    currency: optional(currencySource, null),
  },
  ({ unit: written, ...others }, { site, has }) => {
    if (has('unit') && has('divisor')) complain(below(site, 'unit'), 'the divisor says it already', 0)
    return { ...others, unit: written ?? 'major' }
  },
)

/** Reads a place of money in the supplier's currency. */
export const pricePath: Reader<PricePath> = (value, site) =>
  typeof value === 'string'
    ? { path: path(value, site), unit: 'major', divisor: null, currency: null }
    : longPricePath(value, site)
