import type { FailureCode } from '../../../lib/failure-codes.ts'
import type { Amount } from '../../../lib/money.ts'

// Capabilities of a provider, each one small; a connector offers those it has.

/** Request for options that exist for one account only: a person's loan accounts, a number's own plans. */
export type DynamicOptionsRequest = {
  readonly productCode: string
  readonly fieldId: string
  /** Value on which the field depends: an identity number, a phone number. A secret: never logged. */
  readonly accountNumber: string
}

export type DynamicOption = {
  readonly code: string
  readonly label: string
  readonly description: string | null
  /** Account to pay, when choosing the option also chooses it. */
  readonly accountNumber: string | null
  /** Face value or quantity, for options of a pricing field. */
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

/** Everything a connector may need; it uses what its provider wants. */
export type Order = {
  /**
   * Our reference, one per attempt: a provider that gets it twice must act once. Where the provider wants a form of its
   * own, it is that form, as it was stored before the order was sent the first time.
   */
  readonly reference: string
  /** The provider's own id of this order, from an earlier answer; null or left out: it gave none yet. */
  readonly supplierId?: string | null
  readonly productCode: string
  readonly account: string
  readonly amount: Amount
  /** Face value in ringgit. */
  readonly faceValue: Amount
  readonly subproductCode: string | null
  readonly billerCode: string | null
  readonly ref2: string | null
  /** A secret: never logged. */
  readonly icNumber: string | null
  /** Last time at which this attempt was, or may have been, sent; on the database's clock. */
  readonly submittedAt: Date
}

/** Output of a successful order; '' when nothing applies. PIN and link are secrets. */
export type FulfilledOutput = {
  readonly serialNumber: string
  readonly pin: string
  /** yyyyMMdd */
  readonly expiry: string
  readonly voucherLink: string
  /** Instructions for the user. */
  readonly note: string
}

/** `isAmbiguous`: several orders were in the answer where one is expected. Asking again does not help: a person does. */
export type Unknown = {
  readonly kind: 'unknown'
  readonly reason: string
  readonly isAmbiguous?: true
  readonly supplierId?: string
  /** The provider's word that our tables do not know, so that a person can say what it means. */
  readonly unmapped?: UnmappedAnswer
}

/** An answer with a word that is not in the tables. `sample` has no secret, no account and no PIN in it. */
export type UnmappedAnswer = {
  readonly operation: 'submit' | 'query' | 'void' | 'fetch' | 'callback'
  /** Path of the word, and the word. */
  readonly path: string
  readonly value: string
  readonly sample: string
}

/** `word`: the provider's own code or word for it, where it is known. */
export type Refused = { readonly code: FailureCode; readonly reason: string; readonly word?: string }

/** Money in the provider's currency, in ten-thousandths of its unit, as all amounts are. */
export type CurrencyAmount = { readonly amount: Amount; readonly currency: string }

/**
 * `failed` means certainly not done and never to be done. An uncertain outcome is `pending` (the provider has the
 * order and will decide) or `unknown` (nobody can say). Both are queried and never sent again blindly.
 */
export type Outcome =
  | {
      readonly kind: 'succeeded'
      readonly output: FulfilledOutput
      readonly supplierId?: string
      /** Money that the provider took from us for it, where it says so. */
      readonly cost?: CurrencyAmount
    }
  | ({ readonly kind: 'failed' } & Refused)
  /** `decidedInMs`: time after which the provider will have decided, where it says so. */
  | { readonly kind: 'pending'; readonly decidedInMs?: number; readonly supplierId?: string }
  | Unknown

/**
 * `not_acted`: this provider certainly did nothing with the order and never will (nothing listened at its address, it
 * is out of stock or closed), but another provider may fulfil it. Only a submission gives this outcome.
 */
export type SubmitOutcome =
  | Outcome
  | ({ readonly kind: 'not_acted' } & Refused)
  /** No byte of it left this process, because our own time limit had passed. It says nothing about the provider. */
  | { readonly kind: 'unsent'; readonly reason: string }

/**
 * The provider carried the order out and took it back later. After a success nobody's money moves by it: a person
 * decides. `code`: failure of a payment that is still open; left out: a person decides about that one, too.
 */
export type Reversed = { readonly kind: 'reversed'; readonly reason: string; readonly code?: FailureCode }

/**
 * `not_found`: the provider does not know the reference. `not_acted`: it knows the order, took no money for it and never
 * will, so another provider may have it.
 */
export type QueryAnswer =
  | Outcome
  | Reversed
  | ({ readonly kind: 'not_acted' } & Refused)
  | { readonly kind: 'not_found' }

export type SubmitCapability = {
  /**
   * Never rejects: an error is an outcome. `notAfterMs`, on leaseNowMs's clock, is checked right before the first
   * byte of the order is written, after every wait; later than that, the order is `unsent`. Timers cannot do this
   * check, because they run too late in a process that was frozen.
   */
  submit(order: Order, signal: AbortSignal, notAfterMs?: number): Promise<SubmitOutcome>
}

export type QueryCapability = {
  /** Never rejects. `notAfterMs` is that of `submit`, where the question sends the order again. */
  query(order: Order, signal: AbortSignal, notAfterMs?: number): Promise<QueryAnswer>
}

export type VoidAnswer =
  | { readonly kind: 'approved' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'pending' }
  | Unknown

export type VoidCapability = {
  /** Requests a void; repeated requests for one order count as one. Never rejects. */
  requestVoid(order: Order, signal: AbortSignal): Promise<VoidAnswer>
}

export type BillRequest = {
  readonly productCode: string
  readonly account: string
  readonly billerCode: string | null
  readonly ref2: string | null
  readonly amount: Amount | null
}

/** `not_offered`: the provider sells the product but never shows its bills. */
export type BillAnswer =
  | { readonly kind: 'found'; readonly bill: Readonly<Record<string, unknown>> }
  | { readonly kind: 'invalid_account' }
  | { readonly kind: 'not_offered' }
  | { readonly kind: 'unavailable'; readonly reason: string }

export type BillCapability = {
  presentBill(request: BillRequest, signal: AbortSignal): Promise<BillAnswer>
}

/** Question whose a number is; digits of E.164. */
export type LookupRequest = {
  readonly number: string
  /** ISO 3166; null: several countries share its calling code. */
  readonly country: string | null
}

/** `found`: the operator in the provider's words. */
export type LookupAnswer =
  | { readonly kind: 'found'; readonly operator: string }
  | { readonly kind: 'unavailable'; readonly reason: string }

export type LookupCapability = {
  lookUp(request: LookupRequest, signal: AbortSignal): Promise<LookupAnswer>
}

export type HealthCapability = {
  /** True when the provider itself reports that it works. */
  isHealthy(signal: AbortSignal): Promise<boolean>
}

/** Rest of the money that we hold at a provider; without a currency it is in ringgit. */
export type FloatAnswer =
  | { readonly kind: 'known'; readonly amount: Amount; readonly currency?: string }
  | { readonly kind: 'unknown'; readonly reason: string }

export type FloatCapability = {
  /** Never rejects. */
  readFloat(signal: AbortSignal): Promise<FloatAnswer>
}

/** Offer in a provider's list, in the provider's own words and currencies. */
export type SupplierOffer = {
  /** The provider's code, which an order names. */
  readonly code: string
  readonly name: string
  readonly brand: string | null
  /** ISO 3166, two letters. */
  readonly country: string | null
  /** The provider's word for its sort: TOPUP, ESIM, FIXED_VALUE_RECHARGE … */
  readonly type: string | null
  readonly description: string | null
  readonly image: string | null
  /** False: it cannot be bought now (disabled, no stock, closed). */
  readonly isOpen: boolean
  /** Value that the customer receives: one, or a range. Null: no value, such as a plan. */
  readonly face: {
    readonly currency: string
    readonly min: Amount
    readonly max: Amount
  } | null
  /** Price that we pay for one value; null for ranges and where the list has none. */
  readonly cost: CurrencyAmount | null
  /** Hours in which it is sold, HH:mm of GMT+8; null: always. */
  readonly hours: { readonly opens: string; readonly closes: string } | null
  readonly validity: string | null
  /** Fields that an order needs beside the account, by the provider's names. */
  readonly requires: readonly string[]
  /** Further values that an order of this offer sends, by the names of the configuration. */
  readonly values: Readonly<Record<string, string>>
}

/** One page of the list. `next` continues it, also in another process; null: it was the last. */
export type CataloguePage =
  | {
      readonly kind: 'page'
      readonly offers: readonly SupplierOffer[]
      /** Entries that could not be read, by their code or place. */
      readonly unread: readonly string[]
      readonly next: string | null
      /** Time to wait before the next page, by the provider's limit. */
      readonly waitMs: number
    }
  | { readonly kind: 'unavailable'; readonly reason: string; readonly retryAfterMs: number }

export type CatalogueCapability = {
  /** Reads a page from `cursor`, the `next` of the page before; null begins. Never rejects. */
  readPage(cursor: string | null, signal: AbortSignal): Promise<CataloguePage>
}

/** Limit of a callback's body. A notification has a few hundred bytes; a larger body is not a notification. */
export const CALLBACK_BYTES_MAX = 256 * 1024

/** A provider's request to us as it arrived: the signature covers its bytes. */
export type CallbackRequest = {
  /** Values by lower-case name; repeated headers are joined by ', '. */
  readonly headers: Readonly<Record<string, string>>
  readonly query: string
  readonly body: Buffer
}

/**
 * Result of reading a callback; `news` is proven to come from the provider. `outcome` null: it only says that there is
 * news, and the provider is to be queried. Amounts are never taken from it: one that differs from ours stops it.
 */
export type CallbackReading =
  | { readonly kind: 'refused'; readonly reason: string }
  /** Proven to come from the provider, and about no order: it tries our address. */
  | { readonly kind: 'ping' }
  | {
      readonly kind: 'news'
      /** Id of the callback; a repeated callback has the same id. */
      readonly id: string
      /** Our reference of the attempt. */
      readonly reference: string
      readonly outcome: Outcome | Reversed | null
      readonly claimedAmount: Amount | null
    }

export type CallbackCapability = {
  /** Body of our answer to a callback that was taken, where the provider wants one; JSON. */
  readonly answer?: string
  /** Checks the signature, its age by `nowMs`, and the content. Never throws. */
  readCallback(request: CallbackRequest, nowMs: number): CallbackReading
}

/** A provider with the capabilities it has; those it lacks are absent. */
export type Provider = SubmitCapability &
  QueryCapability & {
    readonly code: string
    /** Limit of orders under way at the same time, per node. */
    readonly concurrencyMax: number
    /** Limit of orders started per second and node; null: no limit. */
    readonly ratePerSecond: number | null
    /** True when it sells from our own stock: the item is reserved in the commit that takes the payment. */
    readonly reservesStock: boolean
    /** Longest time of one submission; after it the outcome is unknown. */
    readonly submitTimeoutMs: number
    readonly queryTimeoutMs: number
    /**
     * False: it reports the result of an order only once, and `query` is always `unknown`. Left out: it can be
     * queried.
     */
    readonly canBeAsked?: boolean
    /** Time after the submission's deadline from which `not_found` proves that it did not act; null: it never does. */
    readonly notFoundProvesAfterMs: number | null
    /**
     * True: an order that was perhaps sent may be sent again under the same reference; if the first one arrives too,
     * the provider treats it as a duplicate. False: the provider refuses a reference it has seen, whatever the result,
     * so that an order that was proven absent needs a new one.
     */
    readonly repeatsReference: boolean
    /**
     * Present: `query` sends the order again, and the provider answers with the state of the first one. Such a question
     * may cause the purchase, so it is a sending: only while the payment is open, at this distance, and not later than
     * this after the first sending, when the provider has forgotten the reference. After `notAfterMs` of the question no
     * byte leaves, and its answer is `unknown`.
     */
    readonly asksByRepeating?: { readonly minIntervalMs: number; readonly notAfterMs: number }
    /** Present: the form of the reference that the provider wants. It is stored before the order is sent. */
    readonly referenceOf?: (order: Order) => string
    readonly options?: DynamicOptionsCapability
    readonly voids?: VoidCapability
    readonly bills?: BillCapability
    readonly lookups?: LookupCapability
    readonly health?: HealthCapability
    readonly float?: FloatCapability
    readonly catalogue?: CatalogueCapability
    readonly callbacks?: CallbackCapability
  }
