import { assert } from '../lib/errors.ts'
import type { Amount } from '../lib/money.ts'
import { formatMoney, UNITS_PER_RINGGIT } from '../lib/money.ts'
import { payableRange } from '../modules/catalog/model/pricing.rules.ts'
import type { EffectiveProduct, Field, Mapping } from '../modules/catalog/model/types.ts'
import type { DynamicOption } from '../modules/providers/port/types.ts'
import { simulatedOptions } from '../modules/providers/simulator/options.rules.ts'
import type { Random } from './random.ts'
import { pick } from './random.ts'

/** Customer who buys more than once. */
export type Customer = { readonly phone: string; readonly email: string; readonly icNumber: string }

/** Body for the payment operation, without its refid. */
export type OrderBody = {
  readonly product: string
  readonly account: string
  readonly amount: string
  readonly extras: Readonly<Record<string, string>>
}

type Choice = {
  readonly code: string
  readonly denomination: bigint | null
  readonly accountNumber: string | null
  readonly minAmount: bigint | null
  readonly maxAmount: bigint | null
  readonly requiresRef2: boolean
}

type Form = Map<string, string | Choice>

const GIVEN_NAMES = ['aisyah', 'chong', 'devi', 'farid', 'grace', 'hafiz', 'jalil', 'mei', 'nurul', 'siva']
// Digits after 601. 2 is left out, because staging's test accounts begin with it.
const MOBILE_OPERATORS = ['1', '3', '4', '6', '7', '8', '9']

export function makeCustomers(count: number, random: Random): Customer[] {
  return Array.from({ length: count }, (_, index) => ({
    phone: `601${pick(MOBILE_OPERATORS, random)}${digits(7, random)}`,
    email: `${pick(GIVEN_NAMES, random)}${index + 1}@example.com`,
    icNumber: `${70 + random(30)}${two(1 + random(12))}${two(1 + random(28))}${two(1 + random(14))}${digits(4, random)}`,
  }))
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}

/**
 * Returns digits whose last one is from 1 to 7: staging's options provider is down for numbers that end in 000,
 * 998 or 999.
 */
function digits(count: number, random: Random): string {
  return Array.from({ length: count }, (_, index) => (index === count - 1 ? 1 + random(7) : random(10))).join(
    '',
  )
}

/** Customer at the counter, and the largest amount that such customers type. */
type Buying = { readonly customer: Customer; readonly usualMax: Amount }

/** Fills in the product's form like a client that knows only the catalogue, and makes the body from it. */
export async function fillOrder(
  product: EffectiveProduct,
  customer: Customer,
  usualMax: Amount,
  random: Random,
): Promise<OrderBody> {
  const form: Form = new Map()
  const buying = { customer, usualMax }
  for (const field of product.product.fields) {
    form.set(field.id, await fillField(product, field, form, buying, random))
  }
  const { account, amount, extras = {} } = product.product.fulfillment
  return {
    product: product.product.code,
    // The shop notes the customer's phone if the form has no account.
    account: account === undefined ? customer.phone : valueAt(form, account),
    amount: valueAt(form, amount),
    extras: Object.fromEntries(
      Object.entries(extras)
        .map(([name, mapping]): [string, string] => [name, valueAt(form, mapping)])
        .filter(([, value]) => value !== ''),
    ),
  }
}

function valueAt(form: Form, { fromField, path }: Mapping): string {
  const value = form.get(fromField)
  if (value === undefined || typeof value === 'string') return value ?? ''
  if (path === 'denomination') return value.denomination === null ? '' : formatMoney(value.denomination)
  return path === 'account_number' ? (value.accountNumber ?? '') : value.code
}

async function fillField(
  product: EffectiveProduct,
  field: Field,
  form: Form,
  { customer, usualMax }: Buying,
  random: Random,
): Promise<string | Choice> {
  if (field.type === 'select') return choose(product, field, form, random)
  if (field.role === 'pricing') return fillAmount(product, field, form, usualMax, random)
  switch (field.id) {
    case 'phone':
      return customer.phone
    case 'email':
      return customer.email
    case 'ic_number':
      return customer.icNumber
    case 'ref2':
      return findBiller(form)?.requiresRef2 === true ? `R2-${digits(6, random)}` : ''
    default:
      return likePlaceholder(field.placeholder, random)
  }
}

/** Returns the placeholder with other digits; the first two stay, because they may be a prefix. */
function likePlaceholder(placeholder: string, random: Random): string {
  const [head, tail] = [placeholder.slice(0, 2), placeholder.slice(2)]
  return head + tail.replace(/\d/g, () => String(random(10)))
}

// ── Choices ──

async function choose(product: EffectiveProduct, field: Field, form: Form, random: Random): Promise<Choice> {
  if (field.dataSource?.type === 'dynamic') {
    const option = pick(await askForOptions(product, field, form), random)
    return { ...option, minAmount: null, maxAmount: null, requiresRef2: false }
  }
  const options = product.options(field.id).filter((each) => each.isActive)
  const [one, another] = [pick(options, random).option, pick(options, random).option]
  // People buy what is cheap more often.
  const option = (another.denomination ?? 0n) < (one.denomination ?? 0n) ? another : one
  return { ...option, accountNumber: null }
}

async function askForOptions(
  product: EffectiveProduct,
  field: Field,
  form: Form,
): Promise<readonly DynamicOption[]> {
  const parameter = field.dataSource?.params.account_number
  const accountNumber =
    parameter === undefined || 'static' in parameter ? '' : valueAt(form, { fromField: parameter.fromField })
  const answer = await simulatedOptions.listOptions(
    { productCode: product.product.code, fieldId: field.id, accountNumber },
    new AbortController().signal,
  )
  assert(answer.kind === 'found', 'the demo asks about numbers that have options')
  return answer.options
}

function findBiller(form: Form): Choice | undefined {
  const biller = form.get('biller')
  return typeof biller === 'string' ? undefined : biller
}

// ── Amounts ──

const LEAST = 10n * UNITS_PER_RINGGIT
const UNITS_PER_SEN = UNITS_PER_RINGGIT / 100n
const QUANTITY_MAX = 20

/** Returns an amount: round for reloads, to the sen for bills. */
function fillAmount(
  product: EffectiveProduct,
  field: Field,
  form: Form,
  usualMax: Amount,
  random: Random,
): string {
  if (field.type === 'number') return String(1 + random(QUANTITY_MAX))
  const { minAmount, maxAmount } = product
  const range = payableRange({ fields: product.product.fields, minAmount, maxAmount })
  const biller = findBiller(form)
  const min = largest(LEAST, range.min, biller?.minAmount)
  const max = smallest(min > usualMax ? min : usualMax, range.max, biller?.maxAmount)
  const isRound = product.product.processingTime === 'instant' && product.product.kind !== 'electricity'
  const step = isRound ? 5n * UNITS_PER_RINGGIT : UNITS_PER_SEN
  const steps = Number((max - min) / step) + 1
  return formatMoney(min + BigInt(Math.min(random(steps), random(steps))) * step)
}

function largest(first: bigint, ...others: readonly (bigint | null | undefined)[]): bigint {
  return others.reduce<bigint>((a, b) => (b != null && b > a ? b : a), first)
}

function smallest(first: bigint, ...others: readonly (bigint | null | undefined)[]): bigint {
  return others.reduce<bigint>((a, b) => (b != null && b < a ? b : a), first)
}
