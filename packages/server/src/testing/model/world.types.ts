import type { PaymentCode } from '../../modules/payments/core/types.ts'
import type { Flaw } from './flaws.ts'
import type { Row } from './rows.types.ts'

// State of the whole system at one moment: database, nodes at work, suppliers, clients.

/** Faults that may happen; each costs one of the run's budget. */
export const FAULTS = {
  crash: 'a node dies, and with it all that it had in memory',
  lost: 'the answer to a commit is lost',
  suspend:
    "a node's machine is suspended: its monotonic clock stands still while leases end, its wall clock does not",
  stop: "a node's virtual machine is stopped with all its clocks, and nobody sets them right before it goes on",
  step: "somebody sets the database's clock forward",
  flip: 'a supplier takes back a decision that it has reported',
  forget: 'a supplier says that it does not know an order that it has',
} as const

export type Fault = keyof typeof FAULTS

export type Bounds = {
  readonly nodes: number
  readonly payments: number
  /** Requests that the client sends for each payment: the first, and retries. */
  readonly requests: number
  /** Attempts, and sendings of all attempts, before the payment fails. */
  readonly attempts: number
  readonly sendings: number
  /** Providers in the order of the routes. */
  readonly providers: readonly Supplier[]
  readonly faultKinds: readonly Fault[]
  readonly faults: number
  /** Payments for which the wallet has the money. */
  readonly funds: number
  /** Decisions of operators about unfinished payments, and voids. */
  readonly operators: number
  readonly voids: number
  /** True: any request may be judged no. */
  readonly rejects: boolean
  /** Tasks that the nodes may have at the same time. */
  readonly tasks: number
  readonly flaw?: Flaw | undefined
}

/** `repeats`: a provider that sees a reference twice acts once. */
export type Supplier = { readonly name: string; readonly repeats: boolean }

/** Order at a supplier, under the reference of one attempt. */
export type Book = {
  readonly state: 'none' | 'pending' | 'done' | 'failed' | 'declined'
  /** Number of times that it was carried out. */
  readonly acts: number
  readonly isVoided: boolean
  /** True: the supplier contradicted itself about this order. */
  readonly isLie: boolean
  /** Orders on their way to the supplier. */
  readonly flight: number
  /** Decisions of the supplier that reached the database. */
  readonly heard: readonly PaymentCode[]
}

/** Life of one payment, identified by its refid. */
export type Life = {
  readonly asked: number
  /** Code that the client was told last; null: none. */
  readonly told: PaymentCode | null
  /** Newest request that the client was told is rejected; 0: none. */
  readonly toldNo: number
  /** Newest request that is remembered as rejected; 0: none. */
  readonly rejected: number
  readonly row: Row | null
  /** Entries in the ledger. */
  readonly charges: number
  readonly refunds: number
  readonly books: readonly Book[]
}

type Common = {
  readonly node: number
  readonly payment: number
  /** True: its statement has run once, and the answer was lost. */
  readonly ran?: true
}

/** Request of the client at a node. */
export type RequestTask = Common & {
  readonly kind: 'request'
  readonly signed: number
  readonly stage: 'look' | 'take'
  /** True: a rejection was decided after this request was received. */
  readonly isOutranked: boolean
}

/** Order that a node sends while its lease lasts. */
export type DispatchTask = Common & {
  readonly kind: 'dispatch'
  readonly attempt: number
  readonly lease: number
  readonly provider: string
  readonly isRepeat: boolean
  readonly tried: readonly string[]
  readonly stage:
    | 'ready'
    | 'confirmed'
    | 'sent'
    | 'given_up_waiting'
    | 'write'
    | 'begin'
    | 'note'
    | 'conclude'
    | 'release'
  readonly outcome: PaymentCode | null
  /** True: the lease has ended by the node's own clock. */
  readonly isLate: boolean
  /** Clocks of the node that stood still since the lease began. */
  readonly still: 'none' | 'monotonic' | 'all'
}

/** Work that a node has taken over in order to ask about it. */
export type RecoveryTask = Common & {
  readonly kind: 'recovery'
  readonly attempt: number
  readonly lease: number
  readonly repeats: number
  readonly isUnsent: boolean
  readonly isProven: boolean
  readonly stage: 'claimed' | 'write' | 'begin' | 'note' | 'conclude'
  readonly outcome: PaymentCode | null
  /** Provider of the next attempt; null: the same reference again. */
  readonly next: string | null
}

/** Open attempt that a node asks about. */
export type WatchTask = Common & {
  readonly kind: 'watch'
  readonly attempt: number
  readonly lease: number
  readonly isProven: boolean
  readonly stage: 'claimed' | 'write' | 'close' | 'later'
  readonly outcome: PaymentCode | null
}

/** Person at work: decides about an unfinished payment, or has approved a void. */
export type OperatorTask = Common & { readonly kind: 'operator' | 'void'; readonly attempt: number }

export type Task = RequestTask | DispatchTask | RecoveryTask | WatchTask | OperatorTask

export type World = {
  readonly faults: number
  readonly operators: number
  readonly voids: number
  readonly balance: number
  readonly lives: readonly Life[]
  readonly tasks: readonly Task[]
}

/** Name of a node in a story. */
export type Naming = (node: number) => string

export type Step = {
  readonly next: World
  readonly isFault: boolean
  words(name: Naming): string
  /** Decision that only the holder of this lease may take. */
  readonly decides?: { readonly payment: number; readonly lease: number }
}
