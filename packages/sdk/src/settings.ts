import { fromBase64 } from './encoding.ts'
import { RETRY_BASE_MS } from './retry.ts'

export type Attempt = {
  readonly method: string
  readonly path: string
  /** Counted from 1. */
  readonly attempt: number
  readonly durationMs: number
  readonly status?: number | undefined
  readonly requestId?: string | undefined
  readonly failure?: 'connection' | 'timeout' | undefined
}

/** Parts of `fetch` that the client uses. */
export type Fetch = (
  url: string,
  init: {
    method: string
    headers: Record<string, string>
    body?: string
    signal: AbortSignal
    redirect: 'manual'
  },
) => Promise<{
  readonly status: number
  readonly headers: { get(name: string): string | null }
  text(): Promise<string>
}>

export type ClientSettings = {
  /** Address of the service, such as `https://api.example.com`. */
  readonly baseUrl: string
  readonly apiKey: string
  /** Signing secret in Base64, as the dashboard shows it. */
  readonly signingSecret: string
  /** Release of the contract. */
  readonly apiVersion?: string | undefined
  /** Time for one attempt. */
  readonly timeoutMs?: number | undefined
  /** First wait of the retry policy. */
  readonly retryBaseMs?: number | undefined
  /** Is called after every attempt, for logs. */
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined
  readonly fetch?: Fetch | undefined
  /** Local time in milliseconds. */
  readonly now?: (() => number) | undefined
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined
  /** Returns a number from 0 to 1. */
  readonly random?: (() => number) | undefined
}

export type Settings = {
  readonly baseUrl: string
  readonly apiKey: string
  readonly signingSecret: string
  readonly apiVersion: string
  readonly timeoutMs: number
  readonly retryBaseMs: number
  readonly onAttempt: (attempt: Attempt) => void
  readonly fetch: Fetch
  readonly now: () => number
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  readonly random: () => number
}

const API_VERSION = '2026-09-16'
/** Longer than the 29 seconds after which the service itself answers 504. */
const TIMEOUT_MS = 35_000

/** Completes settings. A mistake is told at once, and not at the first request. */
export function readSettings(given: ClientSettings): Settings {
  for (const name of ['baseUrl', 'apiKey', 'signingSecret'] as const) {
    if (typeof given[name] !== 'string' || given[name] === '') {
      throw new TypeError(`createClient needs ${name}.`)
    }
  }
  if (!/^https?:\/\//.test(given.baseUrl)) throw new TypeError('baseUrl begins with https:// or http://.')
  // Told here: in a request it would look like a network that is away, and leave a payment unknown.
  if (!isPlainAddress(given.baseUrl)) {
    throw new TypeError('baseUrl is not an address, or has credentials, a query or a fragment.')
  }
  if (!/^[!-~]+$/.test(given.apiKey.trim())) {
    throw new TypeError('apiKey has a character that no key has: copy it as the dashboard shows it.')
  }
  if (!fromBase64(given.signingSecret)?.length) {
    throw new TypeError('signingSecret is not Base64: copy it as the dashboard shows it.')
  }
  return {
    baseUrl: given.baseUrl.replace(/\/+$/, ''),
    apiKey: given.apiKey,
    signingSecret: given.signingSecret,
    apiVersion: given.apiVersion ?? API_VERSION,
    timeoutMs: given.timeoutMs ?? TIMEOUT_MS,
    retryBaseMs: given.retryBaseMs ?? RETRY_BASE_MS,
    onAttempt: given.onAttempt ?? (() => {}),
    fetch: given.fetch ?? ((url, init) => fetch(url, init)),
    now: given.now ?? Date.now,
    sleep: given.sleep ?? sleep,
    random: given.random ?? Math.random,
  }
}

/** Returns true for an address that `fetch` takes, and to which a path can be appended. */
function isPlainAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { username, password, search, hash } = new URL(text)
  return username + password + search + hash === ''
}

/** Waits. An aborted signal ends the wait early, without an error. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve()
      return
    }
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
  })
}
