import { fileURLToPath } from 'node:url'
import { send } from '../http.ts'
import type { Launched } from '../process.ts'
import { launch } from '../process.ts'
import { until } from '../service.ts'

// Reseller's receiver of webhooks, a process that a test controls.

const PROCESS = fileURLToPath(new URL('./process.js', import.meta.url))

/** Authority of the receiver's certificates, for WARUNG_OUTBOUND_CA. */
export const AUTHORITY = fileURLToPath(new URL('./tls/ca.pem', import.meta.url))

/** Settings that let a service reach the receiver, and nothing else on this machine. */
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
  /** Position among all received requests. */
  index: number
  port: 'plain' | 'secure' | 'otherName' | 'untrusted' | 'trap'
  /** Time by the receiver's clock, in milliseconds. */
  at: number
  method: string
  /** URL as it was on the request line. */
  url: string
  path: string
  /** Headers with names in lower case. */
  headers: Record<string, string>
  /** Names of the headers in their letter case, as sent. */
  names: string[]
  body: string
  bodyBase64: string
  behaviour: Behaviour['kind']
  /** Status of the answer; null: what was sent is not an answer. */
  status: number | null
  /** Verdict of the public package with each secret of the path: `verified`, or its error. */
  standard: string[]
  /** Verdict on X-Webhook-Signature: `verified`, `wrong` or `absent`. */
  plain: string[]
}

export type Receiver = {
  readonly pid: number
  /** Addresses of the ports. `trap` listens on every address of the machine, so a test chooses its host. */
  readonly urls: Readonly<Record<Received['port'], string>>
  readonly trapPort: number
  /** Sets the behaviour of the next requests to the path, one each; the last one is for all that follow. */
  behave(path: string, ...list: readonly Behaviour[]): Promise<void>
  /** Answers with these codes, the last one for all that follow. */
  answer(path: string, ...statuses: readonly number[]): Promise<void>
  /** Sets the secrets with which requests to the path are verified. */
  verifyWith(path: string, ...secrets: readonly string[]): Promise<void>
  requests(path?: string, after?: number): Promise<Received[]>
  /** Waits until `count` requests have come to the path. Fails when there are more. */
  untilReceived(path: string, count: number, deadlineMs?: number): Promise<Received[]>
  counts(): Promise<{
    requests: number
    connections: Record<Received['port'], number>
    most: Record<string, number>
  }>
}

/** Starts a receiver. `stopServices` ends it, like everything that was launched. */
export async function startReceiver(): Promise<Receiver> {
  const started = launch({ PATH: process.env.PATH }, { executable: process.execPath, args: [PROCESS] })
  const ports = await untilListening(started)
  const control = `http://127.0.0.1:${ports.control}`
  const command = async <T>(path: string, json: unknown): Promise<T> => {
    const answer = await send({ baseUrl: control, method: 'POST', path, body: JSON.stringify(json) })
    if (answer.status !== 200) throw new Error(`the receiver answered ${answer.status} to ${path}`)
    return answer.json<T>()
  }
  const behave: Receiver['behave'] = async (path, ...list) =>
    void (await command('/behaviours', { path, list }))
  const requests: Receiver['requests'] = (path, after) => command('/requests', { path, after })
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
    verifyWith: async (path, ...list) => void (await command('/secrets', { path, list })),
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
    counts: () => command('/counts', {}),
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
