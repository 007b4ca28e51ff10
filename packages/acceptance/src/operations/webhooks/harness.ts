import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import type { TestReseller } from '../../edge.ts'
import type { Answer } from '../../http.ts'
import { signed } from '../../http.ts'
import type { Service } from '../../service.ts'
import { until } from '../../service.ts'
import { boolean, list, mapOf, matching, nullable, number, object, oneOf, text, words } from '../../shapes.ts'

// Helpers of the tests of the three streams' receivers. One service serves them all; every test makes its own reseller.

export type Bench = {
  readonly service: Service
  /** Receiver that answers with the status that its path names: /400, /200/anything. */
  readonly receiverUrl: string
  /** Returns an account that is only ever refused. Tests of refusals share it, and check that it stays empty. */
  refused(): Promise<TestReseller>
}

export const SENDERS = ['203.0.113.7', '2001:db8::/48']

/** Settings under which local receivers may be reached. */
export const ENVIRONMENT = {
  WARUNG_OUTBOUND_ALLOW: '127.0.0.0/8',
  WARUNG_SENDER_ADDRESSES: SENDERS.join(', '),
}

export const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/
export const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

export type Receiver = { readonly url: string; close(): Promise<void> }

export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    request.resume()
    response.statusCode = Number(/^\/(\d{3})/.exec(request.url ?? '')?.[1] ?? 200)
    response.end(`answered ${response.statusCode}`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export function call(
  { service }: Bench,
  reseller: TestReseller,
  method: string,
  path: string,
  json?: unknown,
): Promise<Answer> {
  return signed(service.baseUrl, reseller, { method, path, ...(json !== undefined && { json }) })
}

export async function callOk<T>(...args: Parameters<typeof call>): Promise<T> {
  const answer = await call(...args)
  expect(answer.status, `${args[2]} ${args[3]}: ${answer.text}`).toBe(200)
  return answer.json<T>()
}

// ── Deliveries ──

const anything = () => []
const event = nullable(mapOf(anything))

/** Shape with exactly the contract's members. */
const deliveryShape = object({
  id: matching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  eventId: words,
  status: oneOf('success', 'failed', 'pending'),
  error: text,
  retryCount: number,
  retryLimit: number,
  createdAt: matching(INSTANT),
  completedAt: nullable(matching(INSTANT)),
  webhookUrl: words,
  webhookMethod: oneOf('GET', 'POST'),
  replayCount: number,
  originalJobId: nullable(words),
  payload: event,
  webhookPayload: event,
  responseCode: number,
  responseStatusCode: number,
  responseBody: text,
})

const pageShape = object({ deliveries: list(deliveryShape), cursor: nullable(words), hasMore: boolean })

export type Delivery = {
  id: string
  eventId: string
  status: string
  error: string
  retryCount: number
  retryLimit: number
  createdAt: string
  webhookUrl: string
  replayCount: number
  originalJobId: string | null
  payload: Record<string, unknown>
  webhookPayload: Record<string, unknown>
  responseCode: number
  responseStatusCode: number
  responseBody: string
}

export type Page = { deliveries: Delivery[]; cursor: string | null; hasMore: boolean }

export async function readPage(bench: Bench, reseller: TestReseller, path: string): Promise<Page> {
  const page = await callOk<Page>(bench, reseller, 'GET', path)
  expect(pageShape(page, 'page')).toEqual([])
  expect(page.hasMore).toBe(page.cursor !== null)
  return page
}

export async function readDelivery(
  bench: Bench,
  reseller: TestReseller,
  base: string,
  id: string,
): Promise<Delivery> {
  const delivery = await callOk<Delivery>(bench, reseller, 'GET', `${base}/deliveries/${id}`)
  expect(deliveryShape(delivery, 'delivery')).toEqual([])
  return delivery
}

/** Waits until `count` deliveries have ended; newest first. */
export function untilEnded(
  bench: Bench,
  reseller: TestReseller,
  base: string,
  count: number,
): Promise<Delivery[]> {
  return until(`${count} deliveries of ${base} have ended`, async () => {
    const { deliveries } = await readPage(bench, reseller, `${base}/deliveries?limit=100`)
    return deliveries.length >= count && deliveries
  })
}

export async function untilOver(
  bench: Bench,
  reseller: TestReseller,
  base: string,
  id: string,
): Promise<Delivery> {
  return until(`the delivery ${id} has ended`, async () => {
    const delivery = await readDelivery(bench, reseller, base, id)
    return delivery.status !== 'pending' && delivery
  })
}
