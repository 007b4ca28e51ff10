// Forms of answers by the contract, written a second time and without the server's own schemas. Objects are closed: a
// member that the contract does not name is a problem too.

/** Lists the problems of a value; an empty list if it has the shape. */
export type Shape = (value: unknown, path: string) => string[]

function isA(what: string, test: (value: unknown) => boolean): Shape {
  return (value, path) => (test(value) ? [] : [`${path}: ${JSON.stringify(value)} is not ${what}`])
}

export const text = isA('a string', (value) => typeof value === 'string')
export const words = isA(
  'a string with something in it',
  (value) => typeof value === 'string' && value !== '',
)
export const number = isA('a number', (value) => typeof value === 'number' && Number.isFinite(value))
export const boolean = isA('a boolean', (value) => typeof value === 'boolean')
export const nothing = isA('null', (value) => value === null)
const picture = isA(
  'an address of a picture',
  (value) => typeof value === 'string' && /^https?:\/\/\S+$/.test(value),
)

export function oneOf(...values: readonly string[]): Shape {
  return isA(`one of ${values.join(', ')}`, (value) => typeof value === 'string' && values.includes(value))
}

export function matching(pattern: RegExp): Shape {
  return isA(`text like ${pattern}`, (value) => typeof value === 'string' && pattern.test(value))
}

export function nullable(shape: Shape): Shape {
  return (value, path) => (value === null ? [] : shape(value, path))
}

export function list(shape: Shape): Shape {
  return (value, path) =>
    Array.isArray(value)
      ? value.flatMap((each, index) => shape(each, `${path}[${index}]`))
      : [`${path}: ${JSON.stringify(value)} is not a list`]
}

/** Shape of an object whose names the contract does not fix, such as product codes. */
export function mapOf(shape: Shape): Shape {
  return (value, path) =>
    isPlain(value)
      ? Object.entries(value).flatMap(([name, member]) => shape(member, `${path}.${name}`))
      : [`${path}: ${JSON.stringify(value)} is not an object`]
}

type Members = Readonly<Record<string, Shape>>

export function object(required: Members, optional: Members = {}): Shape {
  return (value, path) => {
    if (!isPlain(value)) return [`${path}: ${JSON.stringify(value)} is not an object`]
    const missing = Object.keys(required)
      .filter((name) => !Object.hasOwn(value, name))
      .map((name) => `${path}.${name} is missing`)
    const present = Object.entries(value).flatMap(([name, member]) => {
      const shape = required[name] ?? optional[name]
      return shape === undefined
        ? [`${path}.${name} is not in the contract`]
        : shape(member, `${path}.${name}`)
    })
    return [...missing, ...present]
  }
}

export function anyOf(...shapes: readonly Shape[]): Shape {
  return (value, path) => {
    const problems = shapes.map((shape) => shape(value, path))
    return problems.some((each) => each.length === 0) ? [] : problems.flat()
  }
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

// ── Catalogue ──

const DECIMAL = /^-?\d+(\.\d+)?$/

export const money = object({ amount: matching(DECIMAL), currency: matching(/^[A-Z]{3,10}$/) })

const COMMON_FIELD = {
  id: words,
  input_mode: oneOf('text', 'tel', 'numeric', 'email', 'decimal'),
  label: words,
  placeholder: text,
  required: boolean,
  order: number,
  role: oneOf('account', 'pricing', 'none'),
}

const limits = { min: number, max: number }
const rules = { pattern: words, message: words }
const parameters = mapOf(anyOf(object({ static: words }), object({ from_field: words })))

const dataSource = anyOf(
  object({ type: oneOf('reference'), endpoint: oneOf('/options'), params: parameters }),
  object({
    type: oneOf('dynamic'),
    depends_on: list(words),
    endpoint: oneOf('/options'),
    params: parameters,
  }),
)

const field = anyOf(
  object(
    { ...COMMON_FIELD, type: oneOf('text'), validation: object({}, rules) },
    { number_kind: oneOf('mobile', 'fixed'), number_country: matching(/^[A-Z]{2}$/) },
  ),
  object({ ...COMMON_FIELD, type: oneOf('number'), validation: object({}, { ...rules, ...limits }) }),
  object({
    ...COMMON_FIELD,
    type: oneOf('select'),
    validation: object({}, rules),
    data_source: dataSource,
  }),
  object({
    ...COMMON_FIELD,
    type: oneOf('money'),
    input_mode: oneOf('decimal'),
    validation: object(limits, rules),
    currency: words,
  }),
)

const mapping = object({ from_field: words }, { path: words, omit_if_empty: boolean })
const accountMapping = anyOf(mapping, object({ from_field: nothing }))

const adjustment = anyOf(
  object({ type: oneOf('fixed'), value: number, currency: words }),
  object({ type: oneOf('percentage'), value: number }),
)

const product = object({
  code: words,
  name: words,
  note: nullable(words),
  image_url: picture,
  processing_time: oneOf('instant', '24_hours', '3_days', 'link', 'pin'),
  is_active: boolean,
  denomination: nullable(words),
  denomination_currency: nullable(words),
  denomination_unit_price: isA('a number above 0', (value) => typeof value === 'number' && value > 0),
  fields: list(field),
  fulfillment: object({ account: accountMapping, amount: mapping }, { extras: mapOf(mapping) }),
  pricing: object({
    unit_price: matching(DECIMAL),
    currency: words,
    discount: object({ type: oneOf('percentage', 'fixed'), value: words }),
    price_adjustment: nullable(adjustment),
    has_loss_risk: boolean,
  }),
  min_amount: nullable(money),
  max_amount: nullable(money),
  // Addition to the contract.
  is_refundable: boolean,
})

const category = object({ id: words, name: words, product_codes: list(words) })
const group = object({ id: words, name: words, icon_url: text, categories: list(category) })

export const catalogShape = object({
  last_updated: matching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/),
  tree: object({ groups: list(group) }),
  products: mapOf(product),
})

