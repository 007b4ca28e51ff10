import { pattern } from '../../../lib/input/fields.ts'
import { callingCodeOf } from '../../../lib/numbers/calling-codes.ts'
import { patternTrouble } from '../model/patterns.rules.ts'
import { amountOf } from '../model/pricing.rules.ts'
import type { Complain } from '../model/problems.rules.ts'
import {
  CURRENCY,
  catalogText,
  checkValue,
  FIELD_ID,
  KEY,
  listRepeated,
  ORDER,
  within,
} from '../model/problems.rules.ts'
import type { DataSource, Field, Fulfillment, Mapping, Product } from '../model/types.ts'

const FIELDS_MAX = 30
const FIELD_LABEL = catalogText(1, 100)
/** Placeholder, message or fixed parameter of a field. */
const HINT = catalogText(0, 200)

/** Checks a product's form, and how the filled form becomes a payment. */
export function checkFields(complain: Complain, product: Product, storedPatterns: ReadonlySet<string>): void {
  const { fields } = product
  if (fields.length > FIELDS_MAX) {
    complain('fields', `must be at most ${FIELDS_MAX}`)
    return
  }
  for (const field of listRepeated(fields, (each) => each.id)) {
    complain(`fields.${field.id}`, 'another field has the same id')
  }
  for (const field of fields) {
    const complainHere = within(complain, `fields.${field.id}`)
    checkField(complainHere, field, fields)
    checkPattern(complainHere, field, storedPatterns)
  }
  checkRoles(complain, fields)
  checkCircles(complain, fields)
  checkFulfillment(complain, product.fulfillment, fields)
}

function checkField(complain: Complain, field: Field, fields: readonly Field[]): void {
  checkValue(complain, 'id', field.id, FIELD_ID)
  checkValue(complain, 'label', field.label, FIELD_LABEL)
  checkValue(complain, 'placeholder', field.placeholder, HINT)
  checkValue(complain, 'order', field.order, ORDER)
  checkValidation(within(complain, 'validation'), field)
  if (field.currency !== undefined) {
    if (field.type !== 'money') complain('currency', 'is for money fields only')
    checkValue(complain, 'currency', field.currency, CURRENCY)
  }
  checkNumber(complain, field)
  if (field.type !== 'select') {
    if (field.dataSource !== undefined) complain('dataSource', 'is for select fields only')
  } else if (field.dataSource === undefined) complain('dataSource', 'is needed: a select field has options')
  else checkSource(within(complain, 'dataSource'), field.dataSource, fields)
}

function checkNumber(complain: Complain, { type, role, numberKind, numberCountry }: Field): void {
  if (numberKind === undefined && numberCountry === undefined) return
  if (type !== 'text' || role !== 'account')
    complain('numberKind', 'is for text fields with the role account only')
  if (numberKind === undefined) complain('numberKind', 'is needed beside numberCountry')
  if (numberCountry === undefined) complain('numberCountry', 'is needed beside numberKind')
  else if (callingCodeOf(numberCountry) === undefined) {
    complain('numberCountry', 'must be a country in two letters, such as MY')
  }
}

function checkValidation(complain: Complain, { type, role, validation }: Field): void {
  const { message, min, max } = validation
  checkValue(complain, 'message', message ?? null, HINT)
  const bounds = { min, max }
  for (const [name, bound] of Object.entries(bounds)) {
    if (bound === undefined) continue
    if (type !== 'money' && type !== 'number') complain(name, 'is for money and number fields only')
    else if (!Number.isFinite(bound)) complain(name, 'must be a number')
    else if (role === 'pricing' || type === 'money') checkMoneyBound(complain, name, bound)
  }
  if (min !== undefined && max !== undefined && min > max) complain('min', 'must not be greater than max')
}

function checkPattern(complain: Complain, field: Field, storedPatterns: ReadonlySet<string>): void {
  const { pattern } = field.validation
  if (pattern === undefined || storedPatterns.has(pattern)) return
  const trouble = patternTrouble(pattern)
  if (trouble !== undefined) complain('validation.pattern', trouble)
}

export function listPatterns({ products }: { readonly products: readonly Product[] }): string[] {
  return products.flatMap(({ fields }) => fields.flatMap(({ validation }) => validation.pattern ?? []))
}

