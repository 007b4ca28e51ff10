import type { ClientSettings, Fetch } from '../settings.ts'

// Service at the other end of `fetch`, for unit tests: it answers by a script, and keeps what it received.

export type Received = {
  readonly method: string
  readonly url: string
  readonly path: string
  readonly query: string
  readonly headers: Record<string, string>
  readonly body: string | undefined
}

/** Next answer. `lost`: the connection breaks. `hang`: nothing comes until the client gives up. */
export type Scripted =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> }
  | 'lost'
  | 'hang'
  | ((received: Received) => Scripted)

export type FakeService = {
  readonly received: Received[]
  readonly settings: ClientSettings
  /** Time of the client's machine in milliseconds; sleeping moves it. */
  clock: { nowMs: number }
  /** Waits that the client asked for. */
  readonly waits: number[]
}

export const START_MS = Date.parse('2026-03-01T00:00:00.250Z')

/** Makes a service with these answers; the last one stays. */
export function fakeService(script: readonly Scripted[], more: Partial<ClientSettings> = {}): FakeService {
  const received: Received[] = []
  const waits: number[] = []
  const clock = { nowMs: START_MS }
  const answer: Fetch = async (url, { method, headers, body, signal }) => {
    const { pathname, search } = new URL(url)
    const incoming = { method, url, path: pathname, query: search.slice(1), headers, body }
    const scripted = script[Math.min(received.length, script.length - 1)]
    received.push(incoming)
    clock.nowMs += 10
    return respond(resolve(scripted, incoming), signal)
  }
  const settings: ClientSettings = {
    baseUrl: 'https://api.example.com/',
    apiKey: 'key-1',
    signingSecret: 'c2VjcmV0',
    fetch: answer,
    now: () => clock.nowMs,
    random: () => 0,
    sleep: async (ms) => {
      waits.push(ms)
      clock.nowMs += ms
    },
    ...more,
  }
  return { received, waits, clock, settings }
}

function resolve(scripted: Scripted | undefined, received: Received): Scripted {
  if (scripted === undefined) throw new Error('the script is empty')
  return typeof scripted === 'function' ? resolve(scripted(received), received) : scripted
}

async function respond(scripted: Scripted, signal: AbortSignal): Promise<Response> {
  if (scripted === 'lost') throw new TypeError('fetch failed')
  if (scripted === 'hang') {
    return new Promise((_, reject) => {
      const abort = () => reject(new DOMException('aborted', 'AbortError'))
      if (signal.aborted) abort()
      signal.addEventListener('abort', abort)
    })
  }
  if (typeof scripted === 'function') throw new Error('resolved before')
  const { status, body, headers = {} } = scripted
  const isText = typeof body === 'string'
  return new Response(status === 204 ? null : isText ? body : JSON.stringify(body ?? {}), {
    status,
    headers: {
      'content-type': isText ? 'text/html' : 'application/json',
      'x-request-id': 'req-1',
      ...headers,
    },
  })
}

/** Answer of a payment in a state. */
export function paymentIn(status: string, statusCode: number): Scripted {
  return {
    status: 200,
    body: { data: { refid: 'A-1', transaction_id: '7', status, statusCode, remarks: '' } },
  }
}