// ── Options ──

const meta = object({ current_page: number, last_page: number, per_page: number, total: number })

const described = { validity: words, features: list(words), description: words }

function optionsOf(item: Shape): Shape {
  return object({ product_code: words, field_id: words, items: list(item), meta })
}

const prices = { price: money, cost: money, rrp: money, has_loss_risk: boolean }

export const pricedOptions = optionsOf(
  object({ code: words, label: words, denomination: number, ...prices }, described),
)
/** Shape before 2026-09-16. */
export const olderPricedOptions = optionsOf(object({ code: words, label: words, ...prices }, described))
export const billerOptions = optionsOf(
  object(
    { code: words, label: words },
    {
      description: words,
      min_amount: money,
      max_amount: money,
      // Addition to the contract.
      ref2_required: isA('true', (value) => value === true),
    },
  ),
)
export const loanOptions = optionsOf(
  object({ code: words, label: words, account_number: matching(/^\d+$/) }, { description: words }),
)

// ── Billers and the deprecated operations ──

/** Limit; -1 is none. */
const limit = matching(/^(-1|\d+\.\d{2,4})$/)

const biller = object({
  biller_code: words,
  display_name: words,
  denomination: nothing,
  face_value: nothing,
  validity: nothing,
  account_number: nothing,
  description: nullable(words),
  additional_description: list(words),
  min: limit,
  max: limit,
  suggested_category: nullable(words),
})

const address = matching(/^https?:\/\/\S+$/)

export const billersShape = object({
  message: words,
  data: list(biller),
  links: object({ first: address, last: address, prev: nullable(address), next: nullable(address) }),
  meta: object({
    current_page: number,
    from: nullable(number),
    last_page: number,
    path: address,
    per_page: number,
    to: nullable(number),
    total: number,
  }),
})

export const productListShape = object({
  data: list(
    object({
      status: oneOf('Active', 'Inactive'),
      has_subproduct: boolean,
      product_code: words,
      product_name: words,
      product_remarks: text,
      account_label: nullable(words),
      keyboard_type: text,
      denomination: text,
      common_denominations: text,
      denomination_data_type: oneOf('Integer', 'Decimal'),
      denomination_currency: words,
      denomination_unit_price: number,
      product_group: words,
      category: words,
      image_url: picture,
      account_type: oneOf('account_number', 'phone_number', 'both', 'not_required'),
      is_refundable: boolean,
    }),
  ),
})

export const subProductsShape = object({
  message: words,
  data: list(
    object({
      subproduct_code: words,
      display_name: words,
      denomination: nullable(matching(DECIMAL)),
      face_value: nullable(matching(DECIMAL)),
      validity: nullable(words),
      description: nullable(words),
      account_number: nullable(words),
      additional_description: nullable(list(words)),
      min: nullable(limit),
      max: nullable(limit),
    }),
  ),
})

// ── Payments ──

const PAYMENT = {
  statusCode: number,
  account: text,
  product: text,
  productName: text,
  amount: number,
  sn: text,
  pin: text,
  expiry: matching(/^(\d{8})?$/),
  cost: number,
  balance: number,
  remarks: text,
  refid: text,
  timestamp: matching(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/),
  note: text,
  voucherlink: text,
}

const existing = object({
  ...PAYMENT,
  status: oneOf('Accepted', 'Processing', 'Succesful', 'Failed'),
  transaction_id: matching(/^\d+$/),
})

const errors = mapOf(list(words))

export const paymentShape = object({ data: existing })
/** Shape without `transaction_id`, also not an empty one. */
export const rejectionShape = object({
  data: object({ ...PAYMENT, status: oneOf('Failed') }),
  message: words,
  errors,
})
export const conflictShape = object({ data: existing, message: words, errors })

// ── Bills and the network ──

const dayFirst = matching(/^\d{2}-\d{2}-\d{4} \d{2}:\d{2}:\d{2}$/)

function wrapped(data: Shape, statusCode: number, verdict: Members): Shape {
  const metadata = object({
    status_code: isA(String(statusCode), (value) => value === statusCode),
    product_code: text,
    last_updated: dayFirst,
  })
  return object({ data, metadata, ...verdict })
}

/** Shape with every field; null is for a field that the biller did not return. */
export const billShape = wrapped(
  object({
    message: words,
    BillerName: nullable(words),
    CustomerName: nullable(words),
    Outstanding: nullable(number),
    Balance: nullable(words),
    Data: nullable(words),
    Address: nullable(words),
    'E-Bill': nullable(address),
    CustomField: () => [],
    DueDate: nullable(words),
  }),
  200,
  {
    transaction_validity: isA('true', (value) => value === true),
    transaction_message: words,
    error_message: matching(/^$/),
  },
)

const empty = matching(/^$/)

export const billRefusalShape = wrapped(
  object({
    message: words,
    BillerName: empty,
    CustomerName: empty,
    Outstanding: nothing,
    Balance: empty,
    Data: empty,
    Address: empty,
    'E-Bill': empty,
    CustomField: empty,
    DueDate: empty,
  }),
  400,
  { transaction_validity: nothing, transaction_message: nothing, error_message: words },
)

export const networkShape = object({
  data: object({
    product_code: words,
    product_name: words,
    product_img: picture,
    network_status: oneOf('Healthy', 'Interruption'),
  }),
  metadata: object({ status_code: isA('200', (value) => value === 200), last_updated: dayFirst }),
})
