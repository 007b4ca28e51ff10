import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { signed } from '../http.ts'
import type { PaymentData } from '../payments.ts'
import { TOPUP } from '../payments.ts'
import type { Credentials } from '../signing.ts'

// Correct clients: each pays, and sends the same body with a new signature to the next address until it gets an answer.

export type Body = { refid: string; product: string; account: string; amount: number }

/** Log of one payment as its client knows it. */
export type Logged = {
  readonly body: Body
  readonly firstSentMs: number
  /** Answers 200, each an acknowledgement. */
  readonly acknowledged: { atMs: number; transactionId: string }[]
  /** Answer 4xx: the client was told that nothing was done. */
  rejected?: string
  /** Requests that got no answer, or 5xx. */
  unanswered: number
}

export type Load = {
  readonly log: readonly Logged[]
  /** Pays once at one address, until it is acknowledged there. */
  payAt(address: string): Promise<Logged>
  /** Time until the first payment that was sent after `atMs` was acknowledged. */
  firstAfter(atMs: number): number | undefined
  /** Longest time since `atMs` in which no client got an answer. */
  longestGap(atMs: number): number
  /** Ends when each client has the answer to its last payment. */
  stop(): Promise<void>
}

const SUCCEEDS = '60123456789'
export const FAILS = '60123450048'
const DELAYED = '60123451001'
const ACCOUNTS = [SUCCEEDS, SUCCEEDS, FAILS, SUCCEEDS, DELAYED] as const
const CLIENTS = 6
const PAUSE_MS = 200
const ANSWER_WITHIN_MS = 10_000

/** Starts clients that pay at all addresses in turn. */
export function startLoad(credentials: Credentials, addresses: readonly string[]): Load {
  const log: Logged[] = []
  let isStopping = false

  const begin = (account: string): Logged => {
    const body = { refid: `crash-${randomBytes(8).toString('hex')}`, product: 'KITA', account, amount: 10 }
    const logged: Logged = { body, firstSentMs: Date.now(), acknowledged: [], unanswered: 0 }
    log.push(logged)
    return logged
  }

  const client = async (index: number) => {
    for (let turn = index; !isStopping; turn += 1) {
      const logged = begin(ACCOUNTS[turn % ACCOUNTS.length] ?? SUCCEEDS)
      for (let attempt = 0; !(await sendOnce(credentials, addressAt(turn + attempt), logged)); attempt += 1) {
        await delay(PAUSE_MS)
      }
      await delay(PAUSE_MS)
    }
  }
  const addressAt = (number: number) => addresses[number % addresses.length] ?? ''
  const running = Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(index)))

  return {
    log,
    async payAt(address) {
      const logged = begin(SUCCEEDS)
      while (!(await sendOnce(credentials, address, logged))) await delay(PAUSE_MS)
      return logged
    },
    firstAfter(atMs) {
      const answers = log
        .filter(({ firstSentMs }) => firstSentMs >= atMs)
        .flatMap((each) => each.acknowledged)
      const first = Math.min(...answers.map((answer) => answer.atMs))
      return Number.isFinite(first) ? first - atMs : undefined
    },
    longestGap(atMs) {
      const times = log.flatMap(({ acknowledged }) => acknowledged.map((answer) => answer.atMs))
      const after = [...times.filter((time) => time > atMs), Date.now()].sort((a, b) => a - b)
      return Math.max(...after.map((time, index) => time - (after[index - 1] ?? atMs)))
    },
    async stop() {
      isStopping = true
      await running
    },
  }
}

/** Sends a payment once; true: it is answered for good. */
async function sendOnce(credentials: Credentials, address: string, logged: Logged): Promise<boolean> {
  const input = { method: 'POST', path: TOPUP, json: logged.body, timeoutMs: ANSWER_WITHIN_MS }
  const answer = await signed(address, credentials, input).catch(() => undefined)
  if (answer?.status === 200) {
    const { data } = answer.json<{ data: PaymentData }>()
    logged.acknowledged.push({ atMs: Date.now(), transactionId: data.transaction_id })
    return true
  }
  if (answer !== undefined && answer.status < 500) {
    logged.rejected = `${answer.status} ${answer.text}`
    return true
  }
  logged.unanswered += 1
  return false
}
