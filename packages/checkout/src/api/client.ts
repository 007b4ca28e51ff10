import type { BillQuery } from '@warung/forms/bill'
import { Problem, problemOf } from './problem.ts'
import type { AskedItem, Bill, Catalog, OptionPage, Order, Quote, UnitResult } from './wire.ts'

/** Time after which an answer is not awaited any longer. The service itself answers within 29 seconds. */
const ANSWER_MS_MAX = 30_000
/** Pauses before a read is repeated by itself. After them the customer is asked. */
const PAUSES_MS = [400, 1_500]

export type ClientSettings = {
  readonly base: string
  readonly orderId: string
  readonly token: string
  readonly fetch: typeof fetch
}

export type Client = ReturnType<typeof createClient>

/** Speaks for the customer of one order. Only reads are repeated by themselves. */
export function createClient({ base, orderId, token, fetch }: ClientSettings) {
  const root = `${base}/checkout/v1/orders/${encodeURIComponent(orderId)}`

  async function ask<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
    const limit = AbortSignal.timeout(ANSWER_MS_MAX)
    const response = await fetch(root + path, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
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
    bill: (query: BillQuery, signal: AbortSignal) =>
      ask<Bill>('GET', `/bill?${new URLSearchParams(query)}`, undefined, signal),
    quote: async (item: AskedItem, signal: AbortSignal) =>
      (await (ask('POST', '/quote', item, signal) as Answer<Quote>)).data,
    putItems: async (version: number, items: readonly AskedItem[]) =>
      (await (ask('PUT', '/items', { version, items }) as Answer<Order>)).data,
    submit: async (version: number) => (await (ask('POST', '/submit', { version }) as Answer<Order>)).data,
    cancel: async () => (await (ask('POST', '/cancel', {}) as Answer<Order>)).data,
    results: async () => (await (ask('POST', '/results', {}) as Answer<readonly UnitResult[]>)).data,
  }
}
