import type { FastifyReply } from 'fastify'
import { rateLimitHeaders } from './limits.ts'

export type AnswerHeaders = Readonly<Record<string, string | number>>

const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * The one place where an answer leaves. Written to Node's response in one go: Fastify's own way through its
 * hooks and header map would cost as much again, and nothing here uses it.
 */
export function respond(
  reply: FastifyReply,
  status: number,
  headers: AnswerHeaders | undefined,
  body: object | Buffer | null,
): void {
  const response = reply.raw
  if (response.headersSent) return
  reply.hijack()
  const { id, exchange } = reply.request
  const lines: (string | number)[] = ['X-Request-Id', id]
  if (exchange.admission !== undefined) add(lines, rateLimitHeaders(exchange.admission))
  if (exchange.operationHeaders !== undefined) add(lines, exchange.operationHeaders)
  if (headers !== undefined) add(lines, headers)
  if (body === null) {
    if (status !== 204 && status !== 304) lines.push('Content-Length', 0)
    response.writeHead(status, lines as string[])
    response.end()
  } else if (body instanceof Buffer) {
    lines.push('Content-Length', body.length)
    response.writeHead(status, lines as string[])
    response.end(body)
  } else {
    const text = JSON.stringify(body)
    lines.push('Content-Type', JSON_TYPE, 'Content-Length', Buffer.byteLength(text))
    response.writeHead(status, lines as string[])
    // As a string it leaves with the head in one piece.
    response.end(text)
  }
}

function add(lines: (string | number)[], headers: AnswerHeaders): void {
  for (const name in headers) lines.push(name, headers[name] as string | number)
}
