import type { CsvRecord } from '../../../lib/input/csv.ts'
import type { LevelName, Translation } from '../model/store.types.ts'
import type { Category, Group, Option } from '../model/types.ts'
import { CATALOG_LANGUAGES } from '../texts/rules.ts'
import type { CellForm, Form, Report } from './forms.rules.ts'
import { AMOUNT, BOOLEAN, nullable, OPTIONAL_TEXT, ORDER, oneOf, RATE, TEXT, TEXTS } from './forms.rules.ts'
import type { JsonNode } from './json.rules.ts'
import type { PriceRow } from './types.ts'

/** Column of a CSV file and member of a JSON row. */
export type Column<T> = {
  readonly name: string
  readonly form: Form<T>
  /** Value of a new row when the file has no such column; without a fallback the column is required. */
  readonly fallback?: (position: number) => T
}

export type Columns<Row> = { readonly [K in keyof Row]-?: Column<Row[K]> }

type CsvColumn<T> = Column<T> & { readonly form: CellForm<T> }
export type CsvColumns<Row> = { readonly [K in keyof Row]-?: CsvColumn<Row[K]> }

export function required<F>(name: string, form: F): { readonly name: string; readonly form: F } {
  return { name, form }
}

export function optional<T, F extends Form<T>>(
  name: string,
  form: F & Form<T>,
  fallback: (position: number) => T,
): { readonly name: string; readonly form: F; readonly fallback: (position: number) => T } {
  return { name, form, fallback }
}

const yes = () => true
const no = () => false
const none = () => null
const empty = () => ''
const inFileOrder = (position: number) => position

export const GROUP_COLUMNS: CsvColumns<Group> = {
  code: required('code', TEXT),
  name: required('name', TEXT),
  iconUrl: optional('icon_url', OPTIONAL_TEXT, empty),
  displayOrder: optional('display_order', ORDER, inFileOrder),
  isActive: optional('is_active', BOOLEAN, yes),
}

export const CATEGORY_COLUMNS: CsvColumns<Category> = {
  code: required('code', TEXT),
  groupCode: required('group', TEXT),
  name: required('name', TEXT),
  iconUrl: optional('icon_url', OPTIONAL_TEXT, empty),
  displayOrder: optional('display_order', ORDER, inFileOrder),
  isActive: optional('is_active', BOOLEAN, yes),
}

export const OPTION_COLUMNS: CsvColumns<Option> = {
  productCode: required('product', TEXT),
  fieldId: required('field', TEXT),
  code: required('code', TEXT),
  label: required('label', TEXT),
  description: optional('description', nullable(TEXT), none),
  displayOrder: optional('display_order', ORDER, inFileOrder),
  isActive: optional('is_active', BOOLEAN, yes),
  denomination: optional('denomination', nullable(AMOUNT), none),
  validity: optional('validity', nullable(TEXT), none),
  features: optional('features', nullable(TEXTS), none),
  rrp: optional('rrp', nullable(AMOUNT), none),
  minAmount: optional('min_amount', nullable(AMOUNT), none),
  maxAmount: optional('max_amount', nullable(AMOUNT), none),
  suggestedCategory: optional('suggested_category', nullable(TEXT), none),
  additionalDescription: optional('additional_description', nullable(TEXTS), none),
  requiresRef2: optional('requires_ref2', BOOLEAN, no),
}

export const LEVEL_COLUMNS: CsvColumns<LevelName> = {
  code: required('code', TEXT),
  name: required('name', TEXT),
}

export const TEXT_COLUMNS: CsvColumns<Translation> = {
  language: required('language', oneOf(CATALOG_LANGUAGES)),
  text: required('text', TEXT),
  said: required('translation', nullable(TEXT)),
}

export const PRICE_COLUMNS: CsvColumns<PriceRow> = {
  levelCode: required('level', TEXT),
  productCode: required('product', TEXT),
  discountType: required('discount_type', oneOf(['percentage', 'fixed', 'none'])),
  value: required('value', nullable(RATE)),
  currency: optional('currency', TEXT, () => 'MYR'),
}

