import { hash } from 'node:crypto'
import type { FailureCode } from '../../../lib/failure-codes.ts'
import type { FulfilledOutput, Order, Outcome, VoidAnswer } from '../port/types.ts'
import type { Fulfilment, FulfilmentOf } from './types.ts'

/** Behaviour of the orders of an account. */
export type Behaviour = {
  /** True when the submission itself is answered; otherwise only a query tells the outcome. */
  readonly answers: boolean
  /** Time from submission to decision; Infinity: never decided. */
  readonly decidedAfterMs: number
  /** Code of the failure; null: it succeeds. */
  readonly failure: FailureCode | null
  /** Answer to a request to void it. */
  readonly voiding: 'approved' | 'refused' | 'pending'
}

/** Behaviour of every account that is not a test account. */
const ORDINARY: Behaviour = { answers: true, decidedAfterMs: 0, failure: null, voiding: 'pending' }

const TEST_ACCOUNT_PREFIX = '6012345'
const REJECTED: FailureCode = 48

/** Accounts that are decided after as many seconds as their last three digits say; `SSS` stands for these digits. */
const DELAYED: readonly {
  readonly shown: string
  readonly form: RegExp
  readonly failure: FailureCode | null
}[] = [
  { shown: '60123451SSS', form: /^60123451(\d{3})$/, failure: null },
  { shown: '60123452SSS', form: /^60123452(\d{3})$/, failure: REJECTED },
]

const TEST_ACCOUNTS: ReadonlyMap<string, Behaviour> = new Map([
  ...Object.entries({
    '60123450045': 45,
    '60123450047': 47,
    '60123450048': 48,
    '60123450052': 52,
    '60123450464': 54,
    '60123450055': 55,
    '60123450056': 56,
    '60123450057': 57,
    '60123450861': 61,
    '60123450062': 62,
  } as const).map(([account, failure]): [string, Behaviour] => [account, { ...ORDINARY, failure }]),
  ['60123453001', { ...ORDINARY, answers: false }],
  ['60123453002', { ...ORDINARY, answers: false, failure: REJECTED }],
  ['60123453003', { ...ORDINARY, answers: false, decidedAfterMs: Number.POSITIVE_INFINITY }],
  ['60123454001', { ...ORDINARY, voiding: 'approved' }],
  ['60123454002', { ...ORDINARY, voiding: 'refused' }],
])

export function behaviourOf(account: string): Behaviour {
  if (!account.startsWith(TEST_ACCOUNT_PREFIX)) return ORDINARY
  const known = TEST_ACCOUNTS.get(account)
  if (known !== undefined) return known
  for (const { form, failure } of DELAYED) {
    const seconds = form.exec(account)?.[1]
    if (seconds !== undefined) return { ...ORDINARY, decidedAfterMs: Number(seconds) * 1_000, failure }
  }
  return ORDINARY
}

/** Test account with its behaviour. In a delayed one `SSS` stands for the seconds, and the time is null. */
export type TestAccount = { readonly account: string } & Omit<Behaviour, 'decidedAfterMs'> & {
    readonly decidedAfterMs: number | null
  }

/** Lists the test accounts of the simulator, for the documentation. */
export function listTestAccounts(): TestAccount[] {
  return [
    ...[...TEST_ACCOUNTS].map(([account, behaviour]) => ({ account, ...behaviour })),
    ...DELAYED.map(({ shown, failure }) => ({ ...ORDINARY, account: shown, failure, decidedAfterMs: null })),
  ]
}

const FAILURE_REASONS: Readonly<Record<FailureCode, string>> = {
  45: 'Out of stock',
  47: 'Service unavailable',
  48: 'Rejected by the provider',
  52: 'Invalid account number',
  54: 'Duplicate payment or daily limit reached',
  55: 'Timed out at the provider',
  56: 'Account blacklisted',
  57: 'Number not eligible',
  61: 'Invalid denomination',
  62: 'Identity check failed',
}

const NEVER_KNOWN: Outcome = { kind: 'unknown', reason: 'the provider cannot say what became of it' }

/** Part of an order that decides its outcome. */
export type Submitted = Pick<Order, 'reference' | 'productCode' | 'account' | 'submittedAt'>

/** Outcome at that instant, for an order received when it was submitted. */
export function outcomeAt(order: Submitted, nowMs: number, fulfilmentOf: FulfilmentOf): Outcome {
  const { decidedAfterMs, failure } = behaviourOf(order.account)
  if (decidedAfterMs === Number.POSITIVE_INFINITY) return NEVER_KNOWN
  // Two clocks are involved: an immediate decision holds even when ours is behind.
  const decidedInMs = order.submittedAt.getTime() + decidedAfterMs - nowMs
  if (decidedAfterMs > 0 && decidedInMs > 0) return { kind: 'pending', decidedInMs }
  if (failure !== null) return { kind: 'failed', code: failure, reason: FAILURE_REASONS[failure] }
  return { kind: 'succeeded', output: outputOf(order, fulfilmentOf(order.productCode)) }
}

/** Answers a request to void; only an order that succeeded can be voided. */
export function voidAnswerOf(account: string, outcome: Outcome['kind']): VoidAnswer {
  if (outcome === 'unknown') return { kind: 'unknown', reason: 'the provider cannot say what became of it' }
  if (outcome !== 'succeeded') return { kind: 'refused', reason: 'Only a fulfilled order can be voided' }
  const { voiding } = behaviourOf(account)
  return voiding === 'refused'
    ? { kind: 'refused', reason: 'The biller does not take it back' }
    : { kind: voiding }
}

const GMT8_MS = 8 * 60 * 60 * 1_000
const PIN_DIGITS = 16

/** Returns the same output for the same reference. */
export function outputOf(
  order: Pick<Order, 'reference' | 'submittedAt'>,
  fulfilment: Fulfilment,
): FulfilledOutput {
  const digest = hash('sha256', order.reference, 'hex')
  const isPin = fulfilment === 'pin'
  const isLink = fulfilment === 'link'
  return {
    serialNumber: `SIM${digest.slice(0, 16).toUpperCase()}`,
    pin: isPin ? pinOf(digest.slice(16, 32)) : '',
    expiry: isPin ? expiryOf(order.submittedAt) : '',
    voucherLink: isLink ? `https://vouchers.example.com/${digest.slice(32)}` : '',
    note: isPin ? 'Enter the PIN where it is redeemed.' : isLink ? 'Open the link to redeem.' : '',
  }
}

function pinOf(hex: string): string {
  const number = BigInt(`0x${hex}`) % 10n ** BigInt(PIN_DIGITS)
  return number.toString().padStart(PIN_DIGITS, '0')
}

/** Returns yyyyMMdd of the same day a year later, GMT+8; a leap day gives 1 March. */
function expiryOf(submittedAt: Date): string {
  const local = new Date(submittedAt.getTime() + GMT8_MS)
  local.setUTCFullYear(local.getUTCFullYear() + 1)
  return local.toISOString().slice(0, 10).replaceAll('-', '')
}
