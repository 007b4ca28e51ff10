/** Error answer of the service, or no answer at all. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  /** HTTP status; 0 when no answer came. */
  readonly status: number
  /** Machine-readable code, such as `wrong_password`. */
  readonly code: string
  /** Messages by field. */
  readonly fields: Readonly<Record<string, readonly string[]>>
  /** Id that support asks for. */
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    message: string,
    options: {
      status: number
      code: string
      fields?: Readonly<Record<string, readonly string[]>>
      requestId?: string | undefined
      retryAfterSeconds?: number | undefined
    },
  ) {
    super(message)
    this.status = options.status
    this.code = options.code
    this.fields = options.fields ?? {}
    this.requestId = options.requestId
    this.retryAfterSeconds = options.retryAfterSeconds
  }

  /** True when the service may have acted although no success was reported. */
  get isUncertain(): boolean {
    return this.status === 0 || this.status === 504 || this.code === 'uncertain_outcome'
  }
}

/** Reads an error answer in any of the service's forms. */
export async function problemOf(response: Response): Promise<ApiProblem> {
  const body: unknown = await response.json().catch(() => undefined)
  const record = isRecord(body) ? body : {}
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new ApiProblem(textOf(record), {
    status: response.status,
    code: codeOf(record, response.status),
    fields: fieldsOf(record.errors),
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
  })
}

/** Bill presentment calls its message `error_message`. */
function textOf({ message, error_message: refusal }: Record<string, unknown>): string {
  if (typeof message === 'string') return message
  return typeof refusal === 'string' ? refusal : ''
}

function codeOf({ error, code }: Record<string, unknown>, status: number): string {
  if (typeof error === 'string') return error
  if (typeof code === 'string') return code
  return `http_${status}`
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
