import { createHmac } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Answer } from '../http.ts'
import { exchange } from '../http.ts'
import type { Service } from '../service.ts'
import { addSupplier, READS_CALLBACKS } from '../suppliers.ts'
import type { Base, Reading, Said } from './supplier-answers.ts'
import { honestAnswer, readingIn, readingOf, writeAnswer } from './supplier-answers.ts'

// Supplier that was connected by configuration, and answers as badly as it can. It writes down what each answer may be
// read as.

export const FUZZ_PROVIDER = 'fuzzer'
export const FUZZ_PRODUCT = 'KITA'
/** Products whose bills and options the supplier shows. */
export const BILL_PRODUCT = 'VOLT'
export const OPTIONS_PRODUCT = 'NOVAMY'

const SECRET = 'signs-what-the-fuzzer-sends'

export type FuzzSupplier = {
  /** Answers from now on as is chosen here; without a choice it answers well. What was said until now is forgotten. */
  speak(choose: ((base: Base) => Said) | undefined): void
  /** Returns everything that was said about a payment, and whether its order ever arrived. */
  saidAbout(transactionId: string): About
  /** Counts requests by the first part of their path. */
  asked(): Readonly<Record<string, number>>
  /** Sends a callback with any body, signed as the configuration wants it. */
  callBack(body: Buffer, headers?: Record<string, string>): Promise<Answer>
  close(): void
}

export type About = {
  readonly readings: ReadonlySet<Reading>
  readonly answers: readonly Said[]
  readonly hasArrived: boolean
}

const ANSWERS_MAX = 12

/** Starts the supplier and connects it, as an operator does. */
export async function startFuzzSupplier(service: Service): Promise<FuzzSupplier> {
  const readings = new Map<string, Set<Reading>>()
  const orders = new Set<string>()
  const asked: Record<string, number> = {}
  const answers = new Map<string, Said[]>()
  let choose: (base: Base) => Said = honestAnswer
  const note = (reference: string, reading: Reading | undefined) => {
    const known = readings.get(reference) ?? new Set()
    if (reading !== undefined) known.add(reading)
    readings.set(reference, known)
  }
  const server = createServer((request, response) => {
    void answer(request, response, {
      choose: (base) => choose(base),
      note(reference, said) {
        note(reference, readingIn(said))
        answers.set(reference, [...(answers.get(reference) ?? []), said].slice(-ANSWERS_MAX))
      },
      take: (reference) => orders.add(reference),
      count: (route) => {
        asked[route] = (asked[route] ?? 0) + 1
      },
    })
  })
  // Answers that are not HTTP make the other side hang up.
  server.on('clientError', (_, socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  await connect(service, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return {
    speak: (chosen = honestAnswer) => {
      choose = chosen
      answers.clear()
    },
    saidAbout(transactionId) {
      const isOwn = ([reference]: readonly [string, unknown]) => reference.startsWith(`W${transactionId}-`)
      const own = [...readings].filter(isOwn)
      return {
        readings: new Set(own.flatMap(([, said]) => [...said])),
        answers: [...answers].filter(isOwn).flatMap(([, said]) => said),
        hasArrived: own.some(([reference]) => orders.has(reference)),
      }
    },
    asked: () => asked,
    callBack: (body, headers = {}) => {
      const reference = referenceIn(body)
      if (reference !== undefined) note(reference, readingOf(200, body))
      return callBack(service, body, headers)
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

type Parts = {
  choose(base: Base): Said
  note(reference: string, said: Said): void
  /** Writes down that an order arrived. */
  take(reference: string): void
  count(route: string): void
}

async function answer(request: IncomingMessage, response: ServerResponse, parts: Parts): Promise<void> {
  const body = await readAll(request).catch(() => Buffer.alloc(0))
  const [, route = '', named] = (request.url ?? '').split('/')
  const reference = named ?? referenceIn(body) ?? ''
  parts.count(request.method === 'GET' ? `GET ${route}` : route)
  if (route === 'orders' && request.method === 'POST') parts.take(reference)
  const said = parts.choose({ route, reference })
  if (/^(orders|voids)$/.test(route)) parts.note(reference, said)
  response.on('error', () => {})
  writeAnswer(response, said)
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function referenceIn(body: Buffer): string | undefined {
  try {
    const { reference } = JSON.parse(body.toString()) as { reference?: unknown }
    return typeof reference === 'string' ? reference : undefined
  } catch {
    return undefined
  }
}

async function connect(service: Service, url: string): Promise<void> {
  const config = { base_url: url, timeouts: { submit_ms: 1_000, query_ms: 1_000 } }
  await addSupplier(service, { code: FUZZ_PROVIDER, secret: SECRET, config, callback: READS_CALLBACKS })
  for (const product of [FUZZ_PRODUCT, BILL_PRODUCT, OPTIONS_PRODUCT]) {
    await service.warungd('route', 'set', '--product', product, '--provider', FUZZ_PROVIDER)
  }
}

function callBack({ baseUrl }: Service, body: Buffer, headers: Record<string, string>): Promise<Answer> {
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const signature = createHmac('sha256', SECRET).update(`${timestamp}.`).update(body).digest('hex')
  return exchange({
    baseUrl,
    method: 'POST',
    path: `/callbacks/${FUZZ_PROVIDER}`,
    body,
    headers: {
      'Content-Type': 'application/json',
      'X-Simulator-Timestamp': timestamp,
      'X-Simulator-Signature': signature,
      ...headers,
    },
  })
}
