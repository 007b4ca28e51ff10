import { withoutSeparators } from './numbers.ts'
import type { BillAnswer, Field, FormOption, Mapping, FormProduct as Product } from './types.ts'

// Rules of a product's form. They know nothing of any product: the catalogue's field definitions say it all.

/** Values by field id: text as typed, or the whole option, because the payment reads its code and denomination. */
export type Values<O extends FormOption = FormOption> = Readonly<Record<string, string | O | undefined>>

/** Field that products without one of their own get, because every payment names an account. */
export const OWN_ACCOUNT_ID = '$account'

export const TEXT_LENGTH_MAX = 100

/** Problem of a value. The API's own message comes with it where there is one. */
export type FieldProblem =
  | { readonly kind: 'required' }
  | { readonly kind: 'number' }
  | { readonly kind: 'pattern'; readonly message: string | undefined }
  | { readonly kind: 'range'; readonly limits: Limits }

export type Limits = { readonly min: string | undefined; readonly max: string | undefined }

/** Fields in the order of the form. `accountLabel` names the field that a product without one gets. */
export function fieldsOf(product: Product, accountLabel: string): readonly Field[] {
  const fields = product.fields.toSorted((a, b) => a.order - b.order)
  return accountOf(product) === undefined ? [ownAccount(accountLabel), ...fields] : fields
}

/** Returns the source of the payment's account; undefined where the product has no field for it. */
export function accountOf({ fulfillment: { account } }: Pick<Product, 'fulfillment'>): Mapping | undefined {
  const { from_field: id, ...how } = account
  return id === null ? undefined : { ...how, from_field: id }
}

function ownAccount(label: string): Field {
  return {
    id: OWN_ACCOUNT_ID,
    type: 'text',
    input_mode: 'text',
    label,
    placeholder: '',
    required: true,
    order: 0,
    role: 'account',
    validation: {},
  }
}

/** Returns the field as the chosen options want it: a biller names its references, and may need the second one. */
export function adaptField(product: Product, field: Field, values: Values): Field {
  const { extras } = product.fulfillment
  const account = accountOf(product)
  const biller = chosenWith(values, 'ref1_label', 'ref2_label', 'ref2_required')
  if (biller === undefined) return field
  if (field.id === account?.from_field && account.path === undefined) {
    return biller.ref1_label === undefined ? field : { ...field, label: biller.ref1_label }
  }
  if (field.id !== extras?.ref2?.from_field) return field
  return {
    ...field,
    label: biller.ref2_label ?? field.label,
    required: field.required || biller.ref2_required === true,
  }
}

function chosenWith(values: Values, ...names: (keyof FormOption)[]): FormOption | undefined {
  return Object.values(values).find(
    (value): value is FormOption =>
      typeof value === 'object' && names.some((name) => value[name] !== undefined),
  )
}

/** Range of a money or number field. A biller's own range comes first, then the product's, then the field's. */
export function limitsOf(product: Product, field: Field, values: Values): Limits {
  const { min, max } = field.validation
  const own = { min: textOf(min), max: textOf(max) }
  if (field.role !== 'pricing') return own
  const chosen = chosenWith(values, 'min_amount', 'max_amount')
  return {
    min: chosen?.min_amount?.amount ?? product.min_amount?.amount ?? own.min,
    max: chosen?.max_amount?.amount ?? product.max_amount?.amount ?? own.max,
  }
}

function textOf(number: number | undefined): string | undefined {
  return number === undefined ? undefined : String(number)
}

/** Tells what is wrong with a field's value; undefined if nothing is. */
export function problemOf(product: Product, field: Field, values: Values): FieldProblem | undefined {
  const value = values[field.id]
  if (typeof value === 'object') return undefined
  const typed = (value ?? '').trim()
  if (typed === '') return field.required ? { kind: 'required' } : undefined
  if (field.type === 'select') return { kind: 'required' }
  const isNumeric = field.type === 'money' || field.type === 'number'
  if (isNumeric && !(field.type === 'money' ? MONEY : WHOLE).test(typed)) return { kind: 'number' }
  const { pattern, message } = field.validation
  const judged = field.number_kind === undefined ? typed : withoutSeparators(typed)
  if (pattern !== undefined && !matches(pattern, judged)) return { kind: 'pattern', message }
  if (!isNumeric) return undefined
  const limits = limitsOf(product, field, values)
  return isWithin(typed, limits) ? undefined : { kind: 'range', limits }
}

