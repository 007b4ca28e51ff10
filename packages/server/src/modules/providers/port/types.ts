import type { Amount } from '../../../lib/money.ts'

// What a provider can do for us, one small capability each; a connector offers those it has.

/** Choices that exist for one account only: a person's loan accounts, a number's own plans. */
export type DynamicOptionsRequest = {
  readonly productCode: string
  readonly fieldId: string
  /** What the field depends on: an identity number, a phone number. A secret: never logged. */
  readonly accountNumber: string
}

export type DynamicOption = {
  readonly code: string
  readonly label: string
  readonly description: string | null
  /** The account to pay, where choosing the option chooses it. */
  readonly accountNumber: string | null
  /** Options of a pricing field: face value or quantity. */
  readonly denomination: Amount | null
  readonly validity: string | null
  readonly features: readonly string[] | null
}

export type DynamicOptionsAnswer =
  | { readonly kind: 'found'; readonly options: readonly DynamicOption[] }
  | { readonly kind: 'unavailable'; readonly reason: string }

export type DynamicOptionsCapability = {
  listOptions(request: DynamicOptionsRequest, signal: AbortSignal): Promise<DynamicOptionsAnswer>
}

// ── Orders: what a payment asks of a provider ──

/** Everything a connector may need; it takes what its provider wants. */
export type Order = {
  /** Ours, one per attempt: a provider that sees it twice must act once. */
  readonly reference: string
  readonly productCode: string
  readonly account: string
  readonly amount: Amount
  /** In ringgit. */
  readonly faceValue: Amount
  readonly subproductCode: string | null
  readonly billerCode: string | null
  readonly ref2: string | null
  /** A secret: never logged. */
  readonly icNumber: string | null
  /** When this attempt was, or may have been, sent the last time; by the database's clock. */
  readonly submittedAt: Date
}

/** Codes with which a payment that exists can fail. */
export const FAILURE_CODES = [45, 47, 48, 52, 54, 55, 56, 57, 61, 62] as const
export type FailureCode = (typeof FAILURE_CODES)[number]

/** What a successful order gave; '' where nothing applies. PIN and link are secrets. */
export type FulfilledOutput = {
  readonly serialNumber: string
  readonly pin: string
  /** yyyyMMdd */
  readonly expiry: string
  readonly voucherLink: string
  /** Instructions for the user. */
  readonly note: string
}

/**
 * `failed` means certainly not done and never to be done. Whatever is not certain is `pending` (the provider has
 * it and will decide) or `unknown` (nobody can say): both are asked about, never sent again blindly.
 */
export type Outcome =
  | { readonly kind: 'succeeded'; readonly output: FulfilledOutput }
  | { readonly kind: 'failed'; readonly code: FailureCode; readonly reason: string }
  | { readonly kind: 'pending' }
  | { readonly kind: 'unknown'; readonly reason: string }

/**
 * `not_acted`: this provider certainly did nothing with the order and never will (nothing listened at its address, it
 * is out of stock or closed), but another one may be able to. Said only of what was just sent.
 */
export type SubmitOutcome =
  | Outcome
  | { readonly kind: 'not_acted'; readonly code: FailureCode; readonly reason: string }
  /** No byte of it left this process, for our own sake: its time was over. It says nothing about the provider. */
  | { readonly kind: 'unsent'; readonly reason: string }

/** `not_found`: the provider has never heard of the reference. */
export type QueryAnswer = Outcome | { readonly kind: 'not_found' }

export type SubmitCapability = {
  /**
   * Never rejects: what goes wrong is an outcome. `notAfterMs`, on performance.now's clock, is judged right before the
   * first byte of the order is written, whatever was waited for until then: later, the order is `unsent`. A process that
   * was frozen meanwhile runs its timers too late for that.
   */
  submit(order: Order, signal: AbortSignal, notAfterMs?: number): Promise<SubmitOutcome>
}

