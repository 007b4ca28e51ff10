import { isObject } from '../language/reading.rules.ts'
import type { UnknownAnswer } from './types.ts'

export type Meaning = { readonly outcome: string; readonly code?: number | undefined }

type Table = Readonly<Record<string, unknown>>
/** Table of a configuration, by the names that lead to it. */
type Found = { readonly at: readonly string[]; readonly table: Table }

/**
 * Adds a word's meaning to the one table that reads it. Undefined: none does, or several do, and a person has to edit
 * the configuration.
 */
export function addMeaning(
  config: unknown,
  { operation, path, value }: Pick<UnknownAnswer, 'operation' | 'path' | 'value'>,
  { outcome, code }: Meaning,
): unknown {
  const start = operation === 'callback' ? ['callback', 'outcome'] : [operation, 'response', 'outcome']
  const found = tablesIn(valueAt(config, start), path, start)
  const [only, ...more] = found
  if (only === undefined || more.length > 0 || Object.hasOwn(only.table, value)) return undefined
  const entry = code === undefined ? { outcome } : { outcome, code }
  return withValue(config, only.at, { ...only.table, [value]: entry })
}

/** Lists the tables that read a path, and where a word that they do not know means nothing. */
function tablesIn(decision: unknown, path: string, at: readonly string[]): Found[] {
  if (!isObject(decision) || !isObject(decision.table)) return []
  const paths = Array.isArray(decision.path) ? decision.path : [decision.path]
  const isOpen = paths.includes(path) && decision.otherwise === undefined
  const own = isOpen ? [{ at: [...at, 'table'], table: decision.table }] : []
  const below = Object.entries(decision.table).flatMap(([name, entry]) =>
    tablesIn(entry, path, [...at, 'table', name]),
  )
  return [...own, ...below]
}

function valueAt(config: unknown, at: readonly string[]): unknown {
  return at.reduce<unknown>(
    (inner, name) => (isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
    config,
  )
}

function withValue(config: unknown, at: readonly string[], value: unknown): unknown {
  const [name, ...rest] = at
  if (name === undefined || !isObject(config)) return value
  return { ...config, [name]: withValue(config[name], rest, value) }
}
