import { createClock } from './clock.ts'
import { NotFound } from './errors.ts'
import type { FollowOptions } from './feed.ts'
import { followEvents } from './feed.ts'
import type { FormValues } from './forms.ts'
import type { Read, TransactionsInput } from './lists.ts'
import * as lists from './lists.ts'
import { createLostAttempts } from './lost-attempts.ts'
import type { Operations, Route } from './operations.generated.ts'
import { ROUTES } from './operations.generated.ts'
import type { PayAndWaitOptions, PayOptions } from './payments.ts'
import { pay, payAndWait } from './payments.ts'
import type { ClientSettings } from './settings.ts'
import { readSettings } from './settings.ts'
import type { Query } from './signing.ts'
import { encodeQuery, escapeText } from './signing.ts'
import type { Outgoing, Transport } from './transport.ts'
import { exchange, request } from './transport.ts'
import type { Option, Payment, PaymentRequest, Product } from './types.generated.ts'

export type CallOptions = PayOptions

/** Method of an operation: one input, if the operation has one, and settings of this call. */
type Method<K extends keyof Operations> = undefined extends Operations[K]['input']
  ? (input?: Operations[K]['input'], options?: CallOptions) => Promise<Operations[K]['answer']>
  : (input: Operations[K]['input'], options?: CallOptions) => Promise<Operations[K]['answer']>

export type OperationMethods = { readonly [K in Exclude<keyof Operations, 'pay'>]: Method<K> }

type ListInput<F extends (read: Read, input: never) => unknown> = Parameters<F>[1]
type DeliveryInput = Parameters<typeof lists.deliveries>[2]

export type Called = {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly requestId: string | undefined
  readonly body: unknown
}

export type CallInput = CallOptions & { readonly query?: Query | undefined; readonly body?: unknown }

export type Helpers = {
  /** Sends a payment, or asks for its status. Returns it as it is now. */
  pay(payment: PaymentRequest, options?: PayOptions): Promise<Payment>
  /** Sends a payment and asks until it has ended. */
  payAndWait(payment: PaymentRequest, options?: PayAndWaitOptions): Promise<Payment>
  /** Signs and sends any request. Returns every answer, good or bad. */
  call(method: string, path: string, input?: CallInput): Promise<Called>
  /** Returns one product of the catalogue. Throws NotFound. */
  getProduct(code: string): Promise<Product>
  transactions(input: TransactionsInput): ReturnType<typeof lists.transactions>
  statement(input: ListInput<typeof lists.statement>): ReturnType<typeof lists.statement>
  options(input: ListInput<typeof lists.options>): ReturnType<typeof lists.options>
  /** Options of a product's select field; `values` has the fields that it depends on. */
  optionsFor(product: Product, fieldId: string, values?: FormValues): ReturnType<typeof lists.options>
  billers(input?: ListInput<typeof lists.billers>): ReturnType<typeof lists.billers>
  cases(input?: ListInput<typeof lists.cases>): ReturnType<typeof lists.cases>
  orders(input?: ListInput<typeof lists.orders>): ReturnType<typeof lists.orders>
  callbackDeliveries(input?: DeliveryInput): ReturnType<typeof lists.deliveries>
  balanceWebhookDeliveries(input?: DeliveryInput): ReturnType<typeof lists.deliveries>
  catalogWebhookDeliveries(input?: DeliveryInput): ReturnType<typeof lists.deliveries>
  orderWebhookDeliveries(input?: DeliveryInput): ReturnType<typeof lists.deliveries>
  events(input?: ListInput<typeof lists.events>): ReturnType<typeof lists.events>
  /** Handles every event at least once, in order, until the signal is aborted. */
  followEvents(options: FollowOptions): Promise<void>
  /** Returns the milliseconds by which the local clock is corrected. */
  clockOffsetMs(): number
}

export type Client = OperationMethods & Helpers

/** Makes a client. Keep it: it remembers how far the clock is off. */
export function createClient(given: ClientSettings): Client {
  const settings = readSettings(given)
  const transport: Transport = { settings, clock: createClock(settings.now), lost: createLostAttempts() }
  const operate = async (route: Route, input: unknown, options: CallOptions = {}) =>
    (await request(transport, outgoingOf(transport, route, input, options))).body
  const read: Read = (operation, input, signal) => operate(ROUTES[operation], input, { signal }) as never
  const methods = Object.fromEntries(
    Object.entries<Route>(ROUTES).map(([name, route]) => [
      name,
      (input: unknown, options?: CallOptions) => operate(route, input, options),
    ]),
  ) as unknown as OperationMethods
  return { ...methods, ...helpersOf(transport, read) }
}

