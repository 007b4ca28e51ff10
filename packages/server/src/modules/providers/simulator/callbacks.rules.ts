import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { Outcome } from '../port/types.ts'
import type { CallbackFaultKind, SimulatedOrder } from './types.ts'

/** One message to send, as the supplier builds it. */
export type PlannedCallback = {
  readonly id: string
  readonly order: Pick<SimulatedOrder, 'reference' | 'amount'>
  readonly outcome: Outcome
  /** Age of the signature; null: signed when it is sent. */
  readonly ageMs: number | null
  readonly isWellSigned: boolean
  /** True when unreadable text is sent instead. */
  readonly isGarbage: boolean
}

const OLD_MS = 3_600_000
const PENDING: Outcome = { kind: 'pending' }

/** Plans the messages about a decided order, in the order of sending. */
export function planCallbacks(
  order: Pick<SimulatedOrder, 'reference' | 'amount'>,
  outcome: Outcome,
  fault: CallbackFaultKind | 'none',
): PlannedCallback[] {
  const truth = messageOf(order, outcome)
  switch (fault) {
    case 'none':
    case 'callback_early':
      return [truth]
    case 'callback_missing':
      return []
    case 'callback_twice':
      return [truth, truth]
    case 'callback_contradicted':
      return [messageOf(order, oppositeOf(outcome)), truth]
    case 'callback_pending_after':
      return [truth, messageOf(order, PENDING)]
    case 'callback_wrong_amount':
      return [{ ...truth, order: { ...order, amount: order.amount * 10n } }]
    case 'callback_bad_signature':
      return [{ ...truth, isWellSigned: false }]
    case 'callback_old':
      return [{ ...truth, ageMs: OLD_MS }]
    case 'callback_garbage':
      return [{ ...truth, isGarbage: true }]
  }
}

function messageOf(order: PlannedCallback['order'], outcome: Outcome): PlannedCallback {
  // Equal news has an equal id, however often it is sent.
  const id = `evt_${hash('sha256', `${order.reference} ${outcome.kind}`, 'hex').slice(0, 24)}`
  return { id, order, outcome, ageMs: null, isWellSigned: true, isGarbage: false }
}

function oppositeOf(outcome: Outcome): Outcome {
  if (outcome.kind === 'succeeded') return { kind: 'failed', code: 48, reason: 'Rejected by the provider' }
  const output = { serialNumber: 'SIM0000000000000000', pin: '', expiry: '', voucherLink: '', note: '' }
  return { kind: 'succeeded', output }
}

/** Returns the HMAC-SHA256 in hex of `<timestamp>.<body>`. */
export function signCallback(secret: string, timestamp: string, body: Buffer | string): string {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')
}

/** Compares in the same time wherever they differ. */
export function isSameText(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'))
}

export const SIGNATURE_AGE_MAX_MS = 300_000

/** Tells whether a timestamp in seconds is within the tolerance of now, before or after. */
export function isFresh(timestamp: string, nowMs: number): boolean {
  return /^\d{1,12}$/.test(timestamp) && Math.abs(nowMs - Number(timestamp) * 1_000) <= SIGNATURE_AGE_MAX_MS
}
