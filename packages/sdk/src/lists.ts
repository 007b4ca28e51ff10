import type { Operations } from './operations.generated.ts'

// Iterators over every shape of list. Payments and entries that move to the next page while they are read come once.

type Input<K extends keyof Operations> = NonNullable<Operations[K]['input']>
type AnswerOf<K extends keyof Operations> = Operations[K]['answer']

/** Reads one page. An aborted signal ends the question. */
export type Read = <K extends keyof Operations>(
  operation: K,
  input: Input<K>,
  signal?: AbortSignal,
) => Promise<AnswerOf<K>>

const HISTORY_PAGE = 500
const STATEMENT_PAGE = 500
const OPTION_PAGE = 1_000
const BILLER_PAGE = 1_000
const CURSOR_PAGE = 100
const EVENT_PAGE = 500

export type TransactionsInput = Omit<Input<'listTransactions'>, 'offset' | 'limit'> & {
  readonly limit?: number | undefined
}

/** Payments, newest first. `limit` is the size of a page. */
export async function* transactions(read: Read, input: TransactionsInput) {
  const limit = input.limit ?? HISTORY_PAGE
  const seen = new Set<string>()
  for (let offset = 0; ; offset += limit) {
    const { data } = await read('listTransactions', { ...input, limit, offset })
    for (const row of data) {
      if (seen.has(row.trxid)) continue
      seen.add(row.trxid)
      yield row
    }
    if (data.length < limit) return
  }
}

/** Entries of the balance statement, newest first. */
export async function* statement(read: Read, input: Omit<Input<'getBalanceStatement'>, 'page'>) {
  const limit = input.limit ?? STATEMENT_PAGE
  const seen = new Set<number>()
  for (let page = 1; ; page += 1) {
    const { data, meta } = await read('getBalanceStatement', { ...input, limit, page })
    for (const entry of data) {
      if (seen.has(entry.id)) continue
      seen.add(entry.id)
      yield entry
    }
    if (page >= meta.last_page) return
  }
}

/** Options of a select field. */
export async function* options(read: Read, input: Omit<Input<'getOptions'>, 'page' | 'per_page'>) {
  const limit = input.limit ?? OPTION_PAGE
  for (let page = 1; ; page += 1) {
    const { items, meta } = await read('getOptions', { ...input, limit, page })
    yield* items
    if (page >= meta.last_page) return
  }
}

/** Billers of bill payment. */
export async function* billers(read: Read, input: Omit<Input<'listBillers'>, 'page'> = {}) {
  const limit = input.limit ?? BILLER_PAGE
  for (let page = 1; ; page += 1) {
    const { data, meta } = await read('listBillers', { ...input, limit, page })
    yield* data
    if (page >= meta.last_page) return
  }
}

/** Disputes and voids, newest first. */
export async function* cases(read: Read, input: Omit<Input<'listCases'>, 'cursor'> = {}) {
  for (let cursor: string | undefined; ; ) {
    const page = await read('listCases', { limit: CURSOR_PAGE, ...input, cursor })
    yield* page.data
    if (!page.has_more || page.cursor === null) return
    cursor = page.cursor
  }
}

/** Orders of the checkout, newest first. */
export async function* orders(read: Read, input: Omit<Input<'listOrders'>, 'cursor'> = {}) {
  for (let cursor: string | undefined; ; ) {
    const page = await read('listOrders', { limit: CURSOR_PAGE, ...input, cursor })
    yield* page.data
    if (!page.has_more || page.cursor === null) return
    cursor = page.cursor
  }
}

type DeliveryList =
  | 'listCallbackDeliveries'
  | 'listBalanceWebhookDeliveries'
  | 'listCatalogWebhookDeliveries'
  | 'listOrderWebhookDeliveries'

/** Deliveries of a stream, newest first. */
export async function* deliveries(
  read: Read,
  operation: DeliveryList,
  input: Omit<Input<DeliveryList>, 'cursor'> = {},
) {
  for (let cursor: string | undefined; ; ) {
    const page = await read(operation, { limit: CURSOR_PAGE, ...input, cursor })
    yield* page.deliveries
    if (!page.hasMore || page.cursor === null) return
    cursor = page.cursor
  }
}

/** Events up to now, oldest first. */
export async function* events(read: Read, input: Input<'listEvents'> = {}) {
  for (let after = input.after ?? 0; ; ) {
    const page = await read('listEvents', { limit: EVENT_PAGE, ...input, after })
    yield* page.data
    if (!page.has_more) return
    after = page.next
  }
}
