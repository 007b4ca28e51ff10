import { fileURLToPath } from 'node:url'
import { send } from '../http.ts'
import type { Launched } from '../process.ts'
import { launch } from '../process.ts'
import { until } from '../service.ts'

// A reseller's receiver of webhooks, as a process of its own that a test tells what to do.

const PROCESS = fileURLToPath(new URL('./process.js', import.meta.url))

/** The authority that the receiver's certificates come from, for WARUNG_OUTBOUND_CA. */
export const AUTHORITY = fileURLToPath(new URL('./tls/ca.pem', import.meta.url))

/** Lets a service reach the receiver, and nothing else on this machine. */
export const REACHES_RECEIVER = {
  WARUNG_OUTBOUND_ALLOW: '127.0.0.1/32',
  WARUNG_OUTBOUND_CA: AUTHORITY,
} as const

export type Behaviour =
  | {
      kind: 'answer'
      status?: number
      headers?: Record<string, string>
      body?: string
      delayMs?: number
    }
  | { kind: 'hang' | 'drip_headers' | 'drip_body' | 'reset' | 'close' | 'truncated' | 'garbage' }
  | { kind: 'huge'; status?: number }
  | { kind: 'gzip'; body?: string }

export type Received = {
  /** Its place among everything that was received. */
  index: number
  port: 'plain' | 'secure' | 'otherName' | 'untrusted' | 'trap'
  /** By the receiver's clock, in milliseconds. */
  at: number
  method: string
  /** As it stood on the request line. */
  url: string
  path: string
  /** In lower case. */
  headers: Record<string, string>
  /** In their letter case, as sent. */
  names: string[]
  body: string
  bodyBase64: string
  behaviour: Behaviour['kind']
  /** What it was answered with; null: with something that is no answer. */
  status: number | null
  /** The public package's verdict with each secret of the path: `verified`, or what it complained of. */
  standard: string[]
  /** The same for X-Webhook-Signature: `verified`, `wrong` or `absent`. */
  plain: string[]
}

export type Receiver = {
  readonly pid: number
  /** Addresses of the ports. `trap` listens at every address of the machine, so its host is a test's to choose. */
  readonly urls: Readonly<Record<Received['port'], string>>
  readonly trapPort: number
  /** For the requests to come to the path, one each; the last one for all that follow. */
  behave(path: string, ...list: readonly Behaviour[]): Promise<void>
  /** Answers with these codes, the last one for all that follow. */
  answer(path: string, ...statuses: readonly number[]): Promise<void>
  /** The signatures of requests to the path are judged by these. */
  verifyWith(path: string, ...secrets: readonly string[]): Promise<void>
  requests(path?: string, after?: number): Promise<Received[]>
  /** Waits until so many requests have come to the path; fails when there are more. */
  untilReceived(path: string, count: number, deadlineMs?: number): Promise<Received[]>
  counts(): Promise<{
    requests: number
    connections: Record<Received['port'], number>
    most: Record<string, number>
  }>
}

/** Ended by `stopServices`, as everything that was launched. */
export async function startReceiver(): Promise<Receiver> {
  const started = launch({ PATH: process.env.PATH }, { args: [PROCESS] })
  const ports = await untilListening(started)
  const control = `http://127.0.0.1:${ports.control}`
  const tell = async <T>(path: string, json: unknown): Promise<T> => {
    const answer = await send({ baseUrl: control, method: 'POST', path, body: JSON.stringify(json) })
    if (answer.status !== 200) throw new Error(`the receiver answered ${answer.status} to ${path}`)
    return answer.json<T>()
  }
  const behave: Receiver['behave'] = async (path, ...list) => void (await tell('/behaviours', { path, list }))
  const requests: Receiver['requests'] = (path, after) => tell('/requests', { path, after })
  return {
    pid: started.pid,
    urls: {
      plain: `http://127.0.0.1:${ports.plain}`,
      secure: `https://127.0.0.1:${ports.secure}`,
      otherName: `https://127.0.0.1:${ports.otherName}`,
      untrusted: `https://127.0.0.1:${ports.untrusted}`,
      trap: `http://127.0.0.2:${ports.trap}`,
    },
    trapPort: ports.trap,
    behave,
    answer: (path, ...statuses) =>
      behave(path, ...statuses.map((status) => ({ kind: 'answer', status }) as const)),
    verifyWith: async (path, ...list) => void (await tell('/secrets', { path, list })),
    requests,
    async untilReceived(path, count, deadlineMs) {
      const list = await until(
        `${count} requests have come to ${path}`,
        async () => {
          const found = await requests(path)
          return found.length >= count && found
        },
        deadlineMs,
      )
      if (list.length > count) throw new Error(`${list.length} requests have come to ${path}, not ${count}`)
      return list
    },
    counts: () => tell('/counts', {}),
  }
}

type Ports = Record<Received['port'] | 'control', number>

function untilListening(started: Launched): Promise<Ports> {
  return until('the receiver listens', async () => {
    if (started.hasEnded()) {
      await started.ended
      throw new Error(`the receiver ended:\n${started.output()}`)
    }
    const line = /^\{"ports":.*\}$/m.exec(started.output())?.[0]
    return line === undefined ? undefined : (JSON.parse(line) as { ports: Ports }).ports
  })
}