/** Checks the columns of a price together; undefined when they are sound. */
export function priceTrouble({ discountType, value }: Partial<PriceRow>): string | undefined {
  if (discountType === undefined || value === undefined) return undefined
  if (discountType === 'none') return value === null ? undefined : 'must be empty where there is no price'
  return value === null ? 'must be there, unless discount_type is none' : undefined
}

// ── Rows ──

type AnyColumn = Column<unknown> & { readonly form: Partial<CellForm<unknown>> }

/** Lists the columns with the domain's name for each; the types return when a row is complete. */
function entriesOf<Row>(columns: Columns<Row>): [keyof Row & string, AnyColumn][] {
  return Object.entries(columns) as unknown as [keyof Row & string, AnyColumn][]
}

export function columnNames<Row>(columns: Columns<Row>): string[] {
  return entriesOf(columns).map(([, { name }]) => name)
}

export function requiredNames<Row>(columns: Columns<Row>): string[] {
  return entriesOf(columns).flatMap(([, { name, fallback }]) => (fallback === undefined ? [name] : []))
}

/** Reads a row from a JSON object. */
export function readObjectRow<Row>(
  columns: Columns<Row>,
  node: JsonNode,
  path: string,
  report: Report,
): Partial<Row> {
  if (node.kind !== 'object') {
    report(node.line, path, 'must be an object')
    return {}
  }
  refuseUnknown(node.members, columnNames(columns), path, report)
  const row: Record<string, unknown> = {}
  for (const [key, { name, form, fallback }] of entriesOf(columns)) {
    const member = node.members.get(name)
    if (member !== undefined) row[key] = form.read(member, `${path}.${name}`, report)
    else if (fallback === undefined) report(node.line, path, `${name} is missing`)
  }
  return withoutUndefined(row) as Partial<Row>
}

export function refuseUnknown(
  members: ReadonlyMap<string, JsonNode>,
  known: readonly string[],
  path: string,
  report: Report,
): void {
  for (const [name, member] of members) {
    if (!known.includes(name)) report(member.line, path, `there is no ${JSON.stringify(name)} here`)
  }
}

/** Reads a row from a CSV record; `header` has the names in the file's order. */
export function readCsvRow<Row>(
  columns: CsvColumns<Row>,
  header: ReadonlyMap<string, number>,
  record: CsvRecord,
  report: Report,
): Partial<Row> {
  const row: Record<string, unknown> = {}
  for (const [key, { name, form }] of entriesOf(columns)) {
    const cell = record.cells[header.get(name) ?? -1]
    if (cell === undefined) continue
    const value = form.readCell?.(cell)
    if (value === undefined) report(record.line, name, `${form.message}; it is ${quote(cell)}`)
    else row[key] = value
  }
  return row as Partial<Row>
}

const QUOTED_MAX = 40

function quote(cell: string): string {
  if (cell === '') return 'empty'
  return JSON.stringify(cell.length > QUOTED_MAX ? `${cell.slice(0, QUOTED_MAX)}…` : cell)
}

/** Completes a row: the file's value, or else the present value, or else the fallback for new rows. */
export function completeRow<Row extends object>(
  columns: Columns<Row>,
  given: Partial<Row>,
  present: Row | undefined,
  position: number,
): Row {
  const row: Record<string, unknown> = {}
  for (const [key, { fallback }] of entriesOf(columns)) {
    row[key] = key in given ? given[key] : present === undefined ? fallback?.(position) : present[key]
  }
  return row as Row
}

export function writeObjectRow<Row>(columns: Columns<Row>, row: Row): Record<string, unknown> {
  return Object.fromEntries(entriesOf(columns).map(([key, { name, form }]) => [name, form.write(row[key])]))
}

export function writeCsvRow<Row>(columns: CsvColumns<Row>, row: Row): string[] {
  return entriesOf(columns).map(([key, { form }]) => form.writeCell?.(row[key]) ?? '')
}

function withoutUndefined(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined))
}
