import type { Problem } from './errors.ts'
import { InvalidPayment } from './errors.ts'
import type { Field, Mapping, Option, PaymentRequest, Product } from './types.generated.ts'

// Payment from a product's form: values are checked against its fields, and placed by its fulfillment.

/** Value of a field: text, a number, or the whole option of a select field. */
export type FieldValue = string | number | Option | null | undefined

export type FormValues = Readonly<Record<string, FieldValue>>

export type BuildOptions = {
  /** Your reference, 1 to 50 characters. Store it before you pay. */
  readonly refid: string
  readonly remarks?: string | undefined
  /** Quote whose cost is taken: see createQuote. */
  readonly quoteId?: string | undefined
  /** Highest cost at which it is paid. */
  readonly maxCost?: string | number | undefined
  /** Account of a product that has no account field. */
  readonly account?: string | undefined
  /** Options by field id, for values that are codes. */
  readonly options?: Readonly<Record<string, readonly Option[]>> | undefined
  /** True: staging's test accounts fit every product, as they do there. */
  readonly allowTestAccounts?: boolean | undefined
}

/** Parts of a product that the form needs. */
export type FormProduct = Pick<Product, 'code' | 'fields' | 'fulfillment' | 'min_amount' | 'max_amount'>

/** Plain decimal, greater than zero is checked apart. */
const AMOUNT = /^\d{1,11}(?:\.\d{1,4})?$/
const UNITS = 10_000n
const TEST_ACCOUNT = /^6012345[0-4]\d{3}$/
const REFID_MAX = 50
/** Spaces of any kind, dashes, dots, and the marks that copied texts carry unseen. */
const SEPARATORS = /[\s.\p{Pd}\u2212\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu

/** Builds a payment. Throws InvalidPayment with all problems. */
export function buildPayment(
  product: FormProduct,
  values: FormValues,
  options: BuildOptions,
): PaymentRequest {
  const problems: Problem[] = []
  // All values are known before one is judged: limits and needs of a field depend on others, in any order.
  const chosen = Object.fromEntries(
    product.fields.map((field) => [field.id, chooseOption(field, values[field.id], options)]),
  )
  const { length } = [...options.refid]
  if (length < 1 || length > REFID_MAX) {
    problems.push({ field: 'refid', message: 'A refid has 1 to 50 characters' })
  }
  for (const field of [...product.fields].sort((a, b) => a.order - b.order)) {
    const value = chosen[field.id]
    const message = isEmpty(value)
      ? missing(field, chosen)
      : problemOf(product, field, value, chosen, options)
    if (message !== undefined) problems.push({ field: field.id, message })
  }
  for (const id of Object.keys(values)) {
    if (!product.fields.some((field) => field.id === id)) {
      problems.push({ field: id, message: `There is no field ${id}` })
    }
  }
  const toAccount = accountOf(product)
  const account = toAccount === undefined ? options.account : read(chosen, toAccount)
  if (toAccount === undefined && isEmpty(account)) {
    problems.push({ field: 'account', message: 'An account is required' })
  }
  if (problems.length > 0) throw new InvalidPayment(problems)
  return assemble(product, chosen, String(account), options)
}

/** Returns the source of the account; undefined where there is none. Services before 0.2 leave the mapping out then. */
function accountOf({ fulfillment }: FormProduct): Mapping | undefined {
  const { account } = fulfillment as Partial<FormProduct['fulfillment']>
  const { from_field: id = null, ...how } = account ?? {}
  return id === null ? undefined : { ...how, from_field: id }
}

function assemble(
  product: FormProduct,
  values: FormValues,
  account: string,
  { refid, remarks, quoteId, maxCost }: BuildOptions,
): PaymentRequest {
  const { amount: toAmount, extras: toExtras = {} } = product.fulfillment
  const amount = read(values, toAmount)
  const extras = Object.entries(toExtras)
    .map(([key, mapping]) => [key, mapping, read(values, mapping)] as const)
    .filter(([, mapping, value]) => !(isEmpty(value) && mapping.omit_if_empty === true))
    .map(([key, , value]) => [key, String(value ?? '')] as const)
  return {
    refid,
    product: product.code,
    account,
    // An option's denomination is a number; an amount that was typed stays as it was typed.
    amount: toAmount.path === undefined ? String(amount) : (amount as string | number),
    ...(remarks !== undefined && { remarks }),
    ...(quoteId !== undefined && { quote_id: quoteId }),
    ...(maxCost !== undefined && { max_cost: maxCost }),
    ...(extras.length > 0 && { extras: Object.fromEntries(extras) }),
  }
}

/** Finds the option of a code. A code without an option stays text, which no select field takes. */
function chooseOption(field: Field, value: FieldValue, { options }: BuildOptions): FieldValue {
  if (field.type !== 'select' || isEmpty(value) || typeof value === 'object') return value
  return options?.[field.id]?.find(({ code }) => code === String(value)) ?? value
}

/** Returns the problem of a field without a value. A biller's option may require a second reference. */
function missing(field: Field, chosen: FormValues): string | undefined {
  const isRef2Required =
    field.id === 'ref2' && optionsIn(chosen).some((option) => option.ref2_required === true)
  return field.required || isRef2Required ? `${field.label} is required` : undefined
}

function problemOf(
  product: FormProduct,
  field: Field,
  value: FieldValue,
  chosen: FormValues,
  options: BuildOptions,
): string | undefined {
  if (field.type === 'select') return optionProblem(product, field, value, chosen)
  if (typeof value === 'object') return invalid(field)
  const text = String(value)
  const isTestAccount =
    field.role === 'account' && options.allowTestAccounts === true && TEST_ACCOUNT.test(text)
  const { pattern } = field.validation
  const judged = field.number_kind === undefined ? text : withoutSeparators(text)
  if (pattern !== undefined && !isTestAccount && !new RegExp(pattern, 'u').test(judged)) return invalid(field)
  if (field.type === 'text') return undefined
  const amount = unitsOf(text)
  if (amount === undefined || amount === 0n || !isWithin(amount, field.validation)) return invalid(field)
  return field.role === 'pricing' ? limitProblem(field, amount, limitsOf(product, chosen)) : undefined
}

/** Returns a telephone number without what people write between its digits, for its pattern. It is sent as it is. */
function withoutSeparators(text: string): string {
  return text
    .replace(SEPARATORS, '')
    .replace(/(\d\)?)\(0\)/, '$1')
    .replace(/[()[\]]/g, '')
    .replace(/^00/, '+')
}

