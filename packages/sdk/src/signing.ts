import { bytesOf, fromBase64, hmacKey, toBase64, utf8 } from './encoding.ts'

// Signature of a request, as the contract describes it. Each step is a function of its own.

export type Credentials = {
  readonly apiKey: string
  /** Secret in Base64, as the dashboard shows it. */
  readonly signingSecret: string
}

export type SignInput = Credentials & {
  readonly method: string
  /** Query as it is sent, without its question mark. */
  readonly query?: string | undefined
  readonly body?: string | Uint8Array | undefined
  /** Unix time in seconds. */
  readonly timestamp: number | string
  readonly nonce: string
}

export type SignatureHeaders = {
  'X-Api-Key': string
  'X-Timestamp': string
  'X-Nonce': string
  'X-Signature': string
}

export type QueryValue = string | number | boolean | null | undefined
export type Query = Readonly<Record<string, QueryValue | readonly QueryValue[]>>

export async function signRequest(input: SignInput): Promise<SignatureHeaders> {
  const text = await canonicalString(input)
  return {
    'X-Api-Key': input.apiKey,
    'X-Timestamp': String(input.timestamp),
    'X-Nonce': input.nonce,
    'X-Signature': await signatureOf(input.signingSecret, text),
  }
}

export async function canonicalString(
  input: Pick<SignInput, 'method' | 'query' | 'body' | 'timestamp' | 'nonce'>,
): Promise<string> {
  const { method, query = '', body, timestamp, nonce } = input
  return ['v1', timestamp, nonce, method.toUpperCase(), canonicalQuery(query), await bodyHash(body)].join(':')
}

export async function signatureOf(signingSecret: string, text: string): Promise<string> {
  const secret = fromBase64(signingSecret)
  if (secret === undefined || secret.length === 0) throw new TypeError('The signing secret is not Base64.')
  return `v1=${toBase64(await crypto.subtle.sign('HMAC', await hmacKey(secret), utf8(text)))}`
}

export async function bodyHash(body?: string | Uint8Array): Promise<string> {
  return toBase64(await crypto.subtle.digest('SHA-256', bytesOf(body)))
}

/** Sorts a query by name. Parameters without `=` and without a value are left out. */
export function canonicalQuery(query: string): string {
  return query
    .split('&')
    .map((pair) => ({ pair, at: pair.indexOf('=') }))
    .filter(({ pair, at }) => at >= 0 && at < pair.length - 1)
    .map(({ pair, at }) => ({ pair, name: pair.slice(0, at) }))
    .sort((a, b) => byCodes(a.name, b.name))
    .map(({ pair }) => pair)
    .join('&')
}

/** Writes a query as it is sent and signed: sorted, and without parameters that have no value. */
export function encodeQuery(query: Query): string {
  return Object.entries(query)
    .sort(([a], [b]) => byCodes(a, b))
    .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((one) => [name, one] as const))
    .filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([name, value]) => `${escapeText(name)}=${escapeText(String(value))}`)
    .join('&')
}

/** Escapes all but letters, digits and `- . _ ~`, so that no URL parser changes the text on its way. */
export function escapeText(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Makes a nonce: 32 characters that no request had before. */
export function newNonce(): string {
  return crypto.randomUUID().replaceAll('-', '')
}

/** Compares by code unit: `localeCompare` would depend on the machine. */
function byCodes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