const MONEY = /^\d{1,12}(\.\d{1,4})?$/
const WHOLE = /^\d{1,18}$/

function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    // A pattern that this browser cannot read is left to the service, which judges every payment again.
    return true
  }
}

function isWithin(text: string, { min, max }: Limits): boolean {
  const number = Number(text)
  return (min === undefined || number >= Number(min)) && (max === undefined || number <= Number(max))
}

/** True when a select's options can be asked for: the fields that it depends on are filled and right. */
export function canAskOptions(
  product: Product,
  fields: readonly Field[],
  field: Field,
  values: Values,
): boolean {
  return neededBy(field).every((id) => {
    const needed = fields.find((each) => each.id === id)
    if (needed === undefined || isEmpty(values[id])) return false
    return problemOf(product, needed, values) === undefined
  })
}

/** Option that is chosen by itself, because the field needs one and there is no other. */
export function onlyChoice<O extends FormOption>(field: Field, options: readonly O[]): O | undefined {
  return field.required && options.length === 1 ? options[0] : undefined
}

/** Ids of the fields whose values a select's options depend on. */
export function neededBy({ data_source: source }: Field): string[] {
  if (source === undefined) return []
  const named = Object.values(source.params).flatMap((each) =>
    'from_field' in each ? [each.from_field] : [],
  )
  return [...new Set([...(source.depends_on ?? []), ...named])]
}

function isEmpty(value: string | FormOption | undefined): boolean {
  return value === undefined || (typeof value === 'string' && value.trim() === '')
}

/** Parameters of a select's options, as its data source says. */
export function optionParams({ data_source: source }: Field, values: Values): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [name, parameter] of Object.entries(source?.params ?? {})) {
    params[name] = 'static' in parameter ? parameter.static : plain(values[parameter.from_field])
  }
  return params
}

function plain(value: string | FormOption | undefined): string {
  return typeof value === 'object' ? value.code : (value ?? '').trim()
}

/** Sets a value, and empties the selects whose options depended on the former one. */
export function withValue<O extends FormOption>(
  fields: readonly Field[],
  values: Values<O>,
  id: string,
  value: string | O | undefined,
): Values<O> {
  let next: Values<O> = { ...values, [id]: value }
  for (const field of fields) {
    if (field.id === id || isEmpty(next[field.id]) || !neededBy(field).includes(id)) continue
    next = withValue(fields, next, field.id, undefined)
  }
  return next
}

/** Content of a payment, without the reference under which it is sent. */
export type FormRequest = {
  product: string
  account: string
  amount: string | number
  extras?: Record<string, string>
}

/** Builds the content of the payment from the form, as the product's fulfillment says. */
export function requestOf(product: Product, values: Values): FormRequest {
  const { amount, extras } = product.fulfillment
  const account = accountOf(product)
  const filled = Object.entries(extras ?? {}).flatMap(([name, mapping]) => {
    const text = String(read(values, mapping) ?? '')
    return text === '' && mapping.omit_if_empty === true ? [] : [[name, text] as const]
  })
  return {
    product: product.code,
    account: account === undefined ? plain(values[OWN_ACCOUNT_ID]) : String(read(values, account) ?? ''),
    amount: read(values, amount) ?? '',
    ...(filled.length === 0 ? {} : { extras: Object.fromEntries(filled) }),
  }
}

function read(values: Values, { from_field: id, path }: Mapping): string | number | undefined {
  const value = values[id]
  if (value === undefined) return undefined
  if (typeof value === 'string') return value.trim()
  if (path === undefined) return value.code
  let at: unknown = value
  for (const name of path.split('.')) {
    at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined
  }
  return typeof at === 'string' || typeof at === 'number' ? at : undefined
}

/** Returns the form's field that an error of the API is about, such as `extras.ref2`. */
export function fieldOfError(product: Product, name: string): string | undefined {
  const { account, amount, extras } = product.fulfillment
  if (name === 'account') return account.from_field ?? OWN_ACCOUNT_ID
  if (name === 'amount') return amount.from_field
  const extra = name.startsWith('extras.') ? name.slice('extras.'.length) : name
  return extras?.[extra]?.from_field
}

/** Product's biller field, if it has one: the field that fills `extras.biller_code`. */
export function billerFieldOf(product: Product): string | undefined {
  return product.fulfillment.extras?.biller_code?.from_field
}

