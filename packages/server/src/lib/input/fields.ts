import { invalidFields } from '../errors.ts'

/**
 * Declaration of one field: its bounds, its message and its documentation. The HTTP edge, `warungd`, the imports of
 * files, the environment and the API documents read the same declaration, so that they cannot disagree.
 */
export type Rule<T> = {
  /** Message about a value that breaks the rule, and documentation of the rule. */
  readonly message: string
  /** JSON Schema of the rule, for the API documents: the limits are written down once, here. */
  readonly schema: RuleSchema
  /** Reads a JSON value; undefined when it breaks the rule. */
  readonly read: (value: unknown) => T | undefined
  /** Reads the value from text, for values that JSON does not spell as text, such as numbers. */
  readonly parse?: (text: string) => T | undefined
  /** Message about one text, for rules that can say more about it than `message`. */
  readonly messageAbout?: (text: string) => string
  /** True when the API document marks the field as required. */
  readonly isRequired?: true
}

export type RuleSchema = Readonly<Record<string, unknown>>

type Rules = Readonly<Record<string, Rule<unknown>>>
type Read<R extends Rules> = { [K in keyof R]: R[K] extends Rule<infer T> ? T : never }
type Input<R extends Rules> = { readonly [K in keyof R]?: unknown }

/** Reads every field, or throws the problems of all invalid fields together. */
export function readFields<R extends Rules>(rules: R, input: Input<R>): Read<R> {
  const values: Record<string, unknown> = {}
  let problems: Record<string, string[]> | undefined
  for (const name in rules) {
    const rule = rules[name] as Rule<unknown>
    const value = rule.read(input[name])
    if (value !== undefined) {
      values[name] = value
      continue
    }
    problems ??= {}
    problems[wireName(name)] = [rule.message]
  }
  if (problems !== undefined) throw invalidFields(problems)
  return values as Read<R>
}

/** Reads the fields of a change: a field that is not given stays as it is. */
export function readGivenFields<R extends Rules>(rules: R, input: Input<R>): Partial<Read<R>> {
  const given = Object.entries(rules).filter(([name]) => input[name] !== undefined)
  return readFields<Rules>(Object.fromEntries(given), input) as Partial<Read<R>>
}

/** Refuses an empty change: it would write a line without content to the audit log. */
export function mustChange(changes: object): void {
  if (Object.values(changes).some((value) => value !== undefined)) return
  throw invalidFields({ body: ['Give something to change.'] })
}

/** Reads a value from text: a query parameter, an option of a command, a cell of a file, an environment variable. */
export function readText<T>({ read, parse }: Rule<T>, text: string): T | undefined {
  return parse === undefined ? read(text) : parse(text)
}

/** Returns the same rule for a value that always arrives as text, such as a query parameter. */
export function fromText<T>(rule: Rule<T>): Rule<T> {
  return { ...rule, read: (value) => (typeof value === 'string' ? readText(rule, value) : undefined) }
}

/** Describes the values that a rule accepts, for a table or a help text: `a whole number from 1 to 64`. */
export function describeRule({ message }: Pick<Rule<unknown>, 'message'>): string {
  return message.replace(/^must be /, '')
}

/** Returns the same rule for a value that may be null. */
export function nullable<T>(rule: Rule<T>): Rule<T | null> {
  return { ...rule, read: (value) => (value === null ? null : rule.read(value)) }
}

/** Returns the same rule for a value that a service reads again: it checks the value and hands it on as it came. */
export function checked<T>({ message, schema, read }: Rule<unknown>): Rule<T> {
  return { message, schema, read: (value) => (read(value) === undefined ? undefined : (value as T)) }
}

/** Returns the same rule for a document in which an empty text counts as left out. */
export function mayBeEmpty<T>(rule: Rule<T>): Rule<T> {
  const { minLength: _, ...schema } = rule.schema
  return { ...rule, schema }
}

/** Makes the rule of a value that is text in JSON as well. */
export function textRule<T>(declared: {
  readonly message: string
  readonly schema: RuleSchema
  readonly parse: (text: string) => T | undefined
  readonly messageAbout?: (text: string) => string
}): Rule<T> {
  const { schema, parse, ...rest } = declared
  return {
    ...rest,
    schema: { type: 'string', ...schema },
    read: (value) => (typeof value === 'string' ? parse(value) : undefined),
  }
}

/** Turns the name of a field into its spelling on the wire: `priceLevel` into `price_level`. */
export function wireName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

// Control characters and halves of surrogate pairs have no place in a name, and break logs and mail headers.
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u

