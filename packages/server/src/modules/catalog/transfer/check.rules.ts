import { wireName } from '../../../lib/input/fields.ts'
import { createHints } from '../../../lib/input/nearest.ts'
import { checkBase, checkLevel } from '../edit/check.rules.ts'
import { checkTexts } from '../edit/check-texts.rules.ts'
import { mergeBase } from '../model/merge.rules.ts'
import { groupBy } from '../model/option-lists.rules.ts'
import type { Problem } from '../model/problems.rules.ts'
import { EMPTY_STATE, patched } from '../model/state.rules.ts'
import type { BaseChange } from '../model/store.types.ts'
import type { Product } from '../model/types.ts'
import type { JsonNode } from './json.rules.ts'
import { ALL_COLUMNS, keyOf, within } from './read.rules.ts'
import type { Present } from './rules.ts'
import type { DocumentKind, FileLocation, FileProblems, GivenRow, GivenRows, RowTypes } from './types.ts'
import { DOCUMENT_KINDS } from './types.ts'

/**
 * Checks the catalogue as it would be after the change, and reports each problem at the line that causes it.
 * Flawed rows count as present, so that references to them are not reported as well.
 */
export function checkChange(
  present: Present,
  change: BaseChange,
  given: GivenRows,
  problems: FileProblems,
): void {
  const state = { ...EMPTY_STATE, ...present }
  const { touched } = mergeBase(state, withPlaceholders(change, given))
  const { base, levels, texts } = patched(state, touched, 'after')
  const report = reporterOf(given, problems)
  for (const problem of checkBase(base, state.base)) report(problem)
  for (const problem of checkTexts(touched, { texts })) report(problem)
  for (const level of levels.values())
    for (const problem of checkLevel(base, level)) report(problem, level.code)
  const hintOf = createHints(levels)
  for (const row of given.prices) {
    const { levelCode } = row.values
    if (row.isFlawed || levelCode === undefined || levels.has(levelCode)) continue
    const hint = hintOf(levelCode)
    problems.add(locationWithin(row, 'prices', 'levelCode'), `there is no level ${levelCode}${hint}`)
  }
}

// ── Rows that could not be read ──

function withPlaceholders(change: BaseChange, given: GivenRows): BaseChange {
  const codes = (rows: readonly GivenRow<{ readonly code: string }>[]) =>
    rows.flatMap(({ isFlawed, values }) => (isFlawed && values.code !== undefined ? [values.code] : []))
  const placeholder = { name: '-', iconUrl: '', displayOrder: 0, isActive: true }
  return {
    ...change,
    groups: [...(change.groups ?? []), ...codes(given.groups).map((code) => ({ ...placeholder, code }))],
    categories: [
      ...(change.categories ?? []),
      ...codes(given.categories).map((code) => ({ ...placeholder, code, groupCode: '' })),
    ],
    products: [...(change.products ?? []), ...codes(given.products).map(placeholderProduct)],
    levels: [...(change.levels ?? []), ...codes(given.levels).map((code) => ({ code, name: '-' }))],
  }
}

function placeholderProduct(code: string): Product {
  return {
    code,
    categoryCode: '',
    kind: 'other',
    name: '-',
    note: null,
    redemption: null,
    imageUrl: '',
    processingTime: 'instant',
    displayOrder: 0,
    isActive: true,
    isHidden: false,
    isRestricted: false,
    isRefundable: false,
    denomination: null,
    denominationCurrency: null,
    denominationUnitPrice: 1n,
    fields: [],
    fulfillment: { amount: { fromField: '' } },
    minAmount: null,
    maxAmount: null,
    legacy: {
      accountLabel: null,
      keyboardType: '',
      commonDenominations: '',
      denominationDataType: 'Integer',
      accountType: 'not_required',
    },
  }
}

// ── Lines of problems ──

type AnyRow = GivenRow<object>

