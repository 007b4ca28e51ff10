import { formatMoney, UNITS_PER_RINGGIT } from '../../../lib/money.ts'
import { callingCodeOf } from '../../../lib/numbers/calling-codes.ts'
import { countryOf } from './countries.rules.ts'
import { internationalOf, nationalOf } from './phones.rules.ts'
import { formatTime, formatZoned, problemOfTimeFormat, problemOfZonedFormat } from './times.rules.ts'
import type { PlaceholderKind } from './types.ts'

// Filters of placeholders: each writes a value in another form.

/** A value that cannot be written as the configuration wants it; found before anything is sent. */
export class UnwritableValue extends Error {
  readonly isAmount: boolean

  constructor(message: string, isAmount = false) {
    super(message)
    this.isAmount = isAmount
  }
}

/** A value that may be none: `or_absent` and `or_null` stand for it; without them it cannot be written. */
export class MissingValue extends UnwritableValue {}

export type FilterRule = {
  readonly takes: PlaceholderKind
  /** Returns the problem of the argument; undefined when there is none. */
  readonly problemOf: (argument: string) => string | undefined
  readonly apply: (value: never, argument: string, name: string) => string
  /** Allows the argument to be a value of the product, `product.NAME`. */
  readonly mayAskProduct?: true
}

/** Argument of a filter that stands with the supplier's code of the product. */
const OF_PRODUCT = /^product\.[a-z_][a-z0-9_]{0,49}$/

const noArgument = (argument: string) => (argument === '' ? undefined : 'takes no argument')
const needsText = (argument: string) => (argument === '' ? 'needs an argument' : undefined)
const UP_TO_999 = /^[1-9]\d{0,2}$/
const needsCount = (argument: string) =>
  UP_TO_999.test(argument) ? undefined : 'needs a number from 1 to 999'

const UNITS_PER_CENT = UNITS_PER_RINGGIT / 100n

const text = (
  problemOf: FilterRule['problemOf'],
  apply: (value: string, argument: string) => string,
): FilterRule => ({ takes: 'text', problemOf, apply })

export const FILTERS: Readonly<Record<string, FilterRule>> = {
  upper: text(noArgument, (value) => value.toUpperCase()),
  lower: text(noArgument, (value) => value.toLowerCase()),
  digits: text(noArgument, (value) => value.replace(/\D/g, '')),
  alnum: text(noArgument, (value) => value.replace(/[^A-Za-z0-9]/g, '')),
  e164: phoneFilter(internationalOf),
  national: phoneFilter(nationalOf),
  calling_code: text(noArgument, (value) => {
    const code = callingCodeOf(countryOf(value) ?? '')
    if (code === undefined) throw new MissingValue('there is no calling code of it')
    return code
  }),
  base64: text(noArgument, (value) => Buffer.from(value).toString('base64')),
  urlencode: text(noArgument, percentEncode),
  before: text(needsText, (value, mark) => value.split(mark, 1)[0] ?? ''),
  after: text(needsText, behind),
  first: text(needsCount, (value, count) => value.slice(0, Number(count))),
  last: text(needsCount, (value, count) => value.slice(-Number(count))),
  with_prefix: text(needsText, (value, prefix) => (value.startsWith(prefix) ? value : `${prefix}${value}`)),
  without_prefix: text(needsText, (value, prefix) =>
    value.startsWith(prefix) ? value.slice(prefix.length) : value,
  ),
  cents: moneyFilter(UNITS_PER_CENT, 'cents'),
  whole: moneyFilter(UNITS_PER_RINGGIT, 'ringgit'),
  plain: {
    takes: 'money',
    problemOf: noArgument,
    apply: (value: bigint) => formatMoney(value).replace(/\.?0+$/, ''),
  },
  unix: {
    takes: 'time',
    problemOf: noArgument,
    apply: (value: Date) => String(Math.floor(value.getTime() / 1_000)),
  },
  unix_ms: { takes: 'time', problemOf: noArgument, apply: (value: Date) => String(value.getTime()) },
  format: {
    takes: 'time',
    problemOf: problemOfZonedFormat,
    apply: formatZoned,
  },
  utc: { takes: 'time', problemOf: problemOfTimeFormat, apply: formatTime },
}

function behind(value: string, mark: string): string {
  const at = value.indexOf(mark)
  if (at < 0) throw new MissingValue(`there is nothing behind ${mark}`)
  return value.slice(at + mark.length)
}

/** Calling code of Malaysia, of most accounts. */
const CALLING_CODE = '60'

function phoneFilter(read: (value: string, callingCode: string) => string | undefined): FilterRule {
  return {
    takes: 'text',
    mayAskProduct: true,
    problemOf: (argument) =>
      argument === '' || UP_TO_999.test(argument) || OF_PRODUCT.test(argument)
        ? undefined
        : 'needs a calling code such as 60, or product.NAME',
    apply(value: string, argument: string, name: string) {
      const code = argument === '' ? CALLING_CODE : argument
      const number = UP_TO_999.test(code) ? read(value, code) : undefined
      if (number === undefined) throw new UnwritableValue(`${name} is no phone number that can be read`)
      return number
    },
  }
}

function moneyFilter(unit: bigint, unitName: string): FilterRule {
  return {
    takes: 'money',
    problemOf: noArgument,
    apply(value: bigint, _: string, name: string) {
      if (value % unit !== 0n) throw new UnwritableValue(`${name} is not a whole number of ${unitName}`, true)
      return String(value / unit)
    },
  }
}

/** Words that say how the whole value is written; they do not change the text. */
export const TYPE_WORDS = new Set(['number', 'boolean', 'or_null', 'or_absent'])

/** Returns the problem of a filter at its place; undefined when there is none. */
export function problemOfFilter(
  name: string,
  rule: FilterRule | undefined,
  kind: PlaceholderKind,
  argument: string,
): string | undefined {
  if (rule === undefined) {
    const known = [...Object.keys(FILTERS), ...TYPE_WORDS]
    return `there is no filter ${name}; there are ${known.join(', ')}`
  }
  if (rule.takes !== kind && !(rule.takes === 'text' && kind === 'money')) {
    return `the filter ${name} is for ${rule.takes}, and this is ${kind}`
  }
  const problem = rule.problemOf(argument)
  return problem === undefined ? undefined : `the filter ${name} ${problem}`
}

/** Encodes everything but letters, digits and -._~ */
export function percentEncode(value: string): string {
  try {
    const escaped = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
    return encodeURIComponent(value).replace(/[!'()*]/g, escaped)
  } catch {
    throw new UnwritableValue('a value is not well-formed text')
  }
}
