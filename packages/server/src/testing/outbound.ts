import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'
import { createServer as createTcpServer } from 'node:net'
import { afterEach } from 'vitest'
import type { OutboundSettings } from '../outbound/client.ts'
import { createOutbound } from '../outbound/client.ts'
import type { Outbound, OutboundRequest, OutboundResult } from '../outbound/types.ts'
import { LOOPBACK } from './providers/http-connection.ts'

// Servers on loopback that behave as a test wants, and the guarded client that calls them. They are closed after each
// test.

export const tlsFile = (name: string) => readFileSync(new URL(`./tls/${name}`, import.meta.url), 'utf8')
const DEADLINE_MS = 60_000

const toClose: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close()
})

export function open(settings: Partial<OutboundSettings> = {}): Outbound {
  const outbound = createOutbound({ allow: LOOPBACK, ...settings })
  toClose.push(() => outbound.close())
  return outbound
}

export async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  toClose.push(async () => {
    server.close()
    for (const socket of sockets) socket.destroy()
    await once(server, 'close')
  })
  return (server.address() as AddressInfo).port
}

export const serve = (listener: RequestListener) => listen(createHttpServer(listener))
export const serveTcp = (onConnection: (socket: Socket) => void) => listen(createTcpServer(onConnection))

export function deferred<T>() {
  let settle: (value: T) => void = () => {}
  const promise = new Promise<T>((resolve) => {
    settle = resolve
  })
  return { promise, resolve: (value: T) => settle(value) }
}

export function request(url: string, more: Partial<OutboundRequest> = {}): OutboundRequest {
  const signal = AbortSignal.timeout(DEADLINE_MS)
  return { method: 'GET', url, answerBytesMax: 1_000, connectionsMax: 4, signal, ...more }
}

export function failure(result: OutboundResult) {
  if (result.kind !== 'failed') throw new Error(`answered ${result.status}`)
  return { stage: result.stage, wasSent: result.wasSent }
}
