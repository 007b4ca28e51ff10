import { CURRENCY_CODE } from '../../../lib/input/codes.ts'
import { path } from './path.rules.ts'
import type { Reader, Seen } from './reading.rules.ts'
import { below, complain, isObject, needed, object, oneOf, optional } from './reading.rules.ts'
import type { CurrencySource, MoneyPath, Path, PricePath } from './types.ts'

// Reads where an answer has an amount of money, and in which unit and currency.

const UNITS = { ringgit: 'major', major: 'major', cents: 'minor', minor: 'minor' } as const

export const unit: Reader<MoneyPath['unit']> = (value, site) =>
  UNITS[oneOf('ringgit', 'major', 'cents', 'minor')(value, site)]

const place = object({ path: needed(path, []) }, (found) => found.path)

const AMOUNT = {
  path: needed(path, []),
  unit: optional(unit, null),
  divisor: optional<Path, null>(
    (value, site) => (isObject(value) ? place(value, site) : path(value, site)),
    null,
  ),
}

function amountOf<F extends { readonly unit: MoneyPath['unit'] | null }>(found: F, { site, has }: Seen) {
  if (has('unit') && has('divisor')) complain(below(site, 'unit'), 'the divisor says it already', 0)
  return { ...found, unit: found.unit ?? ('major' as const) }
}

const longMoneyPath: Reader<MoneyPath> = object(AMOUNT, amountOf)

/** Reads a place of money in the currency that is known. */
export const moneyPath: Reader<MoneyPath> = (value, site) =>
  typeof value === 'string'
    ? { path: path(value, site), unit: 'major', divisor: null }
    : longMoneyPath(value, site)

export const currency: Reader<string> = (value, site) =>
  CURRENCY_CODE.read(value) ?? complain(site, 'must be a currency of ISO 4217, such as MYR', 'MYR')

/** Reads a currency, or where the answer names it. */
export const currencySource: Reader<CurrencySource> = (value, site) =>
  isObject(value) ? { path: place(value, site) } : { code: currency(value, site) }

const longPricePath: Reader<PricePath> = object(
  { ...AMOUNT, currency: optional(currencySource, null) },
  amountOf,
)

/** Reads a place of money in the supplier's currency. */
export const pricePath: Reader<PricePath> = (value, site) =>
  typeof value === 'string'
    ? { path: path(value, site), unit: 'major', divisor: null, currency: null }
    : longPricePath(value, site)
