import { formatMoney, UNITS_PER_RINGGIT } from '../../../lib/money.ts'
import type { Filter, Placeholder, PlaceholderKind, Template, Value, Values, Vocabulary } from './types.ts'

// Templates: `{{name}}`, or `{{name|filter|filter:argument}}`.

/** A value that cannot be written as the configuration wants it; found before anything is sent. */
export class UnwritableValue extends Error {
  readonly isAmount: boolean

  constructor(message: string, isAmount = false) {
    super(message)
    this.isAmount = isAmount
  }
}

type FilterRule = {
  readonly takes: PlaceholderKind
  /** Returns the problem of the argument; undefined when there is none. */
  readonly problemOf: (argument: string) => string | undefined
  readonly apply: (value: never, argument: string, name: string) => string
}

const noArgument = (argument: string) => (argument === '' ? undefined : 'takes no argument')
const needsText = (argument: string) => (argument === '' ? 'needs an argument' : undefined)
const needsCount = (argument: string) =>
  /^[1-9]\d{0,2}$/.test(argument) ? undefined : 'needs a number from 1 to 999'

const UNITS_PER_CENT = UNITS_PER_RINGGIT / 100n
const GMT8_MS = 8 * 3_600_000

const text = (
  problemOf: FilterRule['problemOf'],
  apply: (value: string, argument: string) => string,
): FilterRule => ({ takes: 'text', problemOf, apply })

const FILTERS: Readonly<Record<string, FilterRule>> = {
  upper: text(noArgument, (value) => value.toUpperCase()),
  lower: text(noArgument, (value) => value.toLowerCase()),
  digits: text(noArgument, (value) => value.replace(/\D/g, '')),
  base64: text(noArgument, (value) => Buffer.from(value).toString('base64')),
  urlencode: text(noArgument, percentEncode),
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
    problemOf: problemOfTimeFormat,
    apply: (value: Date, format: string) => formatTime(new Date(value.getTime() + GMT8_MS), format),
  },
  utc: { takes: 'time', problemOf: problemOfTimeFormat, apply: formatTime },
}

/** Words that say how the whole value is written; they do not change the text. */
const TYPE_WORDS = new Set(['number', 'or_null', 'or_absent'])

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

// ── Reading ──

export type TemplateReading =
  | { readonly ok: true; readonly template: Template }
  | { readonly ok: false; readonly problem: string }

/** `isTyped` allows a template of a single placeholder to give a JSON number or null, or to omit its member. */
export function readTemplate(source: string, vocabulary: Vocabulary, isTyped = false): TemplateReading {
  const parts: (string | Placeholder)[] = []
  let at = 0
  for (const match of source.matchAll(/\{\{([^{}]*)\}\}/g)) {
    if (match.index > at) parts.push(source.slice(at, match.index))
    const placeholder = readPlaceholder(match[1] ?? '', vocabulary)
    if (typeof placeholder === 'string') return { ok: false, problem: placeholder }
    parts.push(placeholder)
    at = match.index + match[0].length
  }
  if (at < source.length) parts.push(source.slice(at))
  if (parts.some((part) => typeof part === 'string' && /\{\{|\}\}/.test(part))) {
    return { ok: false, problem: 'has {{ or }} without its counterpart' }
  }
  const isAlone = parts.length === 1
  const misplaced = parts.find((part) => typeof part !== 'string' && isTypedPlaceholder(part))
  if (misplaced !== undefined && !(isTyped && isAlone)) {
    return { ok: false, problem: 'number, or_null and or_absent need a JSON string that is one placeholder' }
  }
  return { ok: true, template: parts }
}

function isTypedPlaceholder({ isNumber, whenEmpty }: Placeholder): boolean {
  return isNumber || whenEmpty !== 'text'
}

/** Returns the problem as a text when the placeholder is invalid. */
function readPlaceholder(source: string, vocabulary: Vocabulary): Placeholder | string {
  const [name = '', ...pieces] = source.split('|').map((piece) => piece.trim())
  let kind = kindOf(name, vocabulary)
  if (kind === undefined) {
    return `there is no placeholder {{${name}}} here; there are ${Object.keys(vocabulary).join(', ')}`
  }
  const filters: Filter[] = []
  const words = new Set<string>()
  for (const piece of pieces) {
    const [filter = '', ...rest] = piece.split(':')
    const argument = rest.join(':')
    if (TYPE_WORDS.has(piece)) {
      words.add(piece)
      continue
    }
    const rule = Object.hasOwn(FILTERS, filter) ? FILTERS[filter] : undefined
    const problem = problemOfFilter(filter, rule, kind, argument)
    if (problem !== undefined) return problem
    filters.push({ name: filter, argument })
    kind = 'text'
  }
  const whenEmpty = words.has('or_absent') ? 'absent' : words.has('or_null') ? 'null' : 'text'
  return { name, filters, whenEmpty, isNumber: words.has('number') }
}

