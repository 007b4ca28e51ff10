import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { UNCOUNTED_BYTES } from '../intake/body-budget.ts'

/** Request that arrived in one piece, with its body. It has the fields of Node's message that the edge reads. */
export type WholeMessage = {
  readonly method: string
  readonly url: string
  readonly httpVersion: '1.1'
  /** Parts of one text, the head: a value that is kept for long is copied first. */
  readonly headers: IncomingHttpHeaders
  /** Empty: a name that occurs twice is left to Node. */
  readonly rawHeaders: readonly string[]
  readonly socket: Socket
  readonly complete: true
  /** Exact bytes of the body. */
  readonly whole: Buffer
}

const METHOD_LINES = ['GET ', 'POST ', 'PUT ', 'PATCH ', 'DELETE '] as const
const VERSION = ' HTTP/1.1'
const HEAD_END = Buffer.from('\r\n\r\n')
/** Heads beyond this are left to Node, and to its limit. */
const HEAD_BYTES_MAX = 8 * 1024
const NO_RAW_HEADERS: readonly string[] = Object.freeze([])

const LF = 0x0a
const CR = 0x0d
const SPACE = 0x20
const HASH = 0x23
const TILDE = 0x7e

/**
 * Reads a request that is the whole content of `chunk` and leaves nothing open about its meaning. Returns undefined for
 * every other input, also for what HTTP allows: Node reads that. So this function need not know how HTTP handles errors,
 * repeated names, line folding, transfer codings, expectations or upgrades, and where it reads a request, it reads it as
 * Node does.
 */
export function readWhole(chunk: Buffer, socket: Socket): WholeMessage | undefined {
  const headEnd = chunk.indexOf(HEAD_END)
  if (headEnd < 0 || headEnd > HEAD_BYTES_MAX) return undefined
  const head = chunk.toString('latin1', 0, headEnd)
  const method = methodOf(head)
  const lineEnd = head.indexOf('\r\n')
  if (method === undefined || lineEnd < 0) return undefined
  const urlEnd = lineEnd - VERSION.length
  if (!head.startsWith(VERSION, urlEnd) || !isPath(head, method.length + 1, urlEnd)) return undefined
  const headers = readHeaders(head, lineEnd + 2)
  if (headers === undefined) return undefined
  const whole = chunk.subarray(headEnd + HEAD_END.length)
  if (whole.length !== lengthOf(headers['content-length']) || whole.length > UNCOUNTED_BYTES) return undefined
  const url = head.slice(method.length + 1, urlEnd)
  return {
    method,
    url,
    httpVersion: '1.1',
    headers,
    rawHeaders: NO_RAW_HEADERS,
    socket,
    complete: true,
    whole,
  }
}

function methodOf(head: string): string | undefined {
  for (const line of METHOD_LINES) if (head.startsWith(line)) return line.slice(0, -1)
  return undefined
}

/** Tells that the text is a path with an optional query: no address with a host, no fragment, no space. */
function isPath(head: string, from: number, to: number): boolean {
  if (to <= from || head[from] !== '/') return false
  for (let at = from; at < to; at += 1) {
    const code = head.charCodeAt(at)
    if (code <= SPACE || code > TILDE || code === HASH) return false
  }
  return true
}

function readHeaders(head: string, from: number): IncomingHttpHeaders | undefined {
  const headers: Record<string, string> = {}
  for (let at = from; at < head.length; ) {
    const colon = head.indexOf(':', at)
    if (colon < 0) return undefined
    const name = nameOf(head.slice(at, colon))
    if (name === undefined || name in headers) return undefined
    const end = endOfLine(head, colon + 1)
    if (end < 0) return undefined
    const value = trimmed(head, colon + 1, end)
    if (name === 'connection' && !isKeepAlive(value)) return undefined
    headers[name] = value
    at = end + 2
  }
  return headers
}

const NAME = /^[a-z][a-z0-9-]*$/i

/** Names that change how a message is read or answered, or that Node keeps in a form of its own. */
const LEFT_TO_NODE = new Set([
  'expect',
  'http2-settings',
  'proxy-connection',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Names in lower case, by the spelling in which callers send them. */
const names = new Map<string, string>()
/** Limits of remembered names: callers choose them. */
const NAMES_MAX = 500
const NAME_LENGTH_MAX = 40

/** Returns the name in lower case; undefined when Node has to read the request. */
function nameOf(spelled: string): string | undefined {
  const known = names.get(spelled)
  if (known !== undefined) return known
  const lower = spelled.toLowerCase()
  if (!NAME.test(spelled) || LEFT_TO_NODE.has(lower)) return undefined
  if (names.size < NAMES_MAX && spelled.length <= NAME_LENGTH_MAX) {
    // A copy: a part of a text keeps the whole text in memory.
    names.set(Buffer.from(spelled, 'latin1').toString('latin1'), lower)
  }
  return lower
}

/** Returns where the line ends, at the end of the head if it is the last one; -1 when a character in it is unusual. */
function endOfLine(head: string, from: number): number {
  for (let at = from; at < head.length; at += 1) {
    const code = head.charCodeAt(at)
    if (code >= SPACE && code <= TILDE) continue
    return code === CR && head.charCodeAt(at + 1) === LF ? at : -1
  }
  return head.length
}

function trimmed(head: string, from: number, to: number): string {
  let start = from
  let end = to
  while (start < end && head.charCodeAt(start) === SPACE) start += 1
  while (end > start && head.charCodeAt(end - 1) === SPACE) end -= 1
  return head.slice(start, end)
}

function isKeepAlive(value: string): boolean {
  return value === 'keep-alive' || value.toLowerCase() === 'keep-alive'
}

const LENGTH = /^(?:0|[1-9]\d{0,7})$/

/** Returns the length of the body; -1, which no body has, when the text is unusual. */
function lengthOf(text: string | undefined): number {
  if (text === undefined) return 0
  return LENGTH.test(text) ? Number(text) : -1
}