export type QueryCapability = {
  /** Never rejects. */
  query(order: Order, signal: AbortSignal): Promise<QueryAnswer>
}

export type VoidAnswer =
  | { readonly kind: 'approved' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'pending' }
  | { readonly kind: 'unknown'; readonly reason: string }

export type VoidCapability = {
  /** Asking twice about one order is asking once. Never rejects. */
  requestVoid(order: Order, signal: AbortSignal): Promise<VoidAnswer>
}

export type BillRequest = {
  readonly productCode: string
  readonly account: string
  readonly billerCode: string | null
  readonly ref2: string | null
  readonly amount: Amount | null
}

/** `not_offered`: the provider sells the product and never shows its bills. */
export type BillAnswer =
  | { readonly kind: 'found'; readonly bill: Readonly<Record<string, unknown>> }
  | { readonly kind: 'invalid_account' }
  | { readonly kind: 'not_offered' }
  | { readonly kind: 'unavailable'; readonly reason: string }

export type BillCapability = {
  presentBill(request: BillRequest, signal: AbortSignal): Promise<BillAnswer>
}

export type HealthCapability = {
  /** True when the provider says of itself that it works. */
  isHealthy(signal: AbortSignal): Promise<boolean>
}

/** What is left of the money that we hold at a provider. */
export type FloatAnswer =
  | { readonly kind: 'known'; readonly amount: Amount }
  | { readonly kind: 'unknown'; readonly reason: string }

export type FloatCapability = {
  /** Never rejects. */
  readFloat(signal: AbortSignal): Promise<FloatAnswer>
}

/** What a provider sent us, as it came: the bytes are what it signed. */
export type CallbackRequest = {
  /** In lower case; of a repeated one, the values joined by ', '. */
  readonly headers: Readonly<Record<string, string>>
  readonly query: string
  readonly body: Buffer
}

/**
 * A callback that was proven to come from the provider. `outcome` null: it only says that there is news, and the
 * provider is to be asked. Amounts are never taken from it: one that differs from ours stops it.
 */
export type CallbackReading =
  | { readonly kind: 'refused'; readonly reason: string }
  | {
      readonly kind: 'news'
      /** The same callback twice has the same one. */
      readonly id: string
      /** Ours, of the attempt that it speaks of. */
      readonly reference: string
      readonly outcome: Outcome | null
      readonly claimedAmount: Amount | null
    }

export type CallbackCapability = {
  /** Judges the signature, its age by `nowMs`, and the content. Never throws. */
  readCallback(request: CallbackRequest, nowMs: number): CallbackReading
}

/** A provider with the capabilities it has; those it lacks are absent. */
export type Provider = SubmitCapability &
  QueryCapability & {
    readonly code: string
    /** Orders under way at the same time, of one node. */
    readonly concurrencyMax: number
    /** Orders begun in a second, of one node; null: as many as come. */
    readonly ratePerSecond: number | null
    /** Sells from our own stock: what it sells is reserved in the commit that takes the payment. */
    readonly reservesStock: boolean
    /** The longest that one submission may take; after it the outcome is unknown. */
    readonly submitTimeoutMs: number
    readonly queryTimeoutMs: number
    /** False: it says once what became of an order, and `query` is always `unknown`. Left out: it can be asked. */
    readonly canBeAsked?: boolean
    /** How long after the submission's deadline `not_found` proves that it did not act; null: it never does. */
    readonly notFoundProvesAfterMs: number | null
    /**
     * An order that was perhaps sent may be sent again under the same reference: if the first one arrives after all, it
     * is the provider's duplicate. False: the provider refuses a reference that it has seen, whatever came of it, so that
     * an order that was proven absent needs a new one.
     */
    readonly repeatsReference: boolean
    readonly options?: DynamicOptionsCapability
    readonly voids?: VoidCapability
    readonly bills?: BillCapability
    readonly health?: HealthCapability
    readonly float?: FloatCapability
    readonly callbacks?: CallbackCapability
  }