function kindOf(name: string, vocabulary: Vocabulary): PlaceholderKind | undefined {
  if (Object.hasOwn(vocabulary, name) && !name.endsWith('.')) return vocabulary[name]
  const family = name.slice(0, name.indexOf('.') + 1)
  return family !== '' && family !== name && Object.hasOwn(vocabulary, family)
    ? vocabulary[family]
    : undefined
}

function problemOfFilter(
  name: string,
  rule: FilterRule | undefined,
  kind: PlaceholderKind,
  argument: string,
): string | undefined {
  if (rule === undefined) {
    return `there is no filter ${name}; there are ${[...Object.keys(FILTERS), ...TYPE_WORDS].join(', ')}`
  }
  if (rule.takes !== kind && !(rule.takes === 'text' && kind === 'money')) {
    return `the filter ${name} is for ${rule.takes}, and this is ${kind}`
  }
  const problem = rule.problemOf(argument)
  return problem === undefined ? undefined : `the filter ${name} ${problem}`
}

// ── Writing ──

/** Throws UnwritableValue. */
export function renderText(template: Template, values: Values, encode = (value: string) => value): string {
  return template.map((part) => (typeof part === 'string' ? part : encode(textOf(part, values)))).join('')
}

/** Renders a JSON value; undefined means that the member is left out. Throws UnwritableValue. */
export function renderValue(template: Template, values: Values): string | number | null | undefined {
  const [only, ...others] = template
  if (only === undefined || typeof only === 'string' || others.length > 0) return renderText(template, values)
  if (only.whenEmpty !== 'text' && isEmpty(values[only.name])) {
    return only.whenEmpty === 'null' ? null : undefined
  }
  const written = textOf(only, values)
  return only.isNumber ? numberOf(written, only.name) : written
}

function isEmpty(value: Value | undefined): boolean {
  return value === null || value === ''
}

function textOf({ name, filters }: Placeholder, values: Values): string {
  const given = Object.hasOwn(values, name) ? values[name] : undefined
  if (given === undefined) throw new UnwritableValue(`there is no ${name} for this`)
  if (given === null) return ''
  let value: string | bigint | Date = given
  for (const { name: filter, argument } of filters) {
    const rule: FilterRule | undefined = FILTERS[filter]
    if (rule?.takes === 'text') value = plainText(value)
    value = rule?.apply(value as never, argument, name) ?? ''
  }
  return plainText(value)
}

function plainText(value: string | bigint | Date): string {
  if (typeof value === 'string') return value
  return typeof value === 'bigint' ? formatMoney(value) : value.toISOString()
}

/** Accepts only a text that reads back as the same number; any other would change an amount or an account. */
function numberOf(written: string, name: string): number {
  const number = /^-?(0|[1-9]\d{0,14})(\.\d{1,6})?$/.test(written) ? Number(written) : Number.NaN
  if (Number.isNaN(number)) throw new UnwritableValue(`${name} cannot be written as a number`)
  return number
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

// ── Times ──

const TIME_TOKEN = /yyyy|MM|dd|HH|mm|ss|SSS/g

function problemOfTimeFormat(format: string): string | undefined {
  if (format === '') return 'needs a format such as yyyy-MM-dd HH:mm:ss'
  const strange = format.replace(TIME_TOKEN, '').replace(/[TZ]/g, '').match(/[a-z]/i)
  return strange === null ? undefined : `knows yyyy, MM, dd, HH, mm, ss and SSS, not ${strange[0]}`
}

function formatTime(instant: Date, format: string): string {
  // Example: 2026-11-15T08:30:00.123Z
  const iso = instant.toISOString()
  const pieces: Readonly<Record<string, string>> = {
    yyyy: iso.slice(0, 4),
    MM: iso.slice(5, 7),
    dd: iso.slice(8, 10),
    HH: iso.slice(11, 13),
    mm: iso.slice(14, 16),
    ss: iso.slice(17, 19),
    SSS: iso.slice(20, 23),
  }
  return format.replace(TIME_TOKEN, (token) => pieces[token] ?? token)
}
