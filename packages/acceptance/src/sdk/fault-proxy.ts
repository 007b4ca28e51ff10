import type { IncomingHttpHeaders } from 'node:http'
import { createServer, request } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

// HTTP proxy between a client and the service that breaks exchanges as networks and gateways do.

/** Fault of one exchange. */
export type Fault =
  | { readonly kind: 'pass' }
  /** The request does not arrive, and no answer comes. */
  | { readonly kind: 'swallow_request' }
  /** The request arrives and is carried out; no answer comes. */
  | { readonly kind: 'swallow_answer' }
  /** The connection is reset before the request arrives. */
  | { readonly kind: 'reset_request' }
  /** The request is carried out; the connection is reset in the middle of the answer. */
  | { readonly kind: 'reset_answer' }
  /** A gateway answers, and the request does not arrive. */
  | { readonly kind: 'gateway'; readonly status: number; readonly headers?: Record<string, string> }
  /** The request is carried out, and a gateway answers instead of the service. */
  | { readonly kind: 'replace_answer'; readonly status: number }

export type Passed = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly fault: Fault['kind']
}

export type FaultProxy = {
  readonly url: string
  /** Sets the faults of the next exchanges, one each; afterwards all pass. */
  plan(...faults: readonly Fault[]): void
  /** Returns the requests so far, and forgets them. */
  take(): Passed[]
  /** Waits until a request has been carried out whose answer is swallowed. */
  untilSwallowed(): Promise<void>
  close(): Promise<void>
}

/**
 * Starts the proxy. `runtimeRepeats`: the runtime of the client sends a request again by itself when a kept connection is
 * reset. The copy has the same bytes and so the same nonce: it belongs to the same attempt, and meets the same fault.
 */
export async function startFaultProxy(serviceUrl: string, runtimeRepeats = false): Promise<FaultProxy> {
  const service = new URL(serviceUrl)
  const sockets = new Set<Socket>()
  let planned: Fault[] = []
  let passed: Passed[] = []
  let latest: Fault = { kind: 'pass' }
  let swallowed: (() => void)[] = []

  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const { method = 'GET', url: path = '/', headers } = incoming
    const isCopy = runtimeRepeats && headers['x-nonce'] === passed.at(-1)?.headers['x-nonce']
    const fault = isCopy ? latest : (planned.shift() ?? { kind: 'pass' as const })
    latest = fault
    if (!isCopy) passed.push({ method, path, headers, body: body.toString('utf8'), fault: fault.kind })
    if (fault.kind === 'swallow_request') return
    if (fault.kind === 'reset_request') {
      incoming.socket.resetAndDestroy()
      return
    }
    if (fault.kind === 'gateway') {
      outgoing.writeHead(fault.status, { 'content-type': 'text/html', ...fault.headers })
      outgoing.end('<html>a gateway</html>')
      return
    }
    const answer = await forward(service, method, path, headers, body)
    switch (fault.kind) {
      case 'pass':
        outgoing.writeHead(answer.status, answer.headers).end(answer.body)
        return
      case 'swallow_answer':
        for (const notify of swallowed.splice(0)) notify()
        return
      case 'reset_answer':
        outgoing.writeHead(answer.status, { ...answer.headers, 'content-length': answer.body.length })
        outgoing.write(answer.body.subarray(0, Math.ceil(answer.body.length / 2)), () =>
          incoming.socket.resetAndDestroy(),
        )
        return
      case 'replace_answer':
        outgoing.writeHead(fault.status, { 'content-type': 'text/html' }).end('<html>a gateway</html>')
    }
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    plan(...faults) {
      planned = [...faults]
      passed = []
      swallowed = []
    },
    take: () => passed.splice(0),
    untilSwallowed: () => new Promise((resolve) => swallowed.push(resolve)),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Forwarded = { status: number; headers: Record<string, string | string[]>; body: Buffer }

function forward(
  service: URL,
  method: string,
  path: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
): Promise<Forwarded> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: service.hostname, port: service.port, method, path, headers, agent: false },
      async (incoming) => {
        const chunks: Buffer[] = []
        for await (const chunk of incoming) chunks.push(chunk as Buffer)
        const kept = Object.entries(incoming.headers).filter(
          ([name]) => !['connection', 'transfer-encoding', 'content-length', 'keep-alive'].includes(name),
        )
        resolve({
          status: incoming.statusCode ?? 0,
          headers: Object.fromEntries(kept) as Record<string, string | string[]>,
          body: Buffer.concat(chunks),
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
