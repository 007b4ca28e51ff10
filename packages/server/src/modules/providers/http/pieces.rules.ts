import { parseExactJson } from '../language/numbers.rules.ts'
import type { Path } from '../language/types.ts'

// Rules that read a long list of JSON piece by piece, so that other work has its turn between two elements.

/** Part of a text, from a position up to another. */
export type Piece = readonly [from: number, to: number]

/** An answer with a list: the elements, still unread, and the answer without them. */
export type Pieces = { readonly elements: readonly Piece[]; readonly rest: unknown }

const SPACE = /[ \t\n\r]*/y
const STRING = /"(?:[^"\\]+|\\.)*"/y
const LITERAL = /[^\s,:"[\]{}]+/y
/** A bracket, or a text: brackets within texts are none. */
const BRACKET = /[[\]{}]|"(?:[^"\\]+|\\.)*"/g

/**
 * Finds the elements of the list at a path; undefined when there is no list. It yields between two elements, and throws a
 * SyntaxError where the text is not JSON.
 */
export function* splitList(text: string, path: Path): Generator<void, Pieces | undefined> {
  const at = startOfList(text, path)
  if (at === undefined) return undefined
  const elements: Piece[] = []
  let next = skipSpace(text, at + 1)
  const isEmpty = text[next] === ']'
  while (!isEmpty) {
    const end = endOfValue(text, next)
    elements.push([next, end])
    next = skipSpace(text, end)
    if (text[next] === ']') break
    if (text[next] !== ',') throw unreadable()
    next = skipSpace(text, next + 1)
    yield
  }
  return { elements, rest: parseExactJson(`${text.slice(0, at + 1)}${text.slice(next)}`) }
}

function unreadable(): SyntaxError {
  return new SyntaxError('the text is not JSON')
}

function skipSpace(text: string, at: number): number {
  SPACE.lastIndex = at
  SPACE.test(text)
  return SPACE.lastIndex
}

/** Returns where the list begins, or undefined: another value stands there, or none. */
function startOfList(text: string, path: Path): number | undefined {
  let at = skipSpace(text, 0)
  for (const segment of path) {
    const found = startOfMember(text, at, segment)
    if (found === undefined) return undefined
    at = found
  }
  return text[at] === '[' ? at : undefined
}

function startOfMember(text: string, object: number, name: string): number | undefined {
  if (text[object] !== '{') return undefined
  let at = skipSpace(text, object + 1)
  while (text[at] === '"') {
    const end = endOfString(text, at)
    const colon = skipSpace(text, end)
    if (text[colon] !== ':') throw unreadable()
    const value = skipSpace(text, colon + 1)
    if (JSON.parse(text.slice(at, end)) === name) return value
    const after = skipSpace(text, endOfValue(text, value))
    if (text[after] !== ',') return undefined
    at = skipSpace(text, after + 1)
  }
  return undefined
}

function endOfString(text: string, at: number): number {
  STRING.lastIndex = at
  if (!STRING.test(text)) throw unreadable()
  return STRING.lastIndex
}

function endOfValue(text: string, at: number): number {
  const first = text[at]
  if (first === '"') return endOfString(text, at)
  if (first === '{' || first === '[') return endOfBrackets(text, at)
  LITERAL.lastIndex = at
  if (!LITERAL.test(text)) throw unreadable()
  return LITERAL.lastIndex
}

function endOfBrackets(text: string, at: number): number {
  let depth = 0
  BRACKET.lastIndex = at
  for (let found = BRACKET.exec(text); found !== null; found = BRACKET.exec(text)) {
    const [token] = found
    if (token === '{' || token === '[') depth += 1
    else if (token === '}' || token === ']') depth -= 1
    if (depth === 0) return BRACKET.lastIndex
  }
  throw unreadable()
}
