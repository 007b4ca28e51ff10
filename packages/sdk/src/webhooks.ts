import { bytesOf, fromBase64, fromHex, hmacKey, toBase64, toHex, utf8 } from './encoding.ts'
import { InvalidWebhook } from './errors.ts'
import type { BalanceChange, CallbackPayment, CatalogChange, OrderEnd } from './types.generated.ts'

// Verification of callbacks and webhooks, and signatures for the tests of a receiver.

export type WebhookRequest = {
  /** GET or POST; by default POST. */
  readonly method?: string | undefined
  /** Address or path with its query, as it was received; needed for GET. */
  readonly url?: string | undefined
  readonly headers:
    | { get(name: string): string | null }
    | Readonly<Record<string, string | readonly string[] | undefined>>
  /** Exact text or bytes that were received. */
  readonly body?: string | Uint8Array | undefined
}

export type VerifyOptions = {
  /** Secrets that may have signed: during a rotation the new and the old one. */
  readonly secrets: readonly string[]
  /** Greatest difference between the time of signing and now. */
  readonly toleranceSeconds?: number | undefined
  /** Present time in Unix seconds. */
  readonly now?: number | undefined
}

type Verified = {
  /** Event's id: equal in every attempt and replay. */
  readonly id: string
  readonly signedAt: Date
  /** True: a sample that was asked for, and no event. */
  readonly isTest: boolean
}

export type WebhookEvent =
  | (Verified & { readonly stream: 'callback'; readonly payload: CallbackPayment })
  | (Verified & { readonly stream: 'balance'; readonly payload: BalanceChange })
  | (Verified & { readonly stream: 'catalog'; readonly payload: CatalogChange })
  | (Verified & { readonly stream: 'order'; readonly payload: OrderEnd })

const TOLERANCE_SECONDS = 300
const PREFIX = 'whsec_'
const VERSION = 'v1,'
/** Begin of the id of a sample. The id is signed; the header X-Webhook-Test is not. */
const TEST_PREFIX = 'evt_test_'

/** Verifies a request of any stream and reads its event. Throws InvalidWebhook. */
export async function verifyWebhook(request: WebhookRequest, options: VerifyOptions): Promise<WebhookEvent> {
  const { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() / 1_000 } = options
  const id = headerOf(request, 'webhook-id')
  const timestamp = headerOf(request, 'webhook-timestamp')
  const signatures = headerOf(request, 'webhook-signature')
  if (id === '' || signatures === '' || !/^\d{1,12}$/.test(timestamp)) {
    throw new InvalidWebhook(
      'missing_headers',
      'A webhook has webhook-id, webhook-timestamp and webhook-signature.',
    )
  }
  if (Math.abs(now - Number(timestamp)) > toleranceSeconds) {
    throw new InvalidWebhook(
      'timestamp_out_of_window',
      'The webhook was signed too long ago, or in the future.',
    )
  }
  const isGet = request.method?.toUpperCase() === 'GET'
  const payload = isGet ? utf8(queryOf(request.url ?? '')) : bytesOf(request.body)
  if (!(await isSigned(`${id}.${timestamp}.`, payload, signatures, options.secrets))) {
    throw new InvalidWebhook('wrong_signature', 'No signature of the webhook fits a known secret.')
  }
  const event = readEvent(new TextDecoder().decode(payload), isGet)
  return { ...event, id, signedAt: new Date(Number(timestamp) * 1_000), isTest: id.startsWith(TEST_PREFIX) }
}

/** Compares every signature with every secret, so that the time says nothing. Web Crypto compares in constant time. */
async function isSigned(
  head: string,
  payload: Uint8Array,
  signatures: string,
  secrets: readonly string[],
): Promise<boolean> {
  const content = concat(utf8(head), payload)
  const given = signatures
    .split(' ')
    .filter((each) => each.startsWith(VERSION))
    .map((each) => fromBase64(each.slice(VERSION.length)) ?? new Uint8Array(0))
  let isOurs = false
  for (const secret of secrets) {
    const key = await hmacKey(keyOf(secret))
    for (const signature of given) {
      if (await crypto.subtle.verify('HMAC', key, signature, content)) isOurs = true
    }
  }
  return isOurs
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const key = fromBase64(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret)
  if (key === undefined || key.length === 0) throw new TypeError('A webhook secret is whsec_ and Base64.')
  return key
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(first.length + second.length)
  whole.set(first)
  whole.set(second, first.length)
  return whole
}