/** Option that prices the product, if one is chosen. */
export function pricedOption<O extends FormOption>(product: Product, values: Values<O>): O | undefined {
  const value = values[product.fulfillment.amount.from_field]
  return typeof value === 'object' ? value : undefined
}

/** Words of the problems of a value, in the reader's language. */
export type ProblemTexts = {
  readonly required: string
  readonly chooseOne: string
  readonly number: string
  readonly pattern: string
  range(from: string, to: string): string
  atLeast(from: string): string
  atMost(to: string): string
}

/** Writes an amount with its currency. */
export type MoneyWriter = (amount: string, currency: string) => string

/** Sentence about a problem: the API's own message about a pattern if it has one, because it knows the product. */
export function problemSentence(
  field: Field,
  problem: FieldProblem | undefined,
  text: ProblemTexts,
  write: MoneyWriter,
): string | undefined {
  if (problem === undefined) return undefined
  switch (problem.kind) {
    case 'required':
      return field.type === 'select' ? text.chooseOne : text.required
    // The definition's message is about what the number may be, such as a range, and not about how it is written.
    case 'number':
      return text.number
    case 'pattern':
      return problem.message ?? text.pattern
    case 'range': {
      const { min, max } = problem.limits
      if (min === undefined) return text.atMost(limitText(field, max ?? '', write))
      if (max === undefined) return text.atLeast(limitText(field, min, write))
      return text.range(limitText(field, min, write), limitText(field, max, write))
    }
  }
}

/** Writes a limit of a field: money with its currency, a number as it is. */
export function limitText(field: Field, amount: string, write: MoneyWriter): string {
  return field.type === 'money' ? write(amount, field.currency ?? 'MYR') : amount
}

/** Details of an option in one line. */
export function optionDetail(option: FormOption, write: MoneyWriter): string {
  const { price, validity, features, description, account_number: account } = option
  const parts = [
    price === undefined ? '' : write(price.amount, price.currency),
    validity ?? '',
    (features ?? []).join(', '),
    description ?? '',
    account ?? '',
  ]
  return parts.filter((part) => part !== '').join(' · ')
}

// ── The bill ──

export type BillQuery = { account: string; product: string; biller_code?: string; ref2?: string }

/** Question for what is owed; undefined while the form cannot ask, and for products whose amount is not free. */
export function billQueryOf(
  product: Product,
  fields: readonly Field[],
  values: Values,
): BillQuery | undefined {
  const { amount, extras } = product.fulfillment
  const account = accountOf(product)
  const pricing = fields.find(({ id }) => id === amount.from_field)
  if (pricing?.type !== 'money' || account === undefined) return undefined
  const needed = [account.from_field, billerFieldOf(product), extras?.ref2?.from_field]
  const isReady = fields
    .filter(({ id }) => needed.includes(id))
    .every((field) => problemOf(product, adaptField(product, field, values), values) === undefined)
  if (!isReady) return undefined
  const body = requestOf(product, values)
  const { biller_code: biller, ref2 } = body.extras ?? {}
  return {
    account: body.account,
    product: product.code,
    ...(biller === undefined ? {} : { biller_code: biller }),
    ...(ref2 === undefined || ref2 === '' ? {} : { ref2 }),
  }
}

export type ShownBill = {
  readonly name: string | undefined
  readonly address: string | undefined
  readonly owed: string | undefined
  readonly due: string | undefined
  readonly more: string | undefined
}

/** Parts of the bill that the biller returned; undefined when there is nothing to show. */
export function shownBill({ data }: BillAnswer): ShownBill | undefined {
  const bill: ShownBill = {
    name: filled(data.CustomerName),
    address: filled(data.Address),
    owed: data.Outstanding === null ? undefined : senText(data.Outstanding),
    due: filled(data.DueDate),
    more: filled(data.Data),
  }
  return Object.values(bill).some((part) => part !== undefined) ? bill : undefined
}

/** Writes 84.5 as 84.50, as amounts are typed. */
function senText(amount: number): string {
  const [whole = '0', sen = ''] = String(amount).split('.')
  return `${whole}.${sen.padEnd(2, '0')}`
}

function filled(text: string | null): string | undefined {
  return text === null || text === '' ? undefined : text
}

/** Message of a biller that does not know the account. Other errors of the question do not keep from paying. */
export function accountRefusal(status: number, message: string): string | undefined {
  return status === 400 && /account/i.test(message) ? message : undefined
}
