import type { Random } from '../faults/random.ts'
import type { Operation } from './documents.ts'
import { isObject } from './raw-json.ts'

/** Row of a list that an answer had, with the path values under which it was found. */
type Row = Readonly<Record<string, unknown>>

/**
 * Things that exist, as answers named them. A request about one of them gets further into the service than a request
 * with an invented name.
 */
export type Pool = {
  /** Learns from the body of a good answer. */
  learn(operation: Operation, path: PathValues, body: unknown): void
  /** Returns values of all parameters of a path that belong together; a missing one is not known. */
  pathFor(random: Random, operation: Operation): PathValues
  /** Returns a value that some answer had under this name. */
  named(random: Random, name: string): string | undefined
  /** Returns the last such value. */
  latest(name: string): string | undefined
  /** Returns a value of a row that answers of this path had. */
  rowValue(random: Random, template: string, name: string): string | undefined
}

export type PathValues = Readonly<Record<string, string>>

const ROWS_MAX = 40
const VALUES_MAX = 60
/** Older rows may be gone. */
const NEWEST = 8
/** Names of values that identify something. */
const IDENTIFIES = /(^|_)(id|code|number|account|refid|reference|username|product|cursor|version)$|Id$/

/** `isKept`: values that no request may name, because the last checks need them unchanged. */
export function createPool(isKept: (value: string) => boolean): Pool {
  const rows = new Map<string, Row[]>()
  const values = new Map<string, string[]>()

  function note(name: string, value: unknown): void {
    if (!IDENTIFIES.test(name) || (typeof value !== 'string' && typeof value !== 'number')) return
    const text = String(value)
    if (text === '' || isKept(text)) return
    const list = values.get(name) ?? []
    values.set(name, [...list.filter((each) => each !== text), text].slice(-VALUES_MAX))
  }

  function learnRow(template: string, path: PathValues, row: Record<string, unknown>): void {
    for (const [name, value] of Object.entries(row)) note(name, value)
    rows.set(template, [...(rows.get(template) ?? []), { ...row, ...path }].slice(-ROWS_MAX))
  }

  function pickRow(random: Random, path: string, name: string): Row {
    const known = rows.get(path.slice(0, path.indexOf(`/{${name}}`))) ?? []
    const free = known.filter((row) => !isKept(String(valueIn(row, name)))).slice(-NEWEST)
    return free.length === 0 ? {} : random.pick(free)
  }

  return {
    learn({ path: template }, path, body) {
      if (!isObject(body)) return
      const content = body.data ?? body
      if (!isObject(content) && !Array.isArray(content)) return
      for (const each of listsIn(content)) learnRow(template, path, each)
      if (isObject(content)) learnRow(template, path, content)
      for (const [name, value] of [body, ...Object.values(content)]
        .filter(isObject)
        .flatMap((each) => Object.entries(each))) {
        note(name, value)
      }
    },
    pathFor(random, { path }) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
      // The last parameter comes first: its row knows the values that stand before it.
      const chosen: Record<string, string> = {}
      for (const name of names.toReversed()) {
        if (chosen[name] === undefined)
          Object.assign(chosen, together(names, name, pickRow(random, path, name)))
      }
      const others = names.map((name) => [name, chosen[name] ?? this.named(random, name)] as const)
      return Object.fromEntries(others.filter((each): each is [string, string] => each[1] !== undefined))
    },
    named(random, name) {
      const known = values.get(name)
      return known === undefined ? undefined : random.pick(known)
    },
    latest: (name) => values.get(name)?.at(-1),
    rowValue(random, template, name) {
      const known = (rows.get(template) ?? []).filter((row) => typeof row[name] === 'string')
      return known.length === 0 ? undefined : String(random.pick(known)[name])
    },
  }
}

/** Returns the values of a row for the parameters of a path. */
function together(names: readonly string[], name: string, row: Row): Record<string, string> {
  const values = names.map((each) => [each, each === name ? valueIn(row, each) : row[each]] as const)
  return Object.fromEntries(
    values.filter(([, value]) => isText(value)).map(([each, value]) => [each, String(value)]),
  )
}

function isText(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number'
}

/** Returns the value of a row that a path parameter stands for. */
function valueIn(row: Row, name: string): unknown {
  return row[name] ?? row.id ?? row.code ?? row.number
}

function listsIn(content: unknown): Record<string, unknown>[] {
  if (Array.isArray(content)) return content.slice(0, ROWS_MAX).filter(isObject)
  if (!isObject(content)) return []
  return Object.values(content).flatMap((each) =>
    Array.isArray(each) ? each.slice(0, ROWS_MAX).filter(isObject) : [],
  )
}
