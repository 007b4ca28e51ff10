import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { Node } from '../edge.ts'
import type { Answer, SignedInput } from '../http.ts'
import { signed } from '../http.ts'
import type { Payer } from '../payments.ts'
import { createPayer } from '../payments.ts'
import type { Received, Receiver } from '../receiver/receiver.ts'
import { until } from '../service.ts'

// Reseller that receives events: its configuration, its receiver's requests, and its log.

export type Hook = 'callback-url' | 'balance-webhook' | 'catalog-webhook' | 'order-webhook'

/** Delivery as the log shows it. */
export type Delivery = {
  id: string
  eventId: string
  status: 'pending' | 'success' | 'failed'
  error: string
  retryCount: number
  retryLimit: number
  createdAt: string
  completedAt: string | null
  webhookUrl: string
  webhookMethod: string
  replayCount: number
  originalJobId: string | null
  payload: Record<string, unknown>
  webhookPayload: Record<string, unknown>
  responseCode: number
  responseStatusCode: number
  responseBody: string
}

export type Attempt = { at: string; durationMs: number; responseStatusCode: number; error: string }

export type Subscriber = Payer & {
  /** Sends a signed request. */
  call(method: string, path: string, json?: unknown): Promise<Answer>
  /** Sends a signed request that must succeed. */
  ask<T = Record<string, unknown>>(method: string, path: string, json?: unknown): Promise<T>
  /** Sets the callback URL; returns the secret that signs from now on. */
  setCallback(url: string, method: 'GET' | 'POST'): Promise<string>
  /** Configures a webhook; returns its secret. */
  setWebhook(hook: Exclude<Hook, 'callback-url'>, url: string): Promise<string>
  deliveries(hook: Hook, query?: string): Promise<Delivery[]>
  attempts(hook: Hook, id: string): Promise<Attempt[]>
  /** Waits until the log shows `count` finished deliveries, oldest first. Fails when there are more. */
  untilFinished(hook: Hook, count: number, deadlineMs?: number): Promise<Delivery[]>
  /** Moves the account's test clock. */
  advance(seconds: number): Promise<void>
}

/** Makes a reseller for the test with this amount in its wallet. */
export async function createSubscriber(service: Node, ringgit: string | null): Promise<Subscriber> {
  return subscriberAt(service, await createPayer(service, ringgit))
}

export function subscriberAt(service: Pick<Node, 'baseUrl'>, payer: Payer): Subscriber {
  const call: Subscriber['call'] = (method, path, json) => {
    const input: SignedInput = { method, path, ...(json !== undefined && { json }) }
    return signed(service.baseUrl, payer.credentials, input)
  }
  const ask: Subscriber['ask'] = async <T>(method: string, path: string, json?: unknown) => {
    const answer = await call(method, path, json)
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer.json<T>()
  }
  const deliveries: Subscriber['deliveries'] = async (hook, query = 'limit=100') =>
    (await ask<{ deliveries: Delivery[] }>('GET', `/v2/${hook}/deliveries?${query}`)).deliveries
  return {
    ...payer,
    call,
    ask,
    async setCallback(url, method) {
      await ask('POST', `/v2/callback-url?method=${method}&url=${encodeURIComponent(url)}`)
      return secretIn(await ask('POST', '/v2/callback-url/secret/rotate'))
    },
    setWebhook: async (hook, url) => secretIn(await ask('PUT', `/v2/${hook}`, { url })),
    deliveries,
    attempts: async (hook, id) =>
      (await ask<{ attempts: Attempt[] }>('GET', `/v2/${hook}/deliveries/${id}/attempts`)).attempts,
    async untilFinished(hook, count, deadlineMs) {
      const list = await until(
        `${count} deliveries are finished`,
        async () => {
          const found = await deliveries(hook)
          return found.length >= count && found
        },
        deadlineMs,
      )
      expect(list).toHaveLength(count)
      return list.reverse()
    },
    advance: async (seconds) => void (await ask('POST', `/v2/test-clock?advance_seconds=${seconds}`)),
  }
}

function secretIn({ webhook_secret: secret }: Record<string, unknown>): string {
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  return String(secret)
}

export function newPath(): string {
  return `/${randomBytes(6).toString('hex')}`
}

/** Sets a callback URL of its own at the receiver, which verifies the requests with the secret. */
export async function subscribeCallback(
  receiver: Receiver,
  subscriber: Subscriber,
  method: 'GET' | 'POST',
  query = '',
): Promise<string> {
  const path = newPath()
  await receiver.verifyWith(
    path,
    await subscriber.setCallback(`${receiver.urls.plain}${path}${query}`, method),
  )
  return path
}

/** Configures a webhook in the same way, over TLS, which the catalog's webhook needs everywhere. */
export async function subscribeWebhook(
  receiver: Receiver,
  subscriber: Subscriber,
  hook: Exclude<Hook, 'callback-url'>,
): Promise<string> {
  const path = newPath()
  await receiver.verifyWith(path, await subscriber.setWebhook(hook, `${receiver.urls.secure}${path}`))
  return path
}

// ── Received requests ──

export function jsonOf<T = Record<string, unknown>>(received: Received): T {
  return JSON.parse(received.body) as T
}

/** Expects a request that is signed as the public package requires, with the one secret of its path. */
export function expectSigned(received: Received, isWebhook: boolean): void {
  expect(received.standard).toEqual(['verified'])
  expect(received.plain).toEqual([isWebhook ? 'verified' : 'absent'])
  expect(received.headers['webhook-id']).toMatch(/^evt_\S+$/)
  if (received.method === 'POST') expect(received.headers['content-type']).toBe('application/json')
}
