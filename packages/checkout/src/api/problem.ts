/** Error answer of the service, or no answer at all. */
export class Problem extends Error {
  override readonly name = 'Problem'
  /** HTTP status; 0 when no answer came. */
  readonly status: number
  /** Machine-readable code, such as `order_changed`. */
  readonly code: string
  /** Messages by field. */
  readonly fields: Readonly<Record<string, readonly string[]>>
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined
  /** Names of the products in the basket that were refused. */
  readonly lines: readonly string[]

  constructor(
    message: string,
    about: {
      readonly status: number
      readonly code: string
      readonly fields?: Readonly<Record<string, readonly string[]>>
      readonly requestId?: string | undefined
      readonly retryAfterSeconds?: number | undefined
      readonly lines?: readonly string[]
    },
  ) {
    super(message)
    this.status = about.status
    this.code = about.code
    this.fields = about.fields ?? {}
    this.requestId = about.requestId
    this.retryAfterSeconds = about.retryAfterSeconds
    this.lines = about.lines ?? []
  }

  /** True when asking again may help: no answer, or a service that is busy for the moment. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500
  }

  /** True when the service may have acted although no success was reported. */
  get isUncertain(): boolean {
    return this.status === 0 || this.status >= 500
  }
}

/** Makes a problem of anything that was thrown. A bug of ours is a problem without a code. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  return new Problem(error instanceof Error ? error.message : '', { status: -1, code: 'unexpected' })
}

/** Reads an error answer in any of the service's forms. */
export async function problemOf(response: Response): Promise<Problem> {
  const body: unknown = await response.json().catch(() => undefined)
  const record = isRecord(body) ? body : {}
  const { message, error_message: refusal, error, code } = record
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new Problem(textOf(message) ?? textOf(refusal) ?? '', {
    status: response.status,
    code: textOf(error) ?? textOf(code) ?? `http_${response.status}`,
    fields: fieldsOf(record.errors),
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
  })
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function fieldsOf(errors: unknown): Record<string, string[]> {
  if (!isRecord(errors)) return {}
  const fields: Record<string, string[]> = {}
  for (const [name, value] of Object.entries(errors)) {
    if (Array.isArray(value)) fields[name] = value.filter((each) => typeof each === 'string')
  }
  return fields
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