function checkMoneyBound(complain: Complain, name: string, bound: number): void {
  const amount = amountOf(bound)
  if (amount === null || amount <= 0n) complain(name, 'must be greater than 0, with at most 4 decimals')
}

function checkSource(complain: Complain, source: DataSource, fields: readonly Field[]): void {
  const ids = new Set(fields.map((field) => field.id))
  if (source.type === 'reference' && source.dependsOn.length > 0) {
    complain('dependsOn', 'is for dynamic sources only: a static list depends on nothing')
  }
  for (const id of source.dependsOn) if (!ids.has(id)) complain('dependsOn', `there is no field ${id}`)
  for (const [name, value] of Object.entries(source.params)) {
    checkValue(complain, `params.${name}`, name, KEY)
    if ('static' in value) checkValue(complain, `params.${name}`, value.static, HINT)
    else if (!ids.has(value.fromField)) complain(`params.${name}`, `there is no field ${value.fromField}`)
  }
}

function checkRoles(complain: Complain, fields: readonly Field[]): void {
  const pricing = fields.filter((field) => field.role === 'pricing')
  if (pricing.length > 1) complain('fields', 'at most one field can have the role pricing')
  for (const field of pricing) {
    if (field.type === 'text') complain(`fields.${field.id}.role`, 'a text field cannot give the amount')
  }
  const accounts = fields.filter((field) => field.role === 'account')
  if (accounts.length > 1) complain('fields', 'at most one field can have the role account')
}

/** Finds fields that wait for each other: nobody can fill in such a form. */
function checkCircles(complain: Complain, fields: readonly Field[]): void {
  const needs = new Map(fields.map((field) => [field.id, needsOf(field)]))
  const isFillable = new Set<string>()
  // Each round fills the fields whose needs are filled, until a round fills no more.
  for (let before = -1; before !== isFillable.size; ) {
    before = isFillable.size
    for (const [id, needed] of needs) {
      if (needed.every((each) => isFillable.has(each) || !needs.has(each))) isFillable.add(id)
    }
  }
  for (const id of needs.keys()) {
    if (!isFillable.has(id)) {
      complain(`fields.${id}.dataSource.dependsOn`, 'goes in a circle: the field waits for itself')
    }
  }
}

function needsOf({ dataSource }: Field): string[] {
  if (dataSource === undefined) return []
  const params = Object.values(dataSource.params).flatMap((value) =>
    'fromField' in value ? [value.fromField] : [],
  )
  return [...dataSource.dependsOn, ...params]
}

// ── Fulfilment ──

const PATH = pattern('must be a dot-path such as price.amount', /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*){0,3}$/)

function checkFulfillment(complain: Complain, fulfillment: Fulfillment, fields: readonly Field[]): void {
  const { account, amount, extras = {} } = fulfillment
  const pricing = fields.find((field) => field.role === 'pricing')
  if (account !== undefined) checkMapping(within(complain, 'fulfillment.account'), account, fields)
  else if (fields.some((field) => field.role === 'account')) {
    complain('fulfillment.account', 'is needed: the form asks for an account')
  }
  checkMapping(within(complain, 'fulfillment.amount'), amount, fields)
  if (pricing !== undefined && amount.fromField !== pricing.id) {
    complain('fulfillment.amount.fromField', `must be ${pricing.id}, the field with the role pricing`)
  }
  if (pricing?.type === 'select' && amount.path !== 'denomination') {
    complain('fulfillment.amount.path', 'must be denomination where options price')
  }
  for (const [key, mapping] of Object.entries(extras)) {
    checkValue(complain, `fulfillment.extras.${key}`, key, KEY)
    checkMapping(within(complain, `fulfillment.extras.${key}`), mapping, fields)
  }
}

function checkMapping(complain: Complain, { fromField, path }: Mapping, fields: readonly Field[]): void {
  const field = fields.find((each) => each.id === fromField)
  if (field === undefined) complain('fromField', `there is no field ${fromField}`)
  else if (field.type !== 'select') {
    if (path !== undefined) complain('path', 'is for select fields only')
  } else if (path === undefined) complain('path', 'is needed: what of the selected option?')
  else checkValue(complain, 'path', path, PATH)
}
