// Driver of a generated client (driver.md): openapi-typescript makes the types of our document, and openapi-fetch calls
// by them. The suite compiles it beside the generated types under strict settings (generated-client.ts). Everything here
// is code that an integrator without an SDK writes.
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import type { Client } from 'openapi-fetch'
import createClient from 'openapi-fetch'
import type { components, operations, paths } from './reseller.js'

type Schemas = components['schemas']
type Product = Schemas['Product']
type Option = Schemas['Option']
type Mapping = Schemas['Mapping']
type Payment = Schemas['Payment']
type PaymentRequest = Schemas['PaymentRequest']
type Query<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>
type Values = Readonly<Record<string, string | Option>>
type Settings = { baseUrl: string; apiKey: string; signingSecret: string }

const RELEASE = '2026-09-16'
const OPTIONS_MAX = 1_000

/** Refusal of the service, as it came. */
class ApiError extends Error {
  readonly status: number
  readonly code: number | undefined

  constructor(status: number, body: unknown) {
    super(JSON.stringify(body))
    this.name = 'ApiError'
    this.status = status
    this.code = (body as { data?: { statusCode?: number } } | undefined)?.data?.statusCode
  }
}

class NotInThisClient extends Error {
  override readonly name = 'NotInThisClient'
}

function connect({ baseUrl, apiKey, signingSecret }: Settings): Client<paths> {
  const made = createClient<paths>({ baseUrl, headers: { 'X-API-Version': RELEASE } })
  made.use({
    async onRequest({ request }) {
      const timestamp = String(Math.floor(Date.now() / 1000))
      const nonce = randomUUID()
      const query = new URL(request.url).search
        .slice(1)
        .split('&')
        .filter((part) => part !== '')
        .sort()
        .join('&')
      const hash = createHash('sha256')
        .update(await request.clone().text())
        .digest('base64')
      const text = ['v1', timestamp, nonce, request.method, query, hash].join(':')
      const key = Buffer.from(signingSecret, 'base64')
      request.headers.set('X-Api-Key', apiKey)
      request.headers.set('X-Timestamp', timestamp)
      request.headers.set('X-Nonce', nonce)
      request.headers.set('X-Signature', `v1=${createHmac('sha256', key).update(text).digest('base64')}`)
      return request
    },
  })
  return made
}

let client: Client<paths>

type Called<T> = { data?: T; error?: unknown; response: Response }

async function dataOf<T>(call: Promise<Called<T>>): Promise<T> {
  const { data, error, response } = await call
  if (data === undefined) throw new ApiError(response.status, error)
  return data
}

/** Operations that the journeys call by name. */
const OPERATIONS = {
  getBalance: () => client.GET('/v2/balance'),
  getNetworkStatus: (query: Query<'getNetworkStatus'>) =>
    client.GET('/v2/networkstatus', { params: { query } }),
}

async function getProduct(code: string): Promise<Product> {
  const { products } = await dataOf(client.GET('/v2/catalog'))
  const product = products[code]
  if (product === undefined) throw new Error(`the catalogue has no ${code}`)
  return product
}

async function optionsFor(product: Product, fieldId: string, values: Values): Promise<Option[]> {
  const { data_source: source } = product.fields.find(({ id }) => id === fieldId) ?? {}
  if (source === undefined) throw new Error(`${product.code}.${fieldId} has no options`)
  const given = Object.entries(source.params).map(([name, parameter]) => [
    name,
    'static' in parameter ? parameter.static : values[parameter.from_field],
  ])
  // The form names its parameters at run time, so no type can.
  const query = { ...(Object.fromEntries(given) as Query<'getOptions'>), limit: OPTIONS_MAX }
  return (await dataOf(client.GET('/v2/options', { params: { query } }))).items
}

function read(values: Values, { from_field: field, path }: Mapping): unknown {
  const start: unknown = values[field]
  return (path?.split('.') ?? []).reduce((inner, key) => (inner as Record<string, unknown>)[key], start)
}