/** Tells whether a text is one line that can be stored and shown. */
export function isPrintable(text: string): boolean {
  return !UNPRINTABLE.test(text)
}

const PLAIN_ASCII = /^[\x20-\x7e]*$/

export const PLAIN_ASCII_PATTERN = PLAIN_ASCII.source

/** Tells whether a text is printable ASCII alone, as nearly all text is. */
export function isPlainAscii(text: string): boolean {
  return PLAIN_ASCII.test(text)
}

/** Counts characters, not UTF-16 units. It splits the text only where the number of units does not decide. */
export function hasLength(text: string, min: number, max: number): boolean {
  if (text.length < min || text.length > 2 * max) return false
  if (text.length <= max && text.length >= 2 * min) return true
  const { length } = [...text]
  return length >= min && length <= max
}

/** Rule for one line of text, trimmed; the length counts characters, not UTF-16 units. */
export function text(min: number, max: number): Rule<string> {
  return textRule({
    message: `must be ${min} to ${max} characters of text`,
    schema: { ...(min > 0 && { minLength: min }), maxLength: max },
    parse(given) {
      const trimmed = given.trim()
      return hasLength(trimmed, min, max) && isPrintable(trimmed) ? trimmed : undefined
    },
  })
}

export function pattern(message: string, form: RegExp): Rule<string> {
  return textRule({
    message,
    schema: patternOf(form),
    parse: (given) => (form.test(given) ? given : undefined),
  })
}

/**
 * Returns the pattern for the schema. JSON Schema has no flags: an expression that needs one is described by the message
 * alone.
 */
function patternOf(form: RegExp): RuleSchema {
  return form.flags === '' || form.flags === 'u' ? { pattern: form.source } : {}
}

export function oneOf<T extends string>(values: readonly T[]): Rule<T> {
  return textRule({
    message: `must be one of ${values.join(', ')}`,
    schema: { enum: values },
    parse: (given) => values.find((each) => each === given),
  })
}

// As many digits as a number holds exactly, whatever the digits are.
const WHOLE_NUMBER = /^\d{1,15}$/

/** Parses digits alone: no sign, no space, at most 15 of them; undefined for any other text. */
export function parseDigits(given: string): number | undefined {
  return WHOLE_NUMBER.test(given) ? Number(given) : undefined
}

export function wholeNumber(min: number, max: number): Rule<number> {
  const read = (value: unknown) =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
      ? value + 0 // -0 becomes 0.
      : undefined
  return {
    message: `must be a whole number from ${min} to ${max}`,
    schema: { type: 'integer', minimum: min, maximum: max },
    read,
    parse: (given) => read(parseDigits(given)),
  }
}

/** Limit of a list that operators read: a page, not the whole table. */
export const LIST_MAX = 1_000
export const LIST_LIMIT = wholeNumber(1, LIST_MAX)

/** Spellings of a boolean as text, in any case: spreadsheets write TRUE and FALSE when they save a file again. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

export const BOOLEAN: Rule<boolean> = {
  message: 'must be true or false',
  schema: { type: 'boolean' },
  read: (value) => (typeof value === 'boolean' ? value : undefined),
  parse: (given) => BOOLEANS.get(given.toLowerCase()),
}

/** Rule for a list in one text: items between commas, spaces around them ignored. Empty items are left out. */
export function listed<T>(item: Rule<T>, itemsMax: number): Rule<readonly T[]> {
  const itemsOf = (given: string) =>
    given
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '')
  return textRule({
    message: `must be up to ${itemsMax} items separated by commas, each ${describeRule(item)}`,
    schema: {},
    parse(given) {
      const read = itemsOf(given).map((each) => readText(item, each))
      return read.length <= itemsMax && read.every((each) => each !== undefined) ? read : undefined
    },
    messageAbout(given) {
      const items = itemsOf(given)
      if (items.length > itemsMax) return `must be at most ${itemsMax}`
      const wrong = items.filter((each) => readText(item, each) === undefined)
      return `${wrong.map((each) => JSON.stringify(each)).join(', ')} ${item.message}`
    },
  })
}

/** Rule for a list of texts. */
export function arrayOf<T>(item: Rule<T>, itemsMax: number): Rule<readonly T[]> {
  return {
    message: `must be a list of at most ${itemsMax}, each of which ${item.message}`,
    schema: { type: 'array', items: { type: 'string', ...item.schema }, maxItems: itemsMax },
    read(value) {
      if (!Array.isArray(value) || value.length > itemsMax) return undefined
      const read = value.map((each) => item.read(each))
      return read.every((each) => each !== undefined) ? read : undefined
    },
  }
}