function optionProblem(
  product: FormProduct,
  field: Field,
  value: FieldValue,
  chosen: FormValues,
): string | undefined {
  if (typeof value !== 'object') return `${field.label} has no option ${value}`
  const { amount } = product.fulfillment
  const isSource = amount.from_field === field.id
  const path = isSource ? amount.path : undefined
  return path !== undefined && isEmpty(read(chosen, amount)) ? `${field.label} has no ${path}` : undefined
}

function invalid({ label, validation }: Field): string {
  return validation.message ?? `${label} is not valid`
}

type Limits = { readonly min: readonly string[]; readonly max: readonly string[] }

/** Lists the limits of a payment's amount: the reseller's own, and those of the chosen biller. */
function limitsOf(product: FormProduct, chosen: FormValues): Limits {
  const owners = [product, ...optionsIn(chosen)]
  return {
    min: owners.flatMap(({ min_amount: money }) => (money == null ? [] : [money.amount])),
    max: owners.flatMap(({ max_amount: money }) => (money == null ? [] : [money.amount])),
  }
}

function limitProblem({ label }: Field, amount: bigint, { min, max }: Limits): string | undefined {
  const low = min.find((limit) => amount < (unitsOf(limit) ?? 0n))
  if (low !== undefined) return `${label} must be at least ${low}`
  const high = max.find((limit) => amount > (unitsOf(limit) ?? amount))
  return high === undefined ? undefined : `${label} must be at most ${high}`
}

function isWithin(amount: bigint, { min, max }: Field['validation']): boolean {
  if (min !== undefined && amount < (unitsOf(String(min)) ?? 0n)) return false
  return max === undefined || amount <= (unitsOf(String(max)) ?? amount)
}

/** Reads a plain decimal as an integer of 1/10,000; undefined: it is none. */
function unitsOf(text: string): bigint | undefined {
  if (!AMOUNT.test(text)) return undefined
  const [whole = '0', decimals = ''] = text.split('.')
  return BigInt(whole) * UNITS + BigInt(decimals.padEnd(4, '0'))
}

function optionsIn(values: FormValues): Option[] {
  return Object.values(values).filter((value) => typeof value === 'object' && value !== null)
}

function read(values: FormValues, { from_field: id, path }: Mapping): unknown {
  const value: unknown = values[id]
  if (path === undefined) return value
  return path
    .split('.')
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value)
}

function isEmpty(value: unknown): value is '' | null | undefined {
  return value === undefined || value === null || value === ''
}
