import type { ServerResponse } from 'node:http'
import { IncomingMessage, ServerResponse as NodeResponse, STATUS_CODES } from 'node:http'
import { Socket } from 'node:net'

/** Fields of Node's answers that its types do not name. `isAsExpected` proves that they are used as here. */
type Internals = {
  _header: string | null
  readonly _keepAliveTimeout: number
  readonly _defaultKeepAlive: boolean
  readonly _maxRequestsPerSocket: number | undefined
  readonly maxRequestsOnConnectionReached: boolean | undefined
  /** Parts that wait for a connection. */
  readonly outputData: readonly { readonly data: string; readonly encoding: string }[]
}

/** Names and values of headers in turns, in the order in which they are sent. */
export type HeaderLines = readonly (string | number)[]

/**
 * Sends an answer whose head and body are one text of ASCII characters. Node's `writeHead` and `end` judge every header
 * again, and write head, body and an empty end as three parts of one `writev`; together that is a tenth of what a small
 * answer costs. Returns false and sends nothing when Node has to write the head itself: the connection closes after
 * the answer, there is no body, or a header changes how Node sends the answer or must be refused.
 */
export function sendWhole(
  response: ServerResponse,
  status: number,
  lines: HeaderLines,
  text: string,
): boolean {
  if (!isUsual(response) || !isAsExpected()) return false
  const head = headOf(response, status, lines)
  if (head === undefined) return false
  response.statusCode = status
  const internals = response as unknown as Internals
  internals._header = head + text
  response.end()
  return true
}

/** Tells that the connection stays open, that the answer has a body, and that nobody set a header before. */
function isUsual(response: ServerResponse): boolean {
  const { maxRequestsOnConnectionReached, _defaultKeepAlive, _maxRequestsPerSocket } =
    response as unknown as Internals
  return (
    response.shouldKeepAlive &&
    _defaultKeepAlive &&
    !maxRequestsOnConnectionReached &&
    !_maxRequestsPerSocket &&
    response.getHeaderNames().length === 0 &&
    response.req.method !== 'HEAD'
  )
}

/** Headers that Node reads itself when it writes a head: about the connection, the end of the body, or a line of its own. */
const READ_BY_NODE = new Set([
  'connection',
  'date',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
const NAME = /^[\w-]+$/
const plainNames = new Map<string, boolean>()
/** Limit of remembered names; they come from the program, so there are few. */
const NAMES_MAX = 1_000

/** Tells that a header is a line of the head and nothing else. */
export function isPlain(name: string): boolean {
  let plain = plainNames.get(name)
  if (plain === undefined) {
    plain = NAME.test(name) && !READ_BY_NODE.has(name.toLowerCase())
    if (plainNames.size < NAMES_MAX) plainNames.set(name, plain)
  }
  return plain
}

const TAB = 0x09
const SPACE = 0x20
const TILDE = 0x7e

/**
 * Tells that all characters are ASCII and may stand in a header's value. A regular expression took 1 % of a signed read
 * here.
 */
export function isValue(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if ((code < SPACE || code > TILDE) && code !== TAB) return false
  }
  return true
}

const BEYOND_ASCII = /^[\t\x20-\x7e\x80-\xff]*$/

/** Tells that all characters may stand in a header's value, those of Latin-1 included. */
export function isHeaderText(text: string): boolean {
  return BEYOND_ASCII.test(text)
}

/** Writes the head as Node does; undefined when a header is not plain or its value has a character beyond ASCII. */
function headOf(response: ServerResponse, status: number, lines: HeaderLines): string | undefined {
  let head = statusLine(status)
  for (let at = 0; at < lines.length; at += 2) {
    const value = lines[at + 1] as string | number
    if (!isPlain(lines[at] as string)) return undefined
    if (typeof value === 'string' && !isValue(value)) return undefined
    head += `${lines[at]}: ${value}\r\n`
  }
  return `${head}Date: ${dateNow()}\r\n${keepAlive(response as unknown as Internals)}`
}

const statusLines = new Map<number, string>()

export function statusLine(status: number): string {
  let line = statusLines.get(status)
  if (line === undefined) {
    line = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`
    statusLines.set(status, line)
  }
  return line
}

let date = ''
let dateEndsMs = 0

/** Formats the date once a second. */
export function dateNow(): string {
  const nowMs = Date.now()
  if (nowMs >= dateEndsMs || nowMs < dateEndsMs - 1_000) {
    date = new Date(nowMs).toUTCString()
    dateEndsMs = nowMs - (nowMs % 1_000) + 1_000
  }
  return date
}

let keepAliveLines = ''
let keepAliveMs: number | undefined

/** Ends a head with the lines about the connection, which are the same for all answers of a server. */
function keepAlive({ _keepAliveTimeout }: Internals): string {
  if (_keepAliveTimeout !== keepAliveMs) {
    keepAliveMs = _keepAliveTimeout
    const timeout = keepAliveMs ? `Keep-Alive: timeout=${Math.floor(keepAliveMs / 1_000)}\r\n` : ''
    keepAliveLines = `Connection: keep-alive\r\n${timeout}\r\n`
  }
  return keepAliveLines
}

let expected: boolean | undefined

/**
 * Compares a head of ours with one that this runtime wrote, once. A later version of Node whose answers work otherwise
 * writes every head itself. So does Bun: it passes the comparison, but its answers on a connection ignore `_header`.
 */
function isAsExpected(): boolean {
  expected ??= process.versions.bun === undefined && probe()
  return expected
}

const PROBE: HeaderLines = ['X-Probe', 'a', 'Content-Length', 1]
const PROBE_BODY = '1'
const DATE = /\r\nDate: [^\r]*/

function probe(): boolean {
  try {
    const theirs = probed((response) => response.writeHead(200, PROBE as string[]).end(PROBE_BODY))
    const ours = probed((response) => {
      const internals = response as unknown as Internals
      internals._header = headOf(response, 200, PROBE) + PROBE_BODY
      response.end()
    })
    return DATE.test(theirs) && ours.replace(DATE, '') === theirs.replace(DATE, '')
  } catch {
    return false
  }
}

/** Returns the text that an answer without a connection would send. */
function probed(answer: (response: ServerResponse) => void): string {
  const response = new NodeResponse(new IncomingMessage(new Socket()))
  response.shouldKeepAlive = true
  Object.assign(response, { _keepAliveTimeout: 65_000 })
  const isSent = isUsual(response)
  answer(response)
  const { outputData } = response as unknown as Internals
  return isSent ? outputData.map(({ data }) => data).join('') : ''
}
