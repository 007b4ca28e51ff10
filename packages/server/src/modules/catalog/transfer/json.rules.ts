/** JSON value with the line on which it begins, counted from 1. */
export type JsonNode = JsonObject | JsonArray | JsonScalar
export type JsonObject = {
  readonly kind: 'object'
  readonly line: number
  readonly members: ReadonlyMap<string, JsonNode>
}
export type JsonArray = { readonly kind: 'array'; readonly line: number; readonly items: readonly JsonNode[] }
export type JsonScalar = {
  readonly kind: 'scalar'
  readonly line: number
  readonly value: string | number | boolean | null
}

export type OnJsonProblem = (line: number, message: string) => void

const DEPTH_MAX = 32

/** Thrown and caught in this file only: the text after a syntax error cannot be trusted. */
class Broken extends Error {}

type Scan = { readonly text: string; readonly onProblem: OnJsonProblem; at: number; line: number }

/**
 * Parses JSON; undefined when the text is not JSON. The language's own parser gives no line for a value, does
 * not report a repeated member, and its errors name a place only sometimes.
 */
export function parseJson(text: string, onProblem: OnJsonProblem): JsonNode | undefined {
  const scan: Scan = { text, onProblem, at: 0, line: 1 }
  try {
    skipSpace(scan)
    const node = readValue(scan, 0)
    skipSpace(scan)
    if (scan.at < text.length) throw new Broken('text after the end of the document')
    return node
  } catch (error) {
    if (!(error instanceof Broken)) throw error
    onProblem(scan.line, `no valid JSON: ${error.message}`)
    return undefined
  }
}

/** Returns the value as JSON.parse would. */
export function plainOf(node: JsonNode): unknown {
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'array') return node.items.map(plainOf)
  return Object.fromEntries([...node.members].map(([name, member]) => [name, plainOf(member)]))
}

function readValue(scan: Scan, depth: number): JsonNode {
  if (depth > DEPTH_MAX) throw new Broken(`more than ${DEPTH_MAX} levels deep`)
  const { line } = scan
  switch (scan.text[scan.at]) {
    case '{':
      return readObject(scan, depth)
    case '[':
      return readArray(scan, depth)
    case '"':
      return { kind: 'scalar', line, value: readString(scan) }
    case 't':
      return readLiteral(scan, 'true', true)
    case 'f':
      return readLiteral(scan, 'false', false)
    case 'n':
      return readLiteral(scan, 'null', null)
    default:
      return readNumber(scan)
  }
}

function readObject(scan: Scan, depth: number): JsonObject {
  const { line } = scan
  const members = new Map<string, JsonNode>()
  readItems(scan, '}', () => {
    if (scan.text[scan.at] !== '"') throw new Broken(`a member's name expected, not ${hereOf(scan)}`)
    const nameLine = scan.line
    const name = readString(scan)
    skipSpace(scan)
    if (scan.text[scan.at] !== ':') throw new Broken(`":" expected, not ${hereOf(scan)}`)
    scan.at += 1
    skipSpace(scan)
    if (members.has(name)) scan.onProblem(nameLine, `${JSON.stringify(name)} stands twice in one object`)
    members.set(name, readValue(scan, depth + 1))
  })
  return { kind: 'object', line, members }
}

function readArray(scan: Scan, depth: number): JsonArray {
  const { line } = scan
  const items: JsonNode[] = []
  readItems(scan, ']', () => items.push(readValue(scan, depth + 1)))
  return { kind: 'array', line, items }
}

/** Reads the items between brackets, separated by commas. */
function readItems(scan: Scan, closing: string, readItem: () => void): void {
  scan.at += 1
  skipSpace(scan)
  if (scan.text[scan.at] === closing) {
    scan.at += 1
    return
  }
  for (;;) {
    readItem()
    skipSpace(scan)
    const next = scan.text[scan.at]
    if (next !== closing && next !== ',')
      throw new Broken(`"," or "${closing}" expected, not ${hereOf(scan)}`)
    scan.at += 1
    if (next === closing) return
    skipSpace(scan)
  }
}

function readString(scan: Scan): string {
  const { text } = scan
  const from = scan.at
  let hasEscapes = false
  for (scan.at += 1; text.charCodeAt(scan.at) !== 0x22; scan.at += 1) {
    const unit = text.charCodeAt(scan.at)
    if (Number.isNaN(unit)) throw new Broken('a text never ends: the file is cut off')
    if (unit < 0x20) throw new Broken('a line end or control character inside a text')
    if (unit !== 0x5c) continue
    hasEscapes = true
    scan.at += 1
  }
  scan.at += 1
  if (!hasEscapes) return text.slice(from + 1, scan.at - 1)
  try {
    return JSON.parse(text.slice(from, scan.at)) as string
  } catch {
    throw new Broken('a text with a broken escape')
  }
}

function readLiteral(scan: Scan, word: string, value: boolean | null): JsonScalar {
  if (!scan.text.startsWith(word, scan.at)) throw new Broken(`a value expected, not ${hereOf(scan)}`)
  scan.at += word.length
  return { kind: 'scalar', line: scan.line, value }
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

function readNumber(scan: Scan): JsonScalar {
  NUMBER.lastIndex = scan.at
  const [digits] = NUMBER.exec(scan.text) ?? []
  if (digits === undefined) throw new Broken(`a value expected, not ${hereOf(scan)}`)
  scan.at += digits.length
  return { kind: 'scalar', line: scan.line, value: Number(digits) }
}

function skipSpace(scan: Scan): void {
  for (; ; scan.at += 1) {
    const unit = scan.text.charCodeAt(scan.at)
    if (unit === 0x0a) scan.line += 1
    else if (unit !== 0x20 && unit !== 0x0d && unit !== 0x09) return
  }
}

function hereOf(scan: Scan): string {
  const character = String.fromCodePoint(scan.text.codePointAt(scan.at) ?? 0)
  return scan.at < scan.text.length ? JSON.stringify(character) : 'the end of the file'
}