function buildPayment(
  { code, fulfillment }: Product,
  values: Values,
  { refid, account }: { refid: string; account?: string },
): PaymentRequest {
  const extras = Object.entries(fulfillment.extras ?? {})
    .map(([key, mapping]) => [key, String(read(values, mapping) ?? '')] as const)
    .filter(([, value]) => value !== '')
  const { from_field: field, ...how } = fulfillment.account
  return {
    refid,
    product: code,
    account: field === null ? (account ?? '') : String(read(values, { ...how, from_field: field })),
    amount: read(values, fulfillment.amount) as PaymentRequest['amount'],
    ...(extras.length > 0 && { extras: Object.fromEntries(extras) }),
  }
}

async function pay(body: PaymentRequest): Promise<Payment> {
  return (await dataOf(client.POST('/v2/topup', { body }))).data
}

/** Asks with the same refid until the payment is final, as the documentation advises. */
async function payAndWait(payment: PaymentRequest, timeoutMs: number, pauseMs: number): Promise<Payment> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const paid = await pay(payment)
    if (paid.status === 'Succesful' || paid.status === 'Failed') return paid
    if (Date.now() > deadline) throw new Error(`${payment.refid} has no end yet`)
    await new Promise((resume) => setTimeout(resume, pauseMs))
  }
}

/** Pages of each list that the journeys walk through. */
const PAGES = {
  async *transactions(query: Query<'listTransactions'>) {
    const limit = query.limit ?? 100
    for (let offset = 0; ; offset += limit) {
      const { data } = await dataOf(
        client.GET('/v2/transactions', { params: { query: { ...query, limit, offset } } }),
      )
      yield data
      if (data.length < limit) return
    }
  },
  async *statement(query: Query<'getBalanceStatement'>) {
    for (let page = 1; ; page += 1) {
      const { data, meta } = await dataOf(
        client.GET('/v2/balance-statement', { params: { query: { ...query, page } } }),
      )
      yield data
      if (page >= meta.last_page) return
    }
  },
  async *billers(query: Query<'listBillers'>) {
    for (let page = 1; ; page += 1) {
      const { data, meta } = await dataOf(
        client.GET('/v1/billpay/billers', { params: { query: { ...query, page } } }),
      )
      yield data
      if (page >= meta.last_page) return
    }
  },
  async *events(query: Query<'listEvents'>) {
    for (let after = 0; ; ) {
      const page = await dataOf(client.GET('/v2/events', { params: { query: { ...query, after } } }))
      yield page.data
      if (!page.has_more) return
      after = page.next
    }
  },
}

async function list(iterator: keyof typeof PAGES, input: object, max: number): Promise<unknown[]> {
  const items: unknown[] = []
  const pages = PAGES[iterator] as (query: object) => AsyncIterable<readonly unknown[]>
  for await (const page of pages(input)) {
    items.push(...page)
    if (items.length >= max) break
  }
  return items.slice(0, max)
}

// biome-ignore lint/suspicious/noExplicitAny: commands are JSON of the suite, in the form of driver.md.
type Members = any

const COMMANDS: Readonly<Record<string, (members: Members) => unknown>> = {
  hello: () => ({ client: 'generated', version: '0.1.0' }),
  configure({ settings }) {
    client = connect(settings)
  },
  operation: ({ name, input }) =>
    dataOf(
      (OPERATIONS[name as keyof typeof OPERATIONS] as (input: unknown) => Promise<Called<unknown>>)(input),
    ),
  getProduct: ({ code }) => getProduct(code),
  optionsFor: ({ product, field, values }) => optionsFor(product, field, values ?? {}),
  buildPayment: ({ product, values, options }) => buildPayment(product, values, options),
  pay: ({ payment }) => pay(payment),
  payAndWait: ({ payment, timeoutMs, pollScheduleMs }) => payAndWait(payment, timeoutMs, pollScheduleMs[0]),
  list: ({ iterator, input, max }) => list(iterator, input ?? {}, max ?? Number.POSITIVE_INFINITY),
}

async function answer(line: string): Promise<object> {
  const { id, do: name, ...members } = JSON.parse(line) as { id: number; do: string }
  try {
    const command = COMMANDS[name]
    if (command === undefined) throw new NotInThisClient(`a generated client has no ${name}`)
    return { id, ok: (await command(members)) ?? null }
  } catch (error) {
    const { name: kind, message } = error as Error
    const refusal = error instanceof ApiError ? { status: error.status, code: error.code } : {}
    return { id, error: { class: kind, message, ...refusal } }
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await answer(line))}\n`)
}
