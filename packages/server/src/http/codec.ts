import type { TObject, TProperties, TSchema } from 'typebox'
import { Type } from 'typebox'
import { invalidFields, unknown } from '../lib/errors.ts'
import type { Rule } from '../lib/input/fields.ts'
import { readText, wireName } from '../lib/input/fields.ts'
import type { Shown } from './operation.ts'
import { documentedAs } from './parameters.ts'

// Declarations that replace the same list of names in types, schemas, views, rules and options.

// ── Inputs ──

/** One member of an input: its rule, its documentation and its form as an option of a command. */
export type Member<T> = {
  readonly rule: Rule<T>
  /** Schema that a request must fit before the rule reads the value. */
  readonly schema: TSchema
  readonly isOptional: boolean
  /** Name of the thing that the member identifies: a value that cannot identify one is answered as an unknown one. */
  readonly identifies?: string
  readonly option: MemberOption
}

export type MemberOption = {
  /** Name, where the option is called otherwise than the member. */
  readonly name?: string
  /** Placeholder of the value in the help; default: the name in capitals. */
  readonly value?: string
  /** Text of the help; default: the description. */
  readonly help?: string
}

type MemberHints = {
  readonly description?: string
  /** Schema of the value, where it does not follow from the rule. */
  readonly schema?: TSchema
  readonly option?: MemberOption
  readonly identifies?: string
}

/** Declares a member that must be given. */
export function member<T>(rule: Rule<T>, hints: MemberHints = {}): Member<T> {
  const { description, option = {}, schema = schemaOf(rule, description), identifies } = hints
  const help = option.help ?? description
  return {
    rule,
    schema,
    isOptional: false,
    ...(identifies !== undefined && { identifies }),
    option: { ...option, ...(help !== undefined && { help }) },
  }
}

/** Declares a member that may be left out. */
export function optionalMember<T>(rule: Rule<T>, hints: MemberHints = {}): Member<T | undefined> {
  const given = member(rule, hints)
  return { ...given, rule: given.rule as Rule<T | undefined>, isOptional: true }
}

function schemaOf(rule: Rule<unknown>, description: string | undefined): TSchema {
  const described = description === undefined ? {} : { description }
  const { type } = rule.schema
  if (type === 'boolean') return Type.Boolean(described)
  if (type === 'integer') return documentedAs(rule, Type.Integer(described))
  if (type === 'number') return documentedAs(rule, Type.Number(described))
  if (type === 'array') return documentedAs(rule, Type.Array(Type.String(), described))
  return documentedAs(rule, Type.String(described))
}

type Members = Readonly<Record<string, Member<unknown>>>
export type Infer<C> = C extends InputCodec<infer Input> ? Input : never
type Read<M extends Members> = { readonly [K in keyof M]: M[K] extends Member<infer T> ? T : never }

/** Values of the options of a command: text, texts, or a flag. */
export type OptionValues = Readonly<Record<string, string | readonly string[] | boolean | undefined>>

export type InputCodec<Input> = {
  readonly members: Members
  /** Reads values by their names on the wire; throws the problems of all members together. */
  readonly read: (values: Readonly<Record<string, unknown>>) => Input
  /** Turns the values of options, by their names on the wire, into values that `read` takes. */
  readonly fromTexts: (values: OptionValues) => Readonly<Record<string, unknown>>
  /** Returns the schemas of members by their names on the wire, all of them or the named ones. */
  readonly properties: (...names: readonly (keyof Input & string)[]) => TProperties
}

/** Declares an input once, for operations, commands and stored requests. Members are named as in code: `startsAt`. */
export function input<const M extends Members>(members: M): InputCodec<Read<M>> {
  const entries = Object.entries(members).map(([name, each]) => [name, wireName(name), each] as const)
  return {
    members,
    read(values) {
      const read: Record<string, unknown> = {}
      const problems: Record<string, string[]> = {}
      for (const [name, wire, { rule, isOptional, identifies }] of entries) {
        const given = values[wire]
        if (given === undefined && isOptional) continue
        const value = rule.read(given)
        if (value !== undefined) read[name] = value
        else if (identifies !== undefined) throw unknown(identifies)
        else problems[wire] = [rule.message]
      }
      if (Object.keys(problems).length > 0) throw invalidFields(problems)
      return read as Read<M>
    },
    fromTexts(values) {
      const spelled = entries.map(([, wire, { rule }]) => {
        const value = values[wire]
        return [wire, typeof value === 'string' ? spell(rule, value) : value]
      })
      return Object.fromEntries(spelled)
    },
    properties(...names) {
      const wanted = names.length === 0 ? entries : entries.filter(([name]) => names.includes(name as never))
      return Object.fromEntries(
        wanted.map(([, wire, { schema, isOptional }]) => [wire, isOptional ? Type.Optional(schema) : schema]),
      )
    },
  }
}

/** Declares an input that is handed on as one piece, such as a file: the act reads it itself. */
export function whole<Input>(): InputCodec<Input> {
  return {
    members: {},
    read: (values) => values as Input,
    fromTexts: (values) => values,
    properties: () => ({}),
  }
}

const NUMBER_FORM = /^-?\d{1,15}(\.\d+)?$/

/**
 * Spells a text as the JSON value that the rule reads: numbers and booleans are not text there. `read` refuses a text
 * that is spelt otherwise.
 */
function spell(rule: Rule<unknown>, text: string): unknown {
  const { type } = rule.schema
  if (type === 'integer' || type === 'number') return NUMBER_FORM.test(text) ? Number(text) : text
  return type === 'boolean' ? (readText(rule, text) ?? text) : text
}

// ── Resources ──

type Columns<Row, Context> = Readonly<
  Record<string, readonly [schema: TSchema, encode: (row: Row, context: Context) => unknown]>
>

type Checked<Row, Context, C extends Columns<Row, Context>> = {
  readonly [K in keyof C]: readonly [C[K][0], (row: Row, context: Context) => Shown<C[K][0]>]
}

export type Resource<Row, Context, Properties extends TProperties> = {
  readonly schema: TObject<Properties>
  /** Shows a row as clients see it. */
  readonly encode: (row: Row, context: Context) => Shown<TObject<Properties>>
}

/** Declares members that several resources have. */
export function columns<Row, Context = void>() {
  return <const C extends Columns<Row, Context>>(shared: C & Checked<Row, Context, C>): C => shared
}

/** Declares a resource: for each member the schema and how it is made from a row. */
export function resource<Row, Context = void>() {
  return <const C extends Columns<Row, Context>>(
    title: string | undefined,
    columns: C & Checked<Row, Context, C>,
  ): Resource<Row, Context, { [K in keyof C]: C[K][0] }> => {
    const entries = Object.entries(columns)
    const properties = Object.fromEntries(entries.map(([name, [schema]]) => [name, schema]))
    return {
      schema: Type.Object(properties, title === undefined ? {} : { title }) as never,
      encode: (row, context) =>
        Object.fromEntries(entries.map(([name, [, encode]]) => [name, encode(row, context)])) as never,
    }
  }
}