function helpersOf(transport: Transport, read: Read): Helpers {
  return {
    pay: (payment, options = {}) => pay(transport, payment, options),
    payAndWait: (payment, options = {}) => payAndWait(transport, payment, options),
    call: (method, path, input = {}) => call(transport, method, path, input),
    async getProduct(code) {
      const { products } = await read('getCatalog', { product_code: code })
      const product = products[code]
      if (product !== undefined) return product
      throw new NotFound({ token: 'not_found', message: `There is no product ${code}.` })
    },
    transactions: (input) => lists.transactions(read, input),
    statement: (input) => lists.statement(read, input),
    options: (input) => lists.options(read, input),
    optionsFor: (product, fieldId, values) => lists.options(read, optionQuery(product, fieldId, values)),
    billers: (input) => lists.billers(read, input),
    cases: (input) => lists.cases(read, input),
    orders: (input) => lists.orders(read, input),
    callbackDeliveries: (input) => lists.deliveries(read, 'listCallbackDeliveries', input),
    balanceWebhookDeliveries: (input) => lists.deliveries(read, 'listBalanceWebhookDeliveries', input),
    catalogWebhookDeliveries: (input) => lists.deliveries(read, 'listCatalogWebhookDeliveries', input),
    orderWebhookDeliveries: (input) => lists.deliveries(read, 'listOrderWebhookDeliveries', input),
    events: (input) => lists.events(read, input),
    followEvents: (options) => followEvents(read, transport.settings, options),
    clockOffsetMs: () => transport.clock.offsetMs(),
  }
}

/** Builds the request of an operation: names in the path are filled, the rest is the body or the query. */
function outgoingOf(transport: Transport, route: Route, input: unknown, options: CallOptions): Outgoing {
  const rest = { ...(input as Readonly<Record<string, unknown>> | undefined) }
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    if (value === undefined || value === '')
      throw new TypeError(`${route.method} ${route.path} needs ${name}.`)
    return escapeText(String(value))
  })
  return {
    method: route.method,
    path,
    query: route.hasBody === true ? '' : encodeQuery(rest as Query),
    body: route.hasBody === true ? JSON.stringify(rest) : undefined,
    headers: { 'X-API-Version': transport.settings.apiVersion, ...options.headers },
    isOpen: route.isOpen,
    timeoutMs: options.timeoutMs,
    signal: options.signal,
  }
}

function call(transport: Transport, method: string, path: string, input: CallInput): Promise<Called> {
  const at = path.indexOf('?')
  const own = at < 0 ? '' : path.slice(at + 1)
  const query = [own, encodeQuery(input.query ?? {})].filter((part) => part !== '').join('&')
  return exchange(transport, {
    method: method.toUpperCase(),
    path: at < 0 ? path : path.slice(0, at),
    query,
    body: input.body === undefined ? undefined : bodyText(input.body),
    headers: { 'X-API-Version': transport.settings.apiVersion, ...input.headers },
    timeoutMs: input.timeoutMs,
    signal: input.signal,
  })
}

/** Returns a text as it is, and any other value as JSON. */
function bodyText(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body)
}

/** Fills the parameters of a select field's data source. */
function optionQuery(product: Product, fieldId: string, values: FormValues = {}) {
  const source = product.fields.find(({ id }) => id === fieldId)?.data_source
  if (source === undefined) throw new TypeError(`${product.code} has no select field ${fieldId}.`)
  const filled = Object.entries(source.params).map(([name, parameter]) => {
    if ('static' in parameter) return [name, parameter.static] as const
    const value = values[parameter.from_field]
    if (value === undefined || value === null || value === '') {
      throw new TypeError(`The options of ${fieldId} need a value of ${parameter.from_field} first.`)
    }
    return [name, typeof value === 'object' ? (value as Option).code : String(value)] as const
  })
  return { product_code: product.code, field_id: fieldId, ...Object.fromEntries(filled) }
}
