import { REMEDIES } from './remedies.generated.ts'
import type { Payment, RejectedPayment } from './types.generated.ts'

// Errors of the client. Each has a stable token, and says whether the same call may be repeated as it is.

export type ErrorDetails = {
  /** Stable name of the reason. */
  readonly token: string
  readonly message: string
  /** True: the same call may be repeated as it is. Nothing can happen twice, and it may succeed. */
  readonly retrySafe?: boolean | undefined
  /** Status code of a payment. */
  readonly code?: number | undefined
  /** HTTP status. */
  readonly status?: number | undefined
  /** `X-Request-Id` of the answer: quote it when you ask for help. */
  readonly requestId?: string | undefined
  readonly remedy?: string | undefined
  readonly cause?: unknown
}

/** Texts by the name of the field that they are about. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>

export class WarungError extends Error {
  override readonly name: string = 'WarungError'
  readonly token: string
  readonly code: number | undefined
  readonly status: number | undefined
  readonly requestId: string | undefined
  readonly remedy: string | undefined
  readonly retrySafe: boolean

  constructor(details: ErrorDetails) {
    super(details.message, details.cause === undefined ? undefined : { cause: details.cause })
    this.token = details.token
    this.code = details.code
    this.status = details.status
    this.requestId = details.requestId
    this.remedy = details.remedy ?? remedyFor(details.token)
    this.retrySafe = details.retrySafe ?? false
  }
}

/** Returns advice for a token: the error of a 401 or 403, or the remarks of a payment. */
export function remedyFor(token: string): string | undefined {
  return Object.hasOwn(REMEDIES, token) ? REMEDIES[token] : undefined
}

// ── Payments ──

/** The payment was refused. It does not exist, and its refid is free. */
export class PaymentRejected extends WarungError {
  override readonly name = 'PaymentRejected'
  readonly payment: RejectedPayment
  readonly errors: FieldErrors

  constructor(details: ErrorDetails & { readonly payment: RejectedPayment; readonly errors: FieldErrors }) {
    super(details)
    this.payment = details.payment
    this.errors = details.errors
  }
}

/** The refid belongs to another payment. Nothing was created or changed. */
export class RefidConflict extends WarungError {
  override readonly name = 'RefidConflict'
  /** Payment that has the refid. */
  readonly payment: Payment
  readonly errors: FieldErrors

  constructor(details: ErrorDetails & { readonly payment: Payment; readonly errors: FieldErrors }) {
    super(details)
    this.payment = details.payment
    this.errors = details.errors
  }
}

/** The request may have been carried out, and nobody knows yet. It is not a failure. */
export class UnknownOutcome extends WarungError {
  override readonly name = 'UnknownOutcome'
  /** Refid of a payment: send the same payment again to learn its outcome. */
  readonly refid: string | undefined
  /** Payment as it was last seen, if it was seen at all. */
  readonly payment: Payment | undefined

  constructor(
    details: Omit<ErrorDetails, 'token'> & {
      readonly refid?: string | undefined
      readonly payment?: Payment | undefined
    },
  ) {
    const remedy = details.remedy ?? 'Find out whether it was done before you repeat it.'
    super({ ...details, token: 'unknown_outcome', remedy })
    this.refid = details.refid
    this.payment = details.payment
  }
}

export type Problem = { readonly field: string; readonly message: string }

/** Values do not fit the product's form. Nothing was sent. */
export class InvalidPayment extends WarungError {
  override readonly name = 'InvalidPayment'
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super({ token: 'invalid_payment', message: problems.map(({ message }) => message).join('; ') })
    this.problems = problems
  }
}

// ── Answers ──

export class AuthenticationFailed extends WarungError {
  override readonly name = 'AuthenticationFailed'
  /** Canonical string and body hash as the service built them; in staging alone. */
  readonly debug: Readonly<Record<string, string>> | undefined

  constructor(details: ErrorDetails & { readonly debug?: Readonly<Record<string, string>> | undefined }) {
    super(details)
    this.debug = details.debug
  }
}

export class Forbidden extends WarungError {
  override readonly name = 'Forbidden'
  readonly retryAfterSeconds: number | undefined

  constructor(details: ErrorDetails & { readonly retryAfterSeconds?: number | undefined }) {
    super(details)
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

export class InvalidRequest extends WarungError {
  override readonly name = 'InvalidRequest'
  readonly errors: FieldErrors

  constructor(details: ErrorDetails & { readonly errors: FieldErrors }) {
    super(details)
    this.errors = details.errors
  }
}

export class NotFound extends WarungError {
  override readonly name = 'NotFound'
}

/** The state of things does not allow it. The token says why, such as `already_confirmed` of an order. */
export class Conflict extends WarungError {
  override readonly name = 'Conflict'
  readonly errors: FieldErrors

  constructor(details: ErrorDetails & { readonly errors: FieldErrors }) {
    super(details)
    this.errors = details.errors
  }
}

export class TooManyRequests extends WarungError {
  override readonly name = 'TooManyRequests'
  readonly retryAfterSeconds: number | undefined

  constructor(details: ErrorDetails & { readonly retryAfterSeconds?: number | undefined }) {
    super(details)
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

/** The service was unavailable to the last attempt. Nothing was done. */
export class ServiceUnavailable extends WarungError {
  override readonly name = 'ServiceUnavailable'
  readonly retryAfterSeconds: number | undefined

  constructor(details: ErrorDetails & { readonly retryAfterSeconds?: number | undefined }) {
    super(details)
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

/** The service failed to answer a read. */
export class ServiceFault extends WarungError {
  override readonly name = 'ServiceFault'
}

/** A read got no answer. */
export class ConnectionFailed extends WarungError {
  override readonly name = 'ConnectionFailed'
}

// ── Events ──

export type WebhookToken = 'missing_headers' | 'timestamp_out_of_window' | 'wrong_signature' | 'unreadable'

/** The request is not one of ours, or cannot be proved to be. */
export class InvalidWebhook extends WarungError {
  override readonly name = 'InvalidWebhook'

  constructor(token: WebhookToken, message: string) {
    super({
      token,
      message,
      remedy: 'Answer 503: it is tried again, and a secret that was just rotated is known by then.',
    })
  }
}

/** Events were lost: the follower was away for longer than the feed keeps them. */
export class FeedGap extends WarungError {
  override readonly name = 'FeedGap'
  readonly after: number
  readonly next: number

  constructor(after: number, next: number) {
    super({
      token: 'feed_gap',
      message: `The feed goes on with event ${next}, and the last one handled was ${after}.`,
      remedy:
        'Compare your records with the lists of transactions and the catalogue, then save the cursor anew.',
    })
    this.after = after
    this.next = next
  }
}
