import { NUMBER_KINDS } from '../../../lib/numbers/plans.ts'
import { RATE_ONE } from '../../../lib/rates.ts'
import type {
  DataSource,
  Field,
  FieldValidation,
  Fulfillment,
  LegacyFields,
  Mapping,
  Product,
  SourceParameter,
} from '../model/types.ts'
import { PROCESSING_TIMES, PRODUCT_KINDS } from '../model/types.ts'
import type { Columns } from './columns.rules.ts'
import { optional, refuseUnknown, required } from './columns.rules.ts'
import type { Form } from './forms.rules.ts'
import { AMOUNT, BOOLEAN, NUMBER, nullable, ORDER, oneOf, RATE, TEXT } from './forms.rules.ts'

// Products have nested parts, which a CSV file cannot hold: they have only a JSON form.

type Member<T> = { readonly name: string; readonly form: Form<T>; readonly isOptional?: true }
type Members<T> = { readonly [K in keyof T]-?: Member<Exclude<T[K], undefined>> }

function perhaps<F>(
  name: string,
  form: F,
): { readonly name: string; readonly form: F; readonly isOptional: true } {
  return { name, form, isOptional: true }
}

/** Makes the form of an object. An optional member without a value is left out; null means the same. */
function objectForm<T extends object>(members: Members<T>): Form<T> {
  const entries = Object.entries(members) as unknown as [keyof T & string, Member<unknown>][]
  const names = entries.map(([, { name }]) => name)
  return {
    read(node, path, report) {
      if (node.kind !== 'object') {
        report(node.line, path, 'must be an object')
        return undefined
      }
      refuseUnknown(node.members, names, path, report)
      const value: Record<string, unknown> = {}
      for (const [key, { name, form, isOptional }] of entries) {
        const member = node.members.get(name)
        const isNothing = member === undefined || (member.kind === 'scalar' && member.value === null)
        if (isOptional && isNothing) continue
        if (member === undefined) report(node.line, path, `${name} is missing`)
        else value[key] = form.read(member, `${path}.${name}`, report)
      }
      return value as T
    },
    write: (value) =>
      Object.fromEntries(
        entries.flatMap(([key, { name, form }]) =>
          value[key] === undefined ? [] : [[name, form.write(value[key])]],
        ),
      ),
  }
}

function arrayForm<T>(item: Form<T>): Form<readonly T[]> {
  return {
    read(node, path, report) {
      if (node.kind !== 'array') {
        report(node.line, path, 'must be an array')
        return undefined
      }
      const items = node.items.map((each, index) => item.read(each, `${path}[${index}]`, report))
      return items.every((each) => each !== undefined) ? items : undefined
    },
    write: (items) => items.map((each) => item.write(each)),
  }
}

function mapForm<T>(value: Form<T>): Form<Readonly<Record<string, T>>> {
  return {
    read(node, path, report) {
      if (node.kind !== 'object') {
        report(node.line, path, 'must be an object')
        return undefined
      }
      const entries = [...node.members].map(
        ([name, member]) => [name, value.read(member, `${path}.${name}`, report)] as const,
      )
      // Object.fromEntries keeps names such as __proto__ as plain members; an assignment would not.
      return Object.fromEntries(entries.flatMap(([name, read]) => (read === undefined ? [] : [[name, read]])))
    },
    write: (map) => Object.fromEntries(Object.entries(map).map(([name, each]) => [name, value.write(each)])),
  }
}

const VALIDATION = objectForm<FieldValidation>({
  pattern: perhaps('pattern', TEXT),
  message: perhaps('message', TEXT),
  min: perhaps('min', NUMBER),
  max: perhaps('max', NUMBER),
})

const STATIC = objectForm<{ static: string }>({ static: required('static', TEXT) })
const FROM_FIELD = objectForm<{ fromField: string }>({ fromField: required('from_field', TEXT) })

const PARAMETER: Form<SourceParameter> = {
  read: (node, path, report) =>
    node.kind === 'object' && node.members.has('static')
      ? STATIC.read(node, path, report)
      : FROM_FIELD.read(node, path, report),
  write: (parameter) => ('static' in parameter ? STATIC.write(parameter) : FROM_FIELD.write(parameter)),
}

const DATA_SOURCE = objectForm<DataSource>({
  type: required('type', oneOf(['reference', 'dynamic'])),
  dependsOn: required('depends_on', arrayForm(TEXT)),
  params: required('params', mapForm(PARAMETER)),
})

const FIELD = objectForm<Field>({
  id: required('id', TEXT),
  type: required('type', oneOf(['text', 'number', 'select', 'money'])),
  inputMode: required('input_mode', oneOf(['text', 'tel', 'numeric', 'email', 'decimal'])),
  label: required('label', TEXT),
  placeholder: required('placeholder', TEXT),
  required: required('required', BOOLEAN),
  order: required('order', ORDER),
  role: required('role', oneOf(['account', 'pricing', 'none'])),
  validation: required('validation', VALIDATION),
  dataSource: perhaps('data_source', DATA_SOURCE),
  currency: perhaps('currency', TEXT),
  numberKind: perhaps('number_kind', oneOf(NUMBER_KINDS)),
  numberCountry: perhaps('number_country', TEXT),
})

const MAPPING = objectForm<Mapping>({
  fromField: required('from_field', TEXT),
  path: perhaps('path', TEXT),
  omitIfEmpty: perhaps('omit_if_empty', BOOLEAN),
})

const FULFILLMENT = objectForm<Fulfillment>({
  account: perhaps('account', MAPPING),
  amount: required('amount', MAPPING),
  extras: perhaps('extras', mapForm(MAPPING)),
})

const LEGACY = objectForm<LegacyFields>({
  accountLabel: required('account_label', nullable(TEXT)),
  keyboardType: required('keyboard_type', TEXT),
  commonDenominations: required('common_denominations', TEXT),
  denominationDataType: required('denomination_data_type', oneOf(['Integer', 'Decimal'])),
  accountType: required('account_type', oneOf(['account_number', 'phone_number', 'both', 'not_required'])),
})

export const PRODUCT_COLUMNS: Columns<Product> = {
  code: required('code', TEXT),
  categoryCode: required('category', TEXT),
  kind: required('kind', oneOf(PRODUCT_KINDS)),
  name: required('name', TEXT),
  note: optional('note', nullable(TEXT), () => null),
  redemption: optional('redemption', nullable(TEXT), () => null),
  imageUrl: required('image_url', TEXT),
  processingTime: required('processing_time', oneOf(PROCESSING_TIMES)),
  displayOrder: optional('display_order', ORDER, (position) => position),
  isActive: optional('is_active', BOOLEAN, () => true),
  isHidden: optional('is_hidden', BOOLEAN, () => false),
  isRestricted: optional('is_restricted', BOOLEAN, () => false),
  isRefundable: optional('is_refundable', BOOLEAN, () => false),
  denomination: optional('denomination', nullable(TEXT), () => null),
  denominationCurrency: optional('denomination_currency', nullable(TEXT), () => null),
  denominationUnitPrice: optional('denomination_unit_price', RATE, () => RATE_ONE),
  fields: required('fields', arrayForm(FIELD)),
  fulfillment: required('fulfillment', FULFILLMENT),
  minAmount: optional('min_amount', nullable(AMOUNT), () => null),
  maxAmount: optional('max_amount', nullable(AMOUNT), () => null),
  legacy: required('legacy', LEGACY),
}
