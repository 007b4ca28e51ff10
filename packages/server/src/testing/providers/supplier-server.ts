import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Fate, Fault, FaultPoint } from './provider-bench.ts'

// Supplier for a connector's own tests. The connector's test defines its answers; its faults are the same everywhere.

export type SupplierRequest = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export type SupplierReply = { readonly status: number; readonly body: unknown }

/** Parsed request; `act` carries it out. */
export type SupplierTask = {
  readonly place: FaultPoint
  /** Carries out the request; undefined: it is never answered. */
  act(): SupplierReply | undefined
}

export type Supplier = {
  readonly url: string
  spoil(place: FaultPoint, fault: Fault): Promise<void>
  mend(): Promise<void>
  close(): Promise<void>
}

const HUGE_BYTES = 4 * 1_024 * 1_024

export async function startSupplier(read: (request: SupplierRequest) => SupplierTask): Promise<Supplier> {
  const spoilt: { place: FaultPoint; fault: Fault }[] = []

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = await readRequest(request)
    const task = read(asked)
    const at = spoilt.findIndex(({ place }) => place === task.place)
    const fault = at < 0 ? undefined : spoilt.splice(at, 1)[0]?.fault
    answer(response, asked, task, fault)
  }

  const listen = async (port: number): Promise<Server> => {
    const server = createServer((request, response) => {
      serve(request, response).catch(() => response.destroy())
    })
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return server
  }

  let server: Server | undefined = await listen(0)
  const { port } = server.address() as AddressInfo

  async function stop(): Promise<void> {
    const ending = server
    server = undefined
    if (ending === undefined) return
    ending.close()
    ending.closeAllConnections()
    await once(ending, 'close')
  }

  return {
    url: `http://127.0.0.1:${port}`,
    async spoil(place, fault) {
      if (fault === 'refused') return stop()
      spoilt.push({ place, fault })
    },
    async mend() {
      server ??= await listen(port)
    },
    close: stop,
  }
}

async function readRequest(request: IncomingMessage): Promise<SupplierRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  const { method = '', url: path = '/', headers } = request
  return { method, path, headers, body: Buffer.concat(chunks).toString('utf8') }
}

function answer(
  response: ServerResponse,
  asked: SupplierRequest,
  task: SupplierTask,
  fault: Fault | undefined,
): void {
  if (fault === 'silence_before') return
  if (fault === 'drop_before') response.destroy()
  else if (fault === 'error_before') sendText(response, 500, 'Internal Server Error')
  else sendReply(response, asked, task.act(), fault)
}

function sendReply(
  response: ServerResponse,
  asked: SupplierRequest,
  reply: SupplierReply | undefined,
  fault: Fault | undefined,
): void {
  if (reply === undefined || fault === 'silence_after') return
  const text = JSON.stringify(reply.body)
  if (fault === 'drop_after') response.destroy()
  else if (fault === 'error_after') sendText(response, 500, 'Internal Server Error')
  else if (fault === 'garbage') sendText(response, 200, '<html><body>It works!</body></html>')
  else if (fault === 'echo') sendText(response, 200, JSON.stringify(asked))
  else if (fault === 'huge') sendText(response, reply.status, text + ' '.repeat(HUGE_BYTES))
  else if (fault === 'truncated') sendHalf(response, reply.status, text)
  else sendText(response, reply.status, text)
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
  })
  response.end(text)
}

function sendHalf(response: ServerResponse, status: number, text: string): void {
  const { socket } = response
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
  })
  response.write(text.slice(0, text.length / 2), () => socket?.end())
}

// ── Its books ──

/** Order at the supplier, with its fate. */
export type SupplierOrder = {
  readonly reference: string
  readonly fate: Fate
  isDecided: boolean
  acts: number
}

export type SupplierBooks = {
  /** Takes the order once, even if it arrives several times. */
  receive(reference: string, fate: Fate): SupplierOrder
  find(reference: string): SupplierOrder | undefined
  /** Decides pending orders from now on. */
  decideAll(): void
  countActs(reference: string): number
}

export function openSupplierBooks(): SupplierBooks {
  const orders = new Map<string, SupplierOrder>()
  return {
    receive(reference, fate) {
      const existing = orders.get(reference)
      if (existing !== undefined) return existing
      const order = { reference, fate, isDecided: !fate.startsWith('pending_'), acts: 1 }
      orders.set(reference, order)
      return order
    },
    find: (reference) => orders.get(reference),
    decideAll() {
      for (const order of orders.values()) order.isDecided = true
    },
    countActs: (reference) => orders.get(reference)?.acts ?? 0,
  }
}
