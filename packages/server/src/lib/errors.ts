/** Field name → what is wrong with it, as the contract's validation bodies carry it. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>

export type RequestErrorOptions = {
  status: number
  /** Stable machine word: `invalid_signature`, `ip_blocked`, `validation_failed`. */
  code: string
  /** What the caller may read. */
  publicText: string
  /** What only the log may read. */
  internalText?: string
  fields?: FieldErrors
  headers?: Readonly<Record<string, string>>
  /** Members added to the rendered body as they are, such as staging's signature help. */
  extra?: Readonly<Record<string, unknown>>
  cause?: unknown
}

/**
 * A request that cannot be processed. Thrown anywhere, rendered at one edge in the operation's dialect.
 * Everything else that is thrown is a bug: 500, logged once with its cause.
 */
export class RequestError extends Error {
  readonly status: number
  readonly code: string
  readonly publicText: string
  readonly fields: FieldErrors | undefined
  readonly headers: Readonly<Record<string, string>> | undefined
  readonly extra: Readonly<Record<string, unknown>> | undefined
  /** Whose credentials were named, though not proven: for the owner's own log, and never for ours. */
  claimed: Readonly<Record<string, string>> | undefined

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

/** 400 with the errors of every field at once. */
export function invalidFields(fields: FieldErrors, publicText = 'The given data was invalid.'): RequestError {
  return new RequestError({ status: 400, code: 'validation_failed', publicText, fields })
}

/**
 * Problems by field, several of one field in their order. Fields may be named by a caller: the object has no prototype,
 * in which `constructor` would be found already and `__proto__` would not be kept.
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

/** 503: nothing was done, the caller should come back. */
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

/** What cannot happen did: a bug, never a caller's fault. */
export function assert(condition: unknown, text: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${text}`)
}
