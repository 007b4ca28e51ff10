import { ServerResponse } from 'node:http'
import type { Answer, Exchange } from './exchange.ts'
import { sendWhole } from './streams/head.ts'
import { discard, isStream, piecesOf, SMALL_BYTES_MAX, STREAM_LIMITS, sendPieces } from './streams/stream.ts'
import { WholeAnswer } from './wire/whole-answer.ts'

export type AnswerHeaders = Readonly<Record<string, string | number | readonly string[]>>

const JSON_TYPE = 'application/json; charset=utf-8'

/** Header of every answer: no browser may take one kind of content for another. */
export const NO_SNIFFING = { name: 'X-Content-Type-Options', value: 'nosniff' } as const

/** Header of every answer that does not say itself how long it may be kept: no cache may keep one caller's data. */
export const NOT_STORED = { name: 'Cache-Control', value: 'no-store' } as const

/**
 * Sends an answer; no other place does. Head and body leave together, streams and large bodies in pieces. A second
 * answer to the same request is not sent.
 */
export function respond(
  exchange: Exchange,
  status: number,
  headers: AnswerHeaders | undefined,
  body: object | Buffer | null,
): void {
  const { response, admission } = exchange
  if (response.headersSent) {
    if (body !== null && isStream(body)) discard(body)
    return
  }
  exchange.answeredMs = performance.now()
  const lines: (string | number)[] = ['X-Request-Id', exchange.id, NO_SNIFFING.name, NO_SNIFFING.value]
  if (admission !== undefined) {
    lines.push('RateLimit-Limit', admission.limit, 'RateLimit-Remaining', admission.remaining)
    lines.push('RateLimit-Reset', admission.resetSeconds)
  }
  if (exchange.operationHeaders !== undefined) add(lines, exchange.operationHeaders)
  if (headers !== undefined) add(lines, headers)
  if (headers?.[NOT_STORED.name] === undefined) lines.push(NOT_STORED.name, NOT_STORED.value)
  if (body === null) {
    if (status !== 204 && status !== 304) lines.push('Content-Length', 0)
    response.writeHead(status, lines as string[])
    response.end()
  } else if (body instanceof Buffer) {
    lines.push('Content-Length', body.length)
    response.writeHead(status, lines as string[])
    if (body.length > SMALL_BYTES_MAX) void sendPieces(exchange, piecesOf(body), STREAM_LIMITS)
    else response.end(body)
  } else if (isStream(body)) {
    response.writeHead(status, lines as string[])
    void sendPieces(exchange, body, STREAM_LIMITS)
  } else {
    sendJson(exchange, status, lines, JSON.stringify(body))
  }
}

function sendJson(exchange: Exchange, status: number, lines: (string | number)[], text: string): void {
  const { response } = exchange
  const bytes = Buffer.byteLength(text)
  lines.push('Content-Type', JSON_TYPE, 'Content-Length', bytes)
  const isSmall = text.length <= SMALL_BYTES_MAX
  // A text of ASCII characters has as many bytes as characters.
  if (isSmall && bytes === text.length && sendAscii(response, status, lines, text)) return
  response.writeHead(status, lines as string[])
  if (isSmall) response.end(text)
  else void sendPieces(exchange, piecesOf(Buffer.from(text)), STREAM_LIMITS)
}

/** Sends a text of ASCII characters together with its head. Returns false when nothing was sent. */
function sendAscii(response: Answer, status: number, lines: (string | number)[], text: string): boolean {
  if (response instanceof ServerResponse) return sendWhole(response, status, lines, text)
  if (!(response instanceof WholeAnswer)) return false
  response.writeHead(status, lines)
  response.endAscii(text)
  return true
}

function add(lines: (string | number)[], headers: AnswerHeaders): void {
  for (const name in headers) {
    const value = headers[name]
    if (Array.isArray(value)) for (const each of value as readonly string[]) lines.push(name, each)
    else lines.push(name, value as string | number)
  }
}
