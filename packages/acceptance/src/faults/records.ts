import type { Guards } from './guards.ts'

// Everything that a run recorded and read at its end. It is plain data: the checks are functions of it alone.

/** Words of the service to a client about one request. */
export type ClientAnswer =
  /** Any answer with a transaction id, whatever its HTTP status. */
  | { readonly kind: 'payment'; readonly http: number; readonly id: string; readonly code: number }
  /** 400 without a transaction id: nothing exists. */
  | { readonly kind: 'rejected'; readonly code: number; readonly remarks: string }
  /** No answer, or a 5xx: the client does not know. */
  | { readonly kind: 'unknown'; readonly why: string }
  /** The nonce had been used. */
  | { readonly kind: 'nonce_reused' }
  /** An answer that no correct client can get. */
  | { readonly kind: 'strange'; readonly why: string }

/** Request of a client and its answer, in milliseconds since the run began. */
export type Exchange = {
  readonly account: string
  readonly refid: string
  readonly node: number
  readonly sentMs: number
  readonly toldMs: number
  readonly told: ClientAnswer
  /** True: the bytes of an earlier request once more, as a thief on the wire would send them. */
  readonly isReplay: boolean
  /** Quote that it names. */
  readonly quoted?: Quoted
}

/** Quote as the client was told of it. */
export type Quoted = { readonly id: string; readonly cost: number }

/** Request to void a payment. */
export type VoidAsk = {
  readonly account: string
  readonly refid: string
  readonly atMs: number
  /** Word of the service; null: the client does not know. */
  readonly told: 'Success' | 'Failed' | null
}

/** Step of an operator. */
export type OperatorStep = {
  readonly atMs: number
  readonly kind: 'deposit' | 'approval' | 'resolve' | 'settlement' | 'void'
  /** Remarks of the entry that it posts, which no other step has; otherwise the payment or the file. */
  readonly subject: string
  readonly account: string
  /** done: acknowledged; unknown: no answer, or an error after which it may have happened. */
  readonly told: 'done' | 'refused' | 'unknown'
  readonly detail: string
}

/** Fault or event of the world. */
export type WorldEvent = {
  readonly atMs: number
  readonly untilMs: number
  /** Kind of the fault; left out: it is none. */
  readonly kind?: string
  readonly text: string
}

export type PaymentRow = {
  readonly account: string
  readonly id: string
  readonly refid: string
  readonly product: string
  readonly target: string
  readonly cost: number
  readonly code: number
  readonly provider: string
  /** Time at which it was taken, by the database's clock. */
  readonly takenMs: number
  /** Day of GMT+8 in which it counts, by the account's test clock. */
  readonly day: string
  /** Time at which its money was given back; null: it was not. */
  readonly givenBackMs: number | null
}

/** Quote in the books. */
export type QuoteRow = {
  readonly account: string
  readonly id: string
  readonly cost: number
  readonly paymentId: string | null
}

/** Count that is not that of its payments. */
export type DriftRow = { readonly account: string; readonly what: string }

export type EntryRow = {
  readonly account: string
  readonly sequence: number
  readonly kind: string
  readonly amount: number
  readonly balance: number
  readonly paymentId: string | null
  readonly remarks: string
  /** Time of the entry, by the database's clock. */
  readonly postedMs: number
}

export type WalletRow = { readonly account: string; readonly balance: number; readonly sequence: number }

export type ChangeRow = {
  readonly account: string
  readonly paymentId: string
  readonly kind: string
  readonly code: number
  readonly attempt: number | null
  readonly detail: string
}

export type DeliveryRow = {
  readonly account: string
  readonly stream: 'callback' | 'balance'
  readonly eventId: string
  readonly paymentId: string
  /** State that a callback tells of; null: it is no callback. */
  readonly code: number | null
  readonly status: string
  readonly attempts: number
  /** Reason for which it is not delivered, as its owner sees it. */
  readonly error?: string
}

/** Line of a supplier's books. */
export type SupplierLine = {
  readonly supplier: string
  readonly reference: string
  readonly status: 'succeeded' | 'failed' | 'pending' | 'unknown'
  readonly received: number
  readonly isVoided: boolean
}

/** Request that a reseller's receiver got. */
export type Received = {
  readonly account: string
  readonly eventId: string
  readonly body: string
  readonly isVerified: boolean
  /** True: the receiver answered 2xx. */
  readonly isTaken: boolean
}

export type FeedLine = {
  readonly account: string
  readonly sequence: number
  readonly id: string
  readonly type: string
  readonly paymentId: string | null
  readonly code: number | null
  readonly amount: number | null
  readonly balance: number | null
}

export type HistoryLine = {
  readonly account: string
  readonly id: string
  readonly refid: string
  readonly code: number
}

/** Entry as the API shows it, oldest first. */
export type StatementLine = {
  readonly account: string
  readonly id: number
  readonly type: string
  readonly amount: number
  readonly balance: number
  readonly paymentId: string | null
}

/** Figures that the statement's summary shows. */
export type StatementSummary = {
  readonly account: string
  readonly transactions: number
  readonly deposits: number
  readonly refunds: number
}

/** Work that was left although nothing disturbed it any more. */
export type LeftWork = { readonly what: string; readonly subject: string; readonly account: string }

export type Records = {
  readonly exchanges: readonly Exchange[]
  readonly voids: readonly VoidAsk[]
  readonly steps: readonly OperatorStep[]
  readonly events: readonly WorldEvent[]
  /** Processes that ended without being told to. */
  readonly deaths: readonly WorldEvent[]
  readonly payments: readonly PaymentRow[]
  readonly quotes: readonly QuoteRow[]
  readonly guards: readonly Guards[]
  readonly drifts: readonly DriftRow[]
  readonly entries: readonly EntryRow[]
  readonly wallets: readonly WalletRow[]
  readonly changes: readonly ChangeRow[]
  readonly deliveries: readonly DeliveryRow[]
  readonly lines: readonly SupplierLine[]
  /** Callbacks that the receivers got, and webhooks of the balance. */
  readonly received: readonly Received[]
  readonly webhooks: readonly Received[]
  readonly feed: readonly FeedLine[]
  readonly history: readonly HistoryLine[]
  readonly statement: readonly StatementLine[]
  readonly summaries: readonly StatementSummary[]
  readonly left: readonly LeftWork[]
  /** Pages that were not answered although nothing disturbed the service any more. */
  readonly unread: readonly Unread[]
}

export type Unread = { readonly account: string; readonly what: string }

/** Rule that a run broke. */
export type Violation = {
  readonly check: string
  readonly text: string
  readonly account?: string | undefined
  readonly refid?: string | undefined
}

/** Deliveries end after four attempts, as the contract says; the feed tells of it. */
export const ATTEMPTS_MAX = 4

/** Events of the balance that the receivers ask for. */
export const BALANCE_TYPES: readonly string[] = ['balance.added', 'balance.refunded']

/** Units of the ledger in a ringgit. */
const UNITS = 10_000

export function toUnits(ringgit: unknown): number {
  return Math.round(Number(ringgit) * UNITS)
}

export const ACCEPTED = 0
export const PROCESSING = 1
export const SUCCEEDED = 20
export const VOIDED = 53

export function isFinal(code: number): boolean {
  return code !== ACCEPTED && code !== PROCESSING
}

/** Tells whether the money of a payment in this state was given back. */
export function isGivenBack(code: number): boolean {
  return isFinal(code) && code !== SUCCEEDED
}

/** Groups a list by a key, in the order of the list. */
export function groupBy<T>(list: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of list) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}
