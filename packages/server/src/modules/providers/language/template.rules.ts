import { formatMoney } from '../../../lib/money.ts'
import type { FilterRule } from './filters.rules.ts'
import { FILTERS, MissingValue, problemOfFilter, TYPE_WORDS, UnwritableValue } from './filters.rules.ts'
import type { Filter, Placeholder, PlaceholderKind, Template, Value, Values, Vocabulary } from './types.ts'

// Templates: `{{name}}`, or `{{name|filter|filter:argument}}`.

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
    return {
      ok: false,
      problem: 'number, boolean, or_null and or_absent need a JSON string that is one placeholder',
    }
  }
  return { ok: true, template: parts }
}

function isTypedPlaceholder({ as, whenEmpty }: Placeholder): boolean {
  return as !== 'text' || whenEmpty !== 'text'
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
    const [, filter = '', argument = ''] = /^(format(?=@)|[^:]*):?(.*)$/s.exec(piece) ?? []
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
  if (words.has('number') && words.has('boolean')) return 'number and boolean exclude each other'
  const as = words.has('number') ? 'number' : words.has('boolean') ? 'boolean' : 'text'
  return { name, filters, whenEmpty, as }
}

function kindOf(name: string, vocabulary: Vocabulary): PlaceholderKind | undefined {
  if (Object.hasOwn(vocabulary, name) && !name.endsWith('.')) return vocabulary[name]
  if (Object.hasOwn(vocabulary, '')) return vocabulary['']
  const family = name.slice(0, name.indexOf('.') + 1)
  return family !== '' && family !== name && Object.hasOwn(vocabulary, family)
    ? vocabulary[family]
    : undefined
}

// ── Writing ──

/** Throws UnwritableValue. */
export function renderText(template: Template, values: Values, encode = (value: string) => value): string {
  return template.map((part) => (typeof part === 'string' ? part : encode(textOf(part, values)))).join('')
}

/** Renders a JSON value; undefined means that the member is left out. Throws UnwritableValue. */
export function renderValue(
  template: Template,
  values: Values,
): string | number | boolean | null | undefined {
  const [only, ...others] = template
  if (only === undefined || typeof only === 'string' || others.length > 0) return renderText(template, values)
  const written = only.whenEmpty === 'text' ? textOf(only, values) : textIfAny(only, values)
  if (written === undefined) return only.whenEmpty === 'null' ? null : undefined
  if (only.as === 'boolean') return booleanOf(written, only.name)
  return only.as === 'number' ? numberOf(written, only.name) : written
}

/** Returns undefined where the order or its product has no such value. */
function textIfAny(placeholder: Placeholder, values: Values): string | undefined {
  if (isEmpty(values[placeholder.name])) return undefined
  try {
    return textOf(placeholder, values)
  } catch (problem) {
    if (problem instanceof MissingValue) return undefined
    throw problem
  }
}

function isEmpty(value: Value | undefined): boolean {
  return value === null || value === ''
}

/** Reasons for values that are missing for a while. */
const MISSING: Readonly<Record<string, string>> = { supplier_id: "the supplier's own id is not known" }

function textOf({ name, filters }: Pick<Placeholder, 'name' | 'filters'>, values: Values): string {
  const present = Object.hasOwn(values, name) ? values[name] : undefined
  if (present === undefined) {
    const Problem = name.startsWith('product.') ? MissingValue : UnwritableValue
    throw new Problem(MISSING[name] ?? `there is no ${name} for this`)
  }
  if (present === null) return ''
  let value: string | bigint | Date = present
  for (const { name: filter, argument } of filters) {
    const rule: FilterRule | undefined = FILTERS[filter]
    if (rule?.takes === 'text') value = plainText(value)
    const given =
      rule?.mayAskProduct === true && argument.startsWith('product.')
        ? argumentOf(argument, values)
        : argument
    value = rule?.apply(value as never, given, name) ?? ''
  }
  return plainText(value)
}

function argumentOf(name: string, values: Values): string {
  const text = textOf({ name, filters: [] }, values)
  // An empty argument would mean the usual country.
  if (text === '') throw new MissingValue(`there is no ${name} for this`)
  return text
}

function plainText(value: string | bigint | Date): string {
  if (typeof value === 'string') return value
  return typeof value === 'bigint' ? formatMoney(value) : value.toISOString()
}

function booleanOf(written: string, name: string): boolean {
  if (written !== 'true' && written !== 'false') throw new UnwritableValue(`${name} is not true or false`)
  return written === 'true'
}

/** Accepts only a text that reads back as the same number; any other would change an amount or an account. */
function numberOf(written: string, name: string): number {
  const number = /^-?(0|[1-9]\d{0,14})(\.\d{1,6})?$/.test(written) ? Number(written) : Number.NaN
  if (Number.isNaN(number)) throw new UnwritableValue(`${name} cannot be written as a number`)
  return number
}
