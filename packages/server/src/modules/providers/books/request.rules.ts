import { parseQuery } from '../../../lib/input/forms.ts'
import { isObject } from '../language/reading.rules.ts'
import type { Place, Route } from './types.ts'

export type BookRequest = {
  readonly method: string
  /** Path with its query. */
  readonly url: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: string
}

export type ReadRequest = {
  readonly method: string
  readonly path: string
  readonly values: Readonly<Record<Place['from'], unknown>>
  /** Values of the `{names}` of a path; empty where it is another path. */
  variablesOf(path: string): Readonly<Record<string, string>>
}

export function readRequest({ method, url, headers, body }: BookRequest): ReadRequest {
  const [path = '', query = ''] = splitOnce(url, '?')
  return {
    method,
    path,
    values: { body: jsonOf(body), form: parseQuery(body), query: parseQuery(query), header: headers },
    variablesOf: (template) => variablesIn(template, path) ?? {},
  }
}

export function matches(route: Route, request: ReadRequest): boolean {
  return (
    route.method === request.method &&
    variablesIn(route.path, request.path) !== undefined &&
    route.where.every(([place, wanted]) => placeIn(request, place) === wanted)
  )
}

/** Returns the text at a place; a number is its digits. */
export function placeIn({ values }: ReadRequest, { from, name }: Place): string | undefined {
  const at = from === 'body' ? valueAt(values.body, name.split('.')) : memberOf(values[from], name)
  return typeof at === 'string' || typeof at === 'number' || typeof at === 'boolean' ? String(at) : undefined
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((inner, name) => memberOf(inner, name), value)
}

function memberOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value[Number(name)]
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

function variablesIn(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const [wanted, given] = [template.split('/'), path.split('/')]
  if (wanted.length !== given.length) return undefined
  const found: Record<string, string> = {}
  for (const [at, part] of wanted.entries()) {
    const segment = given[at] ?? ''
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    if (name === undefined && part !== segment) return undefined
    if (name !== undefined) found[name] = decoded(segment)
  }
  return found
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function splitOnce(text: string, by: string): string[] {
  const at = text.indexOf(by)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
