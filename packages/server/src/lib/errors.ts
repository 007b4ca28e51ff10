/** Field name → its problems, in the shape of the contract's validation bodies. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>

/** HTTP statuses of errors. The documentation has the cause and the remedy of each. */
export type ErrorStatus =
  | 400
  | 401
  | 403
  | 404
  | 405
  | 408
  | 409
  | 413
  | 415
  | 422
  | 429
  | 431
  | 500
  | 503
  | 504

export type RequestErrorOptions = {
  status: ErrorStatus
  /** Stable machine-readable code: `invalid_signature`, `ip_blocked`, `validation_failed`. */
  code: string
  /** Text for the caller. */
  publicText: string
  /** Text for the log alone. */
  internalText?: string
  fields?: FieldErrors
  headers?: Readonly<Record<string, string>>
  /** Members added to the rendered body as they are, such as staging's signature help. */
  extra?: Readonly<Record<string, unknown>>
  cause?: unknown
}

/**
 * Error of a request that cannot be processed. It is thrown anywhere and rendered in one place, in the operation's
 * dialect. Any other thrown error is a bug: 500, logged once with its cause.
 */
export class RequestError extends Error {
  readonly status: ErrorStatus
  readonly code: string
  readonly publicText: string
  readonly fields: FieldErrors | undefined
  readonly headers: Readonly<Record<string, string>> | undefined
  readonly extra: Readonly<Record<string, unknown>> | undefined
  /** Identity that the credentials named but did not prove: for the owner's own log, and never for ours. */
  claimed: Readonly<Record<string, string>> | undefined
  /**
   * Canonical string that a signature was compared with. It holds the query, so it is for the sealed log of the key's
   * owner, and never for our log.
   */
  canonicalString: string | undefined

  constructor(options: RequestErrorOptions) {
    super(options.internalText ?? options.publicText, { cause: options.cause })
    this.name = 'RequestError'
    this.status = options.status
    this.code = options.code
    this.publicText = options.publicText
    this.fields = options.fields
    this.headers = options.headers
    this.extra = options.extra
  }
}

/** Builds a 400 with the errors of all fields together. */
export function invalidFields(fields: FieldErrors, publicText = 'The given data was invalid.'): RequestError {
  return new RequestError({ status: 400, code: 'validation_failed', publicText, fields })
}

/** Answers with the same words for a thing that never existed and for one of another owner. */
export function unknown(what: string): RequestError {
  return new RequestError({ status: 404, code: 'not_found', publicText: `There is no such ${what}.` })
}

/**
 * Groups problems by field, several of one field in their order. A caller may choose the field names, so the object has
 * no prototype: `constructor` would be found in it, and `__proto__` would not be kept.
 */
export function fieldErrorsOf(
  problems: Iterable<readonly [field: string, text: string]>,
): Record<string, string[]> {
  const fields: Record<string, string[]> = Object.create(null)
  for (const [field, text] of problems) {
    const texts = fields[field]
    if (texts === undefined) fields[field] = [text]
    else if (!texts.includes(text)) texts.push(text)
  }
  return fields
}

/** Builds a 503: nothing was done, the caller should come back. */
export function unavailable(code: string, internalText: string, cause?: unknown): RequestError {
  return new RequestError({
    status: 503,
    code,
    publicText: 'The service is temporarily unavailable. Please try again.',
    internalText,
    headers: { 'Retry-After': '1' },
    cause,
  })
}

/** Throws when an impossible state occurs: a bug, never a caller's fault. */
export function assert(condition: unknown, text: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${text}`)
}