/** Verifies `X-Webhook-Signature` alone. It covers no time: prefer verifyWebhook, which refuses replays. */
export async function verifyBodySignature(
  body: string | Uint8Array,
  header: string,
  secrets: readonly string[],
): Promise<boolean> {
  const signature = fromHex(/^sha256=([0-9a-f]{64})$/.exec(header)?.[1] ?? '') ?? new Uint8Array(0)
  let isOurs = false
  for (const secret of secrets) {
    const key = await hmacKey(utf8(secret))
    if (await crypto.subtle.verify('HMAC', key, signature, bytesOf(body))) isOurs = true
  }
  return isOurs
}

export type SignWebhookInput = {
  readonly id: string
  /** Unix time in seconds. */
  readonly timestamp: number
  /** Text of the body; of a GET callback its query, without the question mark. */
  readonly payload: string
  /** Secrets that sign, the newest first. */
  readonly secrets: readonly string[]
  /** True: a webhook, which carries `X-Webhook-Signature` too; callbacks do not. */
  readonly hasBodySignature?: boolean | undefined
}

/** Makes the headers of a delivery as the service does. */
export async function signWebhook(input: SignWebhookInput): Promise<Record<string, string>> {
  const { id, timestamp, payload, secrets } = input
  const content = utf8(`${id}.${timestamp}.${payload}`)
  const signatures = await Promise.all(
    secrets.map(async (secret) => {
      const signature = await crypto.subtle.sign('HMAC', await hmacKey(keyOf(secret)), content)
      return VERSION + toBase64(signature)
    }),
  )
  const headers: Record<string, string> = {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
  const [newest] = secrets
  if (input.hasBodySignature !== true || newest === undefined) return headers
  const signature = await crypto.subtle.sign('HMAC', await hmacKey(utf8(newest)), utf8(payload))
  return { ...headers, 'X-Webhook-Signature': `sha256=${toHex(signature)}` }
}

// ── Reading ──

type Read =
  | { readonly stream: 'callback'; readonly payload: CallbackPayment }
  | { readonly stream: 'balance'; readonly payload: BalanceChange }
  | { readonly stream: 'catalog'; readonly payload: CatalogChange }
  | { readonly stream: 'order'; readonly payload: OrderEnd }

function readEvent(text: string, isGet: boolean): Read {
  // The service appends its parameters to the query that the URL has: the last one is its own.
  const json = isGet ? (new URLSearchParams(text).getAll('message').at(-1) ?? '') : text
  const value = parse(json)
  if (isGet) return { stream: 'callback', payload: value as unknown as CallbackPayment }
  if (typeof value.resource === 'string')
    return { stream: 'catalog', payload: value as unknown as CatalogChange }
  if (typeof value.type === 'string' && value.type.startsWith('order.'))
    return { stream: 'order', payload: value as unknown as OrderEnd }
  if (typeof value.type === 'string') return { stream: 'balance', payload: value as unknown as BalanceChange }
  if (typeof value.data === 'object' && value.data !== null) {
    return { stream: 'callback', payload: value.data as CallbackPayment }
  }
  throw unreadable()
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value = JSON.parse(text) as unknown
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>
    }
  } catch {
    // Told below, like every other text that is no event.
  }
  throw unreadable()
}

function unreadable(): InvalidWebhook {
  return new InvalidWebhook('unreadable', 'The webhook is signed, but its content is no event.')
}

function queryOf(url: string): string {
  const at = url.indexOf('?')
  return at < 0 ? '' : (url.slice(at + 1).split('#', 1)[0] ?? '')
}

function headerOf({ headers }: WebhookRequest, name: string): string {
  if (typeof headers.get === 'function') return (headers as Headers).get(name) ?? ''
  const found = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1]
  return (typeof found === 'string' ? found : found?.[0]) ?? ''
}
