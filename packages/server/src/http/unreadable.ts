import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { normalizeAddress } from '../lib/addresses.ts'
import { REQUEST_TIMEOUT_CODE } from './body.ts'
import type { Message } from './exchange.ts'
import type { Place } from './intake/between-requests.ts'
import type { AddressLimiter } from './intake/limits.ts'
import { rateLimitHeaders } from './intake/limits.ts'
import type { EdgeMetrics } from './metrics.ts'
import type { RequestLog } from './request-log.ts'
import { NO_SNIFFING, NOT_STORED } from './respond.ts'

export type UnreadableOptions = {
  readonly limiter: AddressLimiter
  readonly requestLog: RequestLog
  readonly metrics: EdgeMetrics
}

/** Answers input that never became a request: too slow, too large, not HTTP. */
export type Unreadable = {
  /** Registers every request and its end, so that no other answer takes the place of its own. */
  begin(message: Message): Conversation
  end(message: Message, conversation: Conversation): void
  answer(error: NodeJS.ErrnoException, socket: Socket): void
  placeOf(socket: Socket): Place
  /** Answers a connection that sends bytes of no request, reads nothing more of it, and closes it. */
  refuse(socket: Socket): void
  /** Dates the requests that are read from waiting bytes in this turn: they came at `earliestMs` or later. */
  hold(socket: Socket, earliestMs: number): void
}

/** State of a connection: the newest request on it, and how many are not answered yet. */
export type Conversation = {
  newest: Message
  pending: number
  broken: boolean
  /** True when so many requests wait that nothing more is taken from the connection. */
  isFull: boolean
  /** Callbacks that end requests which came while another one was under way; undefined while there are none. */
  behind: Set<() => void> | undefined
  /** Time when the last answer on it was written: the client sends its next request after it has read that one. */
  answeredMs: number
  /** Earliest arrival of requests that are read now and came before that answer; undefined otherwise. */
  heldMs: number | undefined
}

export function createUnreadable(options: UnreadableOptions): Unreadable {
  const conversations = new WeakMap<Socket, Conversation>()

  function begin(message: Message): Conversation {
    let conversation = conversations.get(message.socket)
    if (conversation === undefined) {
      conversation = {
        newest: message,
        pending: 0,
        broken: false,
        isFull: false,
        behind: undefined,
        answeredMs: Number.NEGATIVE_INFINITY,
        heldMs: undefined,
      }
      conversations.set(message.socket, conversation)
    }
    conversation.newest = message
    conversation.pending += 1
    return conversation
  }

  function end(message: Message, conversation: Conversation): void {
    conversation.pending -= 1
    if (conversation.broken && conversation.pending === 0) message.socket.destroySoon()
  }

  function answer(error: NodeJS.ErrnoException, socket: Socket): void {
    const conversation = conversations.get(socket)
    if (error.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    if (!socket.writable || isOver(error, socket, conversation)) {
      // Bytes that were written before are still sent.
      socket.destroySoon()
      return
    }
    if (conversation === undefined || conversation.pending === 0) {
      writeAnswer(options, error, socket)
      return
    }
    const { newest } = conversation
    // The error belongs to the body of a request under way: its operation waits for the body, and answers.
    if (!newest.complete && newest.listenerCount('error') > 0) newest.emit('error', error)
    // The error belongs to data behind a request under way. That request may have moved money: the next answer its
    // caller reads must be its own. The connection therefore ends after it, without another answer.
    else conversation.broken = true
  }

  function hold(socket: Socket, earliestMs: number): void {
    const conversation = conversations.get(socket)
    if (conversation === undefined) return
    conversation.heldMs = earliestMs
    setImmediate(() => {
      conversation.heldMs = undefined
    })
  }

  function placeOf(socket: Socket): Place {
    const conversation = conversations.get(socket)
    if (conversation === undefined || conversation.newest.complete) return 'between'
    const { newest, pending } = conversation
    return pending === 0 && newest.headers['transfer-encoding'] !== undefined ? 'unwanted' : 'within'
  }

  function refuse(socket: Socket): void {
    answer(Object.assign(new Error(TOO_MANY_BLANK), { code: TOO_MANY_BLANK }), socket)
    socket.pause()
    const pending = conversations.get(socket)?.pending ?? 0
    if (pending === 0) socket.destroySoon()
  }

  return { begin, end, answer, placeOf, refuse, hold }
}

/** Bun counts no bytes before the first whole request; there a silent connection is answered like a slow request. */
const COUNTS_FIRST_BYTES = process.versions.bun === undefined

/** Tells that no answer is awaited: nothing was ever sent, or the request was answered before it had arrived whole. */
function isOver(
  error: NodeJS.ErrnoException,
  socket: Socket,
  conversation: Conversation | undefined,
): boolean {
  // Any other error is about bytes that were sent.
  if (conversation === undefined) {
    return error.code === REQUEST_TIMEOUT_CODE && COUNTS_FIRST_BYTES && socket.bytesRead === 0
  }
  return conversation.pending === 0 && !conversation.newest.complete
}

const TOO_MANY_BLANK = 'TOO_MANY_BLANK_LINES'

const UNREADABLE: Readonly<Record<string, readonly [status: number, reason: string, text: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'The request headers are larger than 16 kB.'],
  [REQUEST_TIMEOUT_CODE]: [408, 'Request Timeout', 'The request did not arrive in time.'],
  [TOO_MANY_BLANK]: [400, 'Bad Request', 'Too many empty lines came before the request.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'Payload Too Large', 'The chunk extensions are too large.'],
}
const NOT_HTTP = [400, 'Bad Request', 'The request is not valid HTTP.'] as const

function writeAnswer(options: UnreadableOptions, error: NodeJS.ErrnoException, socket: Socket): void {
  const [status, reason, text] = UNREADABLE[error.code ?? ''] ?? NOT_HTTP
  const requestId = randomUUID()
  const address = normalizeAddress(socket.remoteAddress ?? '')
  const body = JSON.stringify({ message: text, errors: {} })
  const headers = {
    'X-Request-Id': requestId,
    [NO_SNIFFING.name]: NO_SNIFFING.value,
    [NOT_STORED.name]: NOT_STORED.value,
    // The address is not counted: behind a proxy it is the proxy's, which all clients share.
    ...rateLimitHeaders(options.limiter.peek(address)),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n${body}`)
  options.metrics.observe('-', '(unreadable)', status, 0)
  const line = { request_id: requestId, method: '-', route: '(unreadable)', status, duration_ms: 0, address }
  options.requestLog.write('info', { ...line, error: error.code ?? 'unreadable' })
}
