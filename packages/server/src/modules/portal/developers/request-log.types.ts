/** A request to the reseller API, as its account may see it. */
export type LoggedRequest = {
  readonly requestId: string
  readonly method: string
  /** Pattern of the route, never the address as it was sent. */
  readonly route: string
  readonly status: number
  readonly durationMs: number
  readonly address: string
  readonly keyId: string | null
  readonly userId: string | null
  /** Error of the API, or the remarks of a payment that was rejected. */
  readonly error: string | null
  /** Message that the caller got. */
  readonly message: string | null
  /** Caller's name of the payment that was asked for. */
  readonly refid: string | null
  readonly paymentId: string | null
  /** Code of a payment that was rejected. */
  readonly code: number | null
}

export type NewLoggedRequest = LoggedRequest & {
  readonly account: string
  readonly id: bigint
  readonly skipped: number
  /** Canonical string of a refused signature; null: the request was not refused for its signature. */
  readonly sealedCanonical: Buffer | null
}

/** A request with what helps to mend it. */
export type DiagnosedRequest = KeptRequest & {
  readonly canonical: Canonical | null
}

/** Text that the service compared a signature with. */
export type Canonical = { readonly text: string; readonly isCut: boolean }

export type KeptRequest = LoggedRequest & {
  readonly id: bigint
  readonly at: Date
  readonly skipped: number
}

export type RequestFilter = {
  readonly fromId: bigint
  /** Exclusive bound. */
  readonly untilId: bigint
  readonly failedOnly: boolean
  readonly error: string | null
  readonly limit: number
}
