import { byteaArrayOf, plainArrayOf, textArrayOf } from './arrays.ts'
import type { Statement } from './connection.ts'

/** Types of parameters with their values. `timestamptz` as text keeps its microseconds. */
type Values = {
  bigint: bigint | number
  integer: number
  smallint: number
  float8: number
  boolean: boolean
  text: string
  uuid: string
  bytea: Buffer
  timestamptz: string | Date
  jsonb: object
}

type Scalar = keyof Values

/** Column of a batch: the parameter, its array type and the function that reads the value of each item. */
export type Column<Item> = {
  [Type in Exclude<Scalar, 'jsonb'>]: readonly [
    parameter: string,
    type: `${Type}[]`,
    read: (item: Item) => Values[Type] | null,
    /**
     * Tells which items need the column. The whole array is null unless one does: the SQL function then skips its work
     * for it.
     */
    isNeeded?: (item: Item) => boolean,
  ]
}[Exclude<Scalar, 'jsonb'>]

/** Parameters that have one value in a call, each with its type. */
export type Parameters = Readonly<Record<string, Scalar | `${'text' | 'uuid' | 'bigint'}[]`>>

type ParameterValue<Type> = Type extends Scalar
  ? Values[Type]
  : Type extends `${infer Element extends Scalar}[]`
    ? readonly Values[Element][]
    : never

export type ParameterValues<Given extends Parameters> = {
  readonly [Name in keyof Given]: ParameterValue<Given[Name]> | null
}

const PLACE = '(...)'

/**
 * Defines a call of a function by the names of its parameters. `text` has `(...)` in their place. Names and values are
 * made from one list, so the order of the list does not matter, and a name or a type that the function does not have is
 * an error at the first call. The text is built once, because it is a prepared statement's.
 */
export function defineCall<Given extends Parameters>(statement: Statement, parameters: Given) {
  const names = Object.keys(parameters)
  const types = names.map((name) => [name, String(parameters[name])] as const)
  return {
    statement: withArguments(statement, types),
    valuesOf: (values: ParameterValues<Given>): unknown[] => names.map((name) => values[name]),
  }
}

/** Defines a call for a whole batch: each column is an array with one element per item. */
export function defineBatchCall<Item>() {
  return <Given extends Parameters>(
    statement: Statement,
    columns: readonly Column<Item>[],
    parameters: Given,
  ) => {
    const names = Object.keys(parameters)
    const types = [
      ...columns.map(([name, type]) => [name, type] as const),
      ...names.map((name) => [name, String(parameters[name])] as const),
    ]
    return {
      statement: withArguments(statement, types),
      valuesOf(items: readonly Item[], values: ParameterValues<Given>): unknown[] {
        const given: unknown[] = columns.map((column) => encode(items, column))
        for (const name of names) given.push(values[name])
        return given
      },
    }
  }
}

function withArguments(
  { name, text }: Statement,
  types: readonly (readonly [name: string, type: string])[],
): Statement {
  const named = types.map(([parameter, type], index) => `${parameter} => $${index + 1}::${type}`)
  const parts = text.split(PLACE)
  const isTwice = new Set(types.map(([parameter]) => parameter)).size < types.length
  if (parts.length !== 2 || isTwice) throw new Error(`${name}: one ${PLACE}, and each parameter once`)
  return { name, text: parts.join(`(${named.join(', ')})`) }
}

function encode<Item>(items: readonly Item[], column: Column<Item>): string | null {
  const [, type, read, isNeeded] = column
  if (isNeeded !== undefined && !items.some(isNeeded)) return null
  switch (type) {
    case 'text[]':
      return textArrayOf(items, read)
    case 'timestamptz[]':
      return textArrayOf(items, (item) => textOf(read(item)))
    case 'bytea[]':
      return byteaArrayOf(items, read)
    case 'boolean[]':
      return plainArrayOf(items, (item) => letterOf(read(item)))
    case 'bigint[]':
    case 'integer[]':
    case 'smallint[]':
    case 'float8[]':
    case 'uuid[]':
      return plainArrayOf(items, read)
  }
}

function textOf(value: string | Date | null): string | null {
  return value instanceof Date ? value.toISOString() : value
}

function letterOf(value: boolean | null): string | null {
  if (value === null) return null
  return value ? 't' : 'f'
}
