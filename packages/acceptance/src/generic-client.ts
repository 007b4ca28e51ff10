import { signed } from './http.ts'
import type { Credentials } from './signing.ts'

// Client that knows only the catalog: it draws the form from `fields`, requests options where `data_source` says so,
// and builds the payment from `fulfillment`. What it can buy, any integrator can buy.

export type Field = {
  id: string
  type: 'text' | 'number' | 'select' | 'money'
  required: boolean
  order: number
  role: 'account' | 'pricing' | 'none'
  validation?: { pattern?: string; min?: number; max?: number }
  data_source?: {
    type: 'reference' | 'dynamic'
    depends_on?: string[]
    endpoint: string
    params: Record<string, { static: string } | { from_field: string }>
  }
}

export type Mapping = { from_field: string; path?: string; omit_if_empty?: boolean }

export type Product = {
  code: string
  fields: Field[]
  fulfillment: { account: Mapping | { from_field: null }; amount: Mapping; extras?: Record<string, Mapping> }
  /** Limits that replace the pricing field's own. */
  min_amount?: { amount: string } | null
  max_amount?: { amount: string } | null
}

export type Catalog = { last_updated: string; products: Record<string, Product> }

type OptionItem = Record<string, unknown> & { code: string }
type Values = Record<string, string | OptionItem>

export type PaymentBody = {
  refid: string
  product: string
  account: string
  amount: string | number
  extras?: Record<string, string>
}

export type PaymentAnswer = {
  statusCode: number
  status: string
  transaction_id: string
  cost: number
  balance: number
  sn: string
  pin: string
  voucherlink: string
}

/** Values that a customer might type; the first one that the field's own pattern accepts is taken. */
const TYPED = [
  '60123456789',
  '0123456789',
  '900101145678',
  '1234567890',
  '12345678',
  '123456',
  'player1',
  'a@b.example',
]
/** Account that is paid for with products without an account field. */
const OWN_ACCOUNT = '60123456789'

/** Options to take, by the field's id, counted from 0. */
export type Choices = Readonly<Record<string, number>>

export class GenericClient {
  readonly #baseUrl: string
  readonly #credentials: Credentials
  readonly #release: string

  /** `release` is the form of the catalog that the client follows. */
  constructor(baseUrl: string, credentials: Credentials, release = '2026-09-16') {
    this.#baseUrl = baseUrl
    this.#credentials = credentials
    this.#release = release
  }

  async catalog(): Promise<Catalog> {
    const answer = await this.#get('/v2/catalog')
    return answer as Catalog
  }

  /** Fills the product's form as a customer would and returns the payment body. */
  async fill(product: Product, refid: string, choices: Choices = {}): Promise<PaymentBody> {
    const values: Values = {}
    for (const field of product.fields.toSorted((a, b) => a.order - b.order)) {
      values[field.id] =
        field.type === 'select'
          ? await this.#choose(product, field, values, choices[field.id] ?? 0)
          : typed(product, field)
    }
    const { account, amount, extras } = product.fulfillment
    const body: PaymentBody = {
      refid,
      product: product.code,
      account: account.from_field === null ? OWN_ACCOUNT : String(read(values, account)),
      amount: amountOf(read(values, amount)),
    }
    const filled = Object.entries(extras ?? {}).flatMap(([key, mapping]) => {
      const value = read(values, mapping)
      const empty = value === undefined || value === null || value === ''
      return empty && mapping.omit_if_empty === true ? [] : [[key, String(value)] as const]
    })
    return filled.length === 0 ? body : { ...body, extras: Object.fromEntries(filled) }
  }

  /** Sends the payment once. To learn its outcome, the caller sends it again. */
  async pay(body: PaymentBody): Promise<PaymentAnswer> {
    const input = { method: 'POST', path: '/v2/topup', json: body }
    const answer = await signed(this.#baseUrl, this.#credentials, input)
    if (answer.status !== 200) throw new Error(`${body.product}: ${answer.status} ${answer.text}`)
    return answer.json<{ data: PaymentAnswer }>().data
  }

  /** Lists the choices of the field that prices the product; undefined if the amount is typed. */
  async priced(product: Product): Promise<{ field: string; codes: string[] } | undefined> {
    const field = product.fields.find((each) => each.role === 'pricing' && each.type === 'select')
    if (field === undefined) return undefined
    const values = Object.fromEntries(
      product.fields.filter((each) => each.type !== 'select').map((each) => [each.id, typed(product, each)]),
    )
    const items = await this.#options(product, field, values)
    return { field: field.id, codes: items.map((item) => item.code) }
  }

  async #choose(product: Product, field: Field, values: Values, index: number): Promise<OptionItem> {
    const chosen = (await this.#options(product, field, values))[index]
    if (chosen === undefined) throw new Error(`${product.code}.${field.id}: no option ${index}`)
    return chosen
  }

  async #options(product: Product, field: Field, values: Values): Promise<OptionItem[]> {
    const source = field.data_source
    if (source === undefined) throw new Error(`${product.code}.${field.id}: a select without a data_source`)
    for (const needed of source.depends_on ?? []) {
      if (values[needed] === undefined) throw new Error(`${product.code}.${field.id} needs ${needed} first`)
    }
    const query = new URLSearchParams()
    for (const [name, parameter] of Object.entries(source.params)) {
      query.append(name, 'static' in parameter ? parameter.static : String(values[parameter.from_field]))
    }
    const answer = await this.#get(`/v2${source.endpoint}?${query}`)
    return (answer as { items: OptionItem[] }).items
  }

  async #get(path: string): Promise<unknown> {
    const headers = { 'X-API-Version': this.#release }
    const answer = await signed(this.#baseUrl, this.#credentials, { method: 'GET', path, headers })
    if (answer.status !== 200) throw new Error(`GET ${path} answered ${answer.status}: ${answer.text}`)
    return answer.json()
  }
}

function typed(product: Product, field: Field): string {
  const { pattern, min, max } = field.validation ?? {}
  if (!field.required) return ''
  if (field.type === 'money' || field.type === 'number') {
    const limits: Pick<Product, 'min_amount' | 'max_amount'> = field.role === 'pricing' ? product : {}
    return String(limits.min_amount?.amount ?? min ?? limits.max_amount?.amount ?? max ?? 1)
  }
  const accepted = TYPED.find((text) => pattern === undefined || new RegExp(pattern).test(text))
  if (accepted === undefined) throw new Error(`nothing that a customer would type matches ${pattern}`)
  return accepted
}

function read(values: Values, mapping: Mapping): unknown {
  const value: unknown = values[mapping.from_field]
  if (mapping.path === undefined) return value
  return mapping.path
    .split('.')
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value)
}

function amountOf(value: unknown): string | number {
  if (typeof value === 'number' || typeof value === 'string') return value
  throw new Error(`the amount is ${JSON.stringify(value)}`)
}
