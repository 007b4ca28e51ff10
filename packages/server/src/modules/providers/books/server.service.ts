import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { BookSupplier } from './answers.service.ts'
import { openBook } from './answers.service.ts'
import { valuesOf, writeContent } from './text.rules.ts'
import type { Book, BookOrder } from './types.ts'

/** Trouble of one exchange; `before` and `after` say whether the supplier had acted. */
export const TROUBLES = ['lost_before', 'lost_after', 'error_before', 'error_after', 'garbage_after'] as const
export type Trouble = (typeof TROUBLES)[number]

export type BookServer = Pick<BookSupplier, 'orders' | 'mistakes'> & {
  readonly url: string
  close(): Promise<void>
}

export type BookServerSettings = {
  readonly book: Book
  /** 0: any that is free. */
  readonly port?: number
  /** Decides the trouble of an exchange, by the name of its route. */
  readonly troubleOf?: (route: string) => Trouble | undefined
  /** Decides for how long the answer of an exchange is held back; the supplier has acted by then. */
  readonly delayMsOf?: (route: string) => number
  /** Called with each order when it was answered for the first time. */
  readonly onOrder?: (order: BookOrder) => void
}

const BODY_BYTES_MAX = 1_024 * 1_024

/** Serves an answer book on this machine alone. */
export async function startBookServer(settings: BookServerSettings): Promise<BookServer> {
  const supplier = openBook(settings.book)
  const server = createServer((request, response) => {
    serve(settings, supplier, request, response).catch(() => response.destroy())
  })
  server.listen(settings.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    orders: supplier.orders,
    mistakes: supplier.mistakes,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function serve(
  { troubleOf, delayMsOf, onOrder }: BookServerSettings,
  supplier: BookSupplier,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '', url = '/', headers } = request
  const given = { method, url, headers, body: await readBody(request) }
  const route = supplier.routeOf(given)
  const trouble = troubleOf?.(route)
  if (trouble === 'lost_before') return void response.destroy()
  if (trouble === 'error_before') return send(response, 502, '')
  const known = supplier.orders().length
  const { answer, order } = supplier.answer(given)
  if (order !== undefined && supplier.orders().length > known) onOrder?.(order)
  const delayMs = delayMsOf?.(route) ?? 0
  if (delayMs > 0) await pause(delayMs)
  if (trouble === 'lost_after' || answer.isDropped) return void response.destroy()
  if (trouble === 'error_after') return send(response, 502, '')
  if (trouble === 'garbage_after') return send(response, 200, '<html>It works!</html>')
  const values = valuesOf(order, Date.now())
  const kind = answer.isJson ? [['content-type', 'application/json']] : []
  const own = Object.entries(answer.headers).map(([name, text]) => [
    name.toLowerCase(),
    writeContent({ text, isJson: false }, values),
  ])
  send(response, answer.status, writeContent(answer, values), Object.fromEntries([...kind, ...own]))
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > BODY_BYTES_MAX) throw new Error('the body is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function send(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-length': Buffer.byteLength(text), ...headers })
  response.end(text)
}