type Index = {
  readonly find: (kind: DocumentKind, id: string) => AnyRow | undefined
  /** Returns the rows in the files for the options of `PRODUCT:FIELD`. */
  readonly listOf: (id: string) => readonly AnyRow[]
  /** Finds a row in the files about a product: itself, or one of its options. */
  readonly findAbout: (productCode: string) => AnyRow | undefined
}

function reporterOf(
  given: GivenRows,
  problems: FileProblems,
): (problem: Problem, levelCode?: string) => void {
  const index = indexRows(given)
  return (problem, levelCode) => {
    const { resource, field, text } = problem
    const id = resource === 'prices' ? `${levelCode}:${problem.id}` : problem.id
    const productCode = resource === 'prices' ? problem.id : (problem.id.split(':')[0] ?? '')
    if (PRODUCT_RESOURCES.has(resource) && index.find('products', productCode)?.isFlawed) return
    const own = index.find(resource, id)
    const rows = own === undefined && resource === 'options' ? index.listOf(id) : [own]
    const named = rows.filter((row) => row !== undefined)
    for (const row of named) if (!row.isFlawed) problems.add(locationWithin(row, resource, field), text)
    // The row is not in the files: a row about its product made it wrong.
    if (named.length === 0) {
      problems.add(
        index.findAbout(productCode)?.location ?? NO_LOCATION,
        `${resource} ${id}: ${field}: ${text}`,
      )
    }
  }
}

const PRODUCT_RESOURCES = new Set<Problem['resource']>(['products', 'options', 'prices'])
const NO_LOCATION: FileLocation = { file: 'the catalogue', line: 0, path: '' }

function indexRows(given: GivenRows): Index {
  const index = new Map<string, AnyRow>()
  for (const kind of DOCUMENT_KINDS) {
    for (const row of given[kind] as readonly GivenRow<RowTypes[typeof kind]>[]) {
      index.set(`${kind} ${keyOf(kind, row.values)}`, row)
    }
  }
  const lists = groupBy(given.options, ({ values }) => `${values.productCode}:${values.fieldId}`)
  const byProduct = groupBy(given.options, ({ values }) => values.productCode ?? '')
  const find = (kind: DocumentKind, id: string) => index.get(`${kind} ${id}`)
  return {
    find,
    listOf: (id) => lists.get(id) ?? [],
    findAbout: (productCode) => find('products', productCode) ?? byProduct.get(productCode)?.[0],
  }
}

/**
 * Finds the location of a field; `field` is a path in the domain's names: `validity`,
 * `fields.amount.validation.min`.
 */
function locationWithin({ location, node }: AnyRow, kind: DocumentKind, field: string): FileLocation {
  const [first = '', ...rest] = field.split('.')
  const name = columnName(kind, first)
  if (node === undefined) return { ...location, path: name }
  return descend(node, [name, ...rest.map(wireName)], location)
}

function columnName(kind: DocumentKind, key: string): string {
  if (kind === 'prices' && key === 'unitPrice') return 'value'
  const columns = ALL_COLUMNS[kind] as Readonly<Record<string, { readonly name: string }>>
  return Object.hasOwn(columns, key) ? (columns[key]?.name ?? '') : ''
}

/** Follows the names into the document as far as they lead; a missing member is reported at its parent. */
function descend(node: JsonNode, names: readonly string[], location: FileLocation): FileLocation {
  const [name, ...rest] = names
  if (name === undefined || node.kind === 'scalar') return location
  if (node.kind === 'array') {
    const index = node.items.findIndex((item) => idOf(item) === name)
    const item = node.items[index]
    if (item === undefined) return location
    return descend(item, rest, { ...location, line: item.line, path: `${location.path}[${index}]` })
  }
  const member = node.members.get(name)
  const path = within(location.path, name)
  return member === undefined
    ? { ...location, path }
    : descend(member, rest, { ...location, line: member.line, path })
}

function idOf(node: JsonNode): unknown {
  const id = node.kind === 'object' ? node.members.get('id') : undefined
  return id?.kind === 'scalar' ? id.value : undefined
}
