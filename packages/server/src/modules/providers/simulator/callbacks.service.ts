import http from 'node:http'
import https from 'node:https'
import type { Outcome } from '../port/types.ts'
import { behaviourOf } from './behaviour.rules.ts'
import type { PlannedCallback } from './callbacks.rules.ts'
import { planCallbacks, signCallback } from './callbacks.rules.ts'
import type { Faults } from './faults.service.ts'
import type { BookEntry, CallbackFaultKind, Delivery } from './types.ts'
import { CALLBACK_FAULT_KINDS } from './types.ts'
import { CALLBACK_HEADERS } from './wire.schemas.ts'
import { callbackBodyOf } from './wire.view.ts'

export type CallbackSettings = {
  /** Address of the receiver; undefined: no callbacks, unless a fault names an address. */
  url: string | undefined
  /** Key of the signatures; undefined: they are not signed. */
  secret: string | undefined
}

export type Callbacks = {
  /** Announces an order that was just received. The order's answer waits for the returned promise, if any. */
  announce(entry: BookEntry): Promise<void> | undefined
  /** Lists the latest deliveries, oldest first. */
  list(): readonly Delivery[]
}

export type CallbackDependencies = CallbackSettings & {
  faults: Faults
  nowMs: () => number
  /** Rejects when the server closes. */
  wait: (ms: number) => Promise<void>
  signal: AbortSignal
  outcomeOf: (entry: BookEntry) => Outcome
}

const TRIES_MAX = 3
/** Slack, because a timer may fire a little before the clock. */
const TIMER_SLACK_MS = 20
const RETRY_MS = 1_000
const RECEIVER_TIMEOUT_MS = 10_000
const DELIVERIES_MAX = 10_000
const GARBAGE = '<html><body>Order updated!</body></html>'

/** Sends final outcomes as suppliers do: after the answer, again when nobody accepted it, and sometimes wrongly. */
export function createCallbacks(dependencies: CallbackDependencies): Callbacks {
  const deliveries: Delivery[] = []

  async function sendCallbacks(
    entry: BookEntry,
    url: string,
    kind: CallbackFaultKind | 'none',
  ): Promise<void> {
    const { decidedAfterMs } = behaviourOf(entry.order.account)
    if (decidedAfterMs > 0) await dependencies.wait(decidedAfterMs + TIMER_SLACK_MS)
    for (const planned of planCallbacks(entry.order, dependencies.outcomeOf(entry), kind)) {
      const status = await deliver(dependencies, url, planned)
      deliveries.push({ id: planned.id, reference: entry.order.reference, url, status })
      if (deliveries.length > DELIVERIES_MAX) deliveries.shift()
    }
  }

  return {
    announce(entry) {
      const { account } = entry.order
      const fault = dependencies.faults.take('callback', account)
      const url = fault?.callbackUrl ?? dependencies.url
      if (url === undefined || behaviourOf(account).decidedAfterMs === Number.POSITIVE_INFINITY)
        return undefined
      const kind = CALLBACK_FAULT_KINDS.find((each) => each === fault?.kind) ?? 'none'
      // A server that closes leaves the rest unsent, as a killed one does.
      const sending = () => sendCallbacks(entry, url, kind).catch(() => {})
      if (kind === 'callback_early') return sending()
      setImmediate(() => void sending())
      return undefined
    },
    list: () => deliveries,
  }
}

/** Returns the receiver's last status; null: no answer. */
async function deliver(
  dependencies: CallbackDependencies,
  url: string,
  planned: PlannedCallback,
): Promise<number | null> {
  const content = callbackBodyOf(planned.id, planned.order, planned.outcome)
  const body = planned.isGarbage || content === undefined ? GARBAGE : JSON.stringify(content)
  for (let tries = 1; ; tries += 1) {
    const status = await post(url, body, headersOf(dependencies, planned, body), dependencies.signal)
    const isTaken = status !== null && status >= 200 && status < 300
    if (isTaken || tries === TRIES_MAX) return status
    await dependencies.wait(RETRY_MS)
  }
}

function headersOf(
  { secret, nowMs }: CallbackDependencies,
  { ageMs, isWellSigned }: PlannedCallback,
  body: string,
): Record<string, string> {
  if (secret === undefined) return {}
  const timestamp = String(Math.floor((nowMs() - (ageMs ?? 0)) / 1_000))
  return {
    [CALLBACK_HEADERS.timestamp]: timestamp,
    [CALLBACK_HEADERS.signature]: signCallback(isWellSigned ? secret : `not ${secret}`, timestamp, body),
  }
}

function post(
  url: string,
  body: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<number | null> {
  const { request } = url.startsWith('https:') ? https : http
  return new Promise((resolve) => {
    const outgoing = request(url, {
      method: 'POST',
      // Receivers in tests have certificates of their own.
      rejectUnauthorized: false,
      signal: AbortSignal.any([signal, AbortSignal.timeout(RECEIVER_TIMEOUT_MS)]),
      headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body), ...headers },
    })
    outgoing.on('response', (incoming) => {
      incoming.on('error', () => {})
      incoming.resume()
      resolve(incoming.statusCode ?? null)
    })
    outgoing.on('error', () => resolve(null))
    outgoing.end(body)
  })
}
