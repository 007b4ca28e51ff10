import type { BillQuery } from '@warung/forms/form'
import type { Language } from '@warung/forms/texts'
import type {
  AskedItem,
  Bill,
  Catalog,
  NumberAnswer,
  OptionPage,
  Order,
  Quote,
  Repeat,
  UnitResult,
} from './wire.ts'

/** Time after which an answer is not awaited any longer. The service itself answers within 29 seconds. */
const ANSWER_MS_MAX = 30_000
/** Pauses before a read is repeated by itself. After them the customer is asked. */
const PAUSES_MS = [400, 1_500]

export type ClientSettings = {
  readonly base: string
  readonly orderId: string
  readonly token: string
  /** Language of the page now: the customer may change it here. */
  readonly language: () => Language
  readonly fetch: typeof fetch
}

export type Client = ReturnType<typeof createClient>

/** Speaks for the customer of one order. Only reads are repeated by themselves. */
export function createClient({ base, orderId, token, fetch, language }: ClientSettings) {
  const root = `${base}/checkout/v1/orders/${encodeURIComponent(orderId)}`

  async function ask<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
    const limit = AbortSignal.timeout(ANSWER_MS_MAX)
    const response = await fetch(root + path, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        'Accept-Language': language(),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      // The token is the only proof: no cookie of anybody is sent, and no address is told.
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
    }).catch((error: unknown) => {
      throw new Problem(String(error), { status: 0, code: signal?.aborted ? 'aborted' : 'no_answer' })
    })
    if (!response.ok) throw await problemOf(response)
    return (await response.json().catch(() => {
      throw new Problem('', { status: 0, code: 'no_answer' })
    })) as T
  }

  async function read<T>(path: string, signal?: AbortSignal): Promise<T> {
    for (const pause of PAUSES_MS) {
      try {
        return await ask<T>('GET', path, undefined, signal)
      } catch (error) {
        const isWorthIt = error instanceof Problem && error.isPassing && error.status !== 429
        if (!isWorthIt || signal?.aborted) throw error
        await new Promise((resolve) => setTimeout(resolve, pause))
      }
    }
    return ask<T>('GET', path, undefined, signal)
  }

  type Answer<T> = Promise<{ readonly data: T }>
  return {
    order: async () => (await (read('') as Answer<Order>)).data,
    catalog: async () => (await (read('/catalog') as Answer<Catalog>)).data,
    options: async (query: Readonly<Record<string, string>>, signal: AbortSignal) =>
      (await (read(`/options?${new URLSearchParams(query)}`, signal) as Answer<OptionPage>)).data,
    number: async (account: string, signal: AbortSignal) =>
      (
        await (ask(
          'GET',
          `/number-lookup?${new URLSearchParams({ account })}`,
          undefined,
          signal,
        ) as Answer<NumberAnswer>)
      ).data,
    bill: (query: BillQuery, signal: AbortSignal) =>
      ask<Bill>('GET', `/bill?${new URLSearchParams(query)}`, undefined, signal),
    quote: async (item: AskedItem, signal: AbortSignal) =>
      (await (ask('POST', '/quote', item, signal) as Answer<Quote>)).data,
    putItems: async (version: number, items: readonly AskedItem[]) =>
      (await (ask('PUT', '/items', { version, items }) as Answer<Order>)).data,
    submit: async (version: number, allowsRepeats: boolean) => {
      const body = { version, ...(allowsRepeats && { allow_duplicate: true }) }
      return (await (ask('POST', '/submit', body) as Answer<Order>)).data
    },
    cancel: async () => (await (ask('POST', '/cancel', {}) as Answer<Order>)).data,
    results: async () => (await (ask('POST', '/results', {}) as Answer<readonly UnitResult[]>)).data,
  }
}

// ── Error answers ──

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
  /** Lines of the basket that repeat an earlier payment. */
  readonly repeats: readonly Repeat[]

  constructor(
    message: string,
    about: {
      readonly status: number
      readonly code: string
      readonly fields?: Readonly<Record<string, readonly string[]>>
      readonly requestId?: string | undefined
      readonly retryAfterSeconds?: number | undefined
      readonly lines?: readonly string[]
      readonly repeats?: readonly Repeat[]
    },
  ) {
    super(message)
    this.status = about.status
    this.code = about.code
    this.fields = about.fields ?? {}
    this.requestId = about.requestId
    this.retryAfterSeconds = about.retryAfterSeconds
    this.lines = about.lines ?? []
    this.repeats = about.repeats ?? []
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
    repeats: repeatsOf(record.repeats),
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

function repeatsOf(repeats: unknown): Repeat[] {
  if (!Array.isArray(repeats)) return []
  return repeats.flatMap((each: unknown) => {
    const { line, seconds } = isRecord(each) ? each : {}
    return typeof line === 'number' && typeof seconds === 'number' ? [{ line, seconds }] : []
  })
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
