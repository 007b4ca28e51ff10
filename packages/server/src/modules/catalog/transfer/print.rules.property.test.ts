import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../testing/runs.ts'
import type { Field, Fulfillment, Mapping } from '../model/types.ts'
import { PROCESSING_TIMES, PRODUCT_KINDS } from '../model/types.ts'
import { CATALOG_LANGUAGES } from '../texts/rules.ts'
import { printCsvFile, printDocument } from './print.rules.ts'
import { collectProblems, readFiles } from './read.rules.ts'
import { changeOf, indexPresent } from './rules.ts'
import type { CatalogDocument, CsvKind, SourceFile } from './types.ts'
import { CSV_KINDS } from './types.ts'

// Texts include odd ones that a row can hold; other tests check what a catalogue may hold. They contain no
// carriage return, because a catalogue's text has none. An empty text is written as null where null is allowed.

const text = fc.string({
  unit: fc.constantFrom(
    'a',
    'Z',
    '0',
    '_',
    ':',
    '|',
    '\\',
    ',',
    '"',
    "'",
    '=',
    '-',
    '@',
    '\n',
    ' ',
    'é',
    '😀',
  ),
})
const someText = text.filter((each) => each !== '')
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })
const amount = fc.bigInt({ min: 1n, max: 10n ** 13n })
const rate = fc.bigInt({ min: 1n, max: 10n ** 14n })
const order = fc.integer({ min: 0, max: 1_000_000 })
const texts = fc.array(someText, { minLength: 1, maxLength: 4 })
const number = fc.double({ min: 0, max: 1e9, noNaN: true, noDefaultInfinity: true }).map((each) => each + 0)
const exact = { noNullPrototype: true } as const
const given = <T extends object>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }, requiredKeys: (keyof T)[]) =>
  fc.record(model, { ...exact, requiredKeys })

const face = { code: someText, name: text, iconUrl: text, displayOrder: order, isActive: fc.boolean() }

const mapping = given<Required<Mapping>>({ fromField: text, path: text, omitIfEmpty: fc.boolean() }, [
  'fromField',
]) as fc.Arbitrary<Mapping>

const parameter = fc.oneof(fc.record({ static: text }, exact), fc.record({ fromField: text }, exact))

const field = given<Required<Field>>(
  {
    id: text,
    type: fc.constantFrom('text', 'number', 'select', 'money'),
    inputMode: fc.constantFrom('text', 'tel', 'numeric', 'email', 'decimal'),
    label: text,
    placeholder: text,
    required: fc.boolean(),
    order,
    role: fc.constantFrom('account', 'pricing', 'none'),
    validation: fc.record(
      { pattern: text, message: text, min: number, max: number },
      { ...exact, requiredKeys: [] },
    ),
    dataSource: fc.record(
      {
        type: fc.constantFrom('reference', 'dynamic'),
        dependsOn: fc.array(text, { maxLength: 3 }),
        params: fc.dictionary(text, parameter, { ...exact, maxKeys: 3 }),
      },
      exact,
    ),
    currency: text,
    numberKind: fc.constantFrom('mobile', 'fixed'),
    numberCountry: fc.constantFrom('MY', 'ID'),
  },
  ['id', 'type', 'inputMode', 'label', 'placeholder', 'required', 'order', 'role', 'validation'],
) as fc.Arbitrary<Field>

const product = fc.record(
  {
    code: someText,
    categoryCode: text,
    kind: fc.constantFrom(...PRODUCT_KINDS),
    name: text,
    note: maybe(someText),
    redemption: maybe(someText),
    imageUrl: text,
    processingTime: fc.constantFrom(...PROCESSING_TIMES),
    displayOrder: order,
    isActive: fc.boolean(),
    isHidden: fc.boolean(),
    isRestricted: fc.boolean(),
    isRefundable: fc.boolean(),
    denomination: maybe(someText),
    denominationCurrency: maybe(someText),
    denominationUnitPrice: rate,
    fields: fc.array(field, { maxLength: 3 }),
    fulfillment: given<Required<Fulfillment>>(
      { account: mapping, amount: mapping, extras: fc.dictionary(text, mapping, { ...exact, maxKeys: 3 }) },
      ['amount'],
    ) as fc.Arbitrary<Fulfillment>,
    minAmount: maybe(amount),
    maxAmount: maybe(amount),
    legacy: fc.record(
      {
        accountLabel: maybe(someText),
        keyboardType: text,
        commonDenominations: text,
        denominationDataType: fc.constantFrom('Integer', 'Decimal'),
        accountType: fc.constantFrom('account_number', 'phone_number', 'both', 'not_required'),
      },
      exact,
    ),
  },
  exact,
)

const option = fc.record(
  {
    productCode: someText,
    fieldId: someText,
    code: someText,
    label: text,
    description: maybe(someText),
    displayOrder: order,
    isActive: fc.boolean(),
    denomination: maybe(amount),
    validity: maybe(someText),
    features: maybe(texts),
    rrp: maybe(amount),
    minAmount: maybe(amount),
    maxAmount: maybe(amount),
    suggestedCategory: maybe(someText),
    additionalDescription: maybe(texts),
    requiresRef2: fc.boolean(),
  },
  exact,
)

const price = fc.oneof(
  fc.record({ discountType: fc.constant('percentage'), unitPrice: rate, currency: text }, exact),
  fc.record(
    { discountType: fc.constant('fixed'), unitPrice: rate.map((each) => -each), currency: text },
    exact,
  ),
  fc.constant(null),
)

const document = fc.record(
  {
    groups: fc.uniqueArray(fc.record(face, exact), { selector: (row) => row.code, maxLength: 4 }),
    categories: fc.uniqueArray(fc.record({ ...face, groupCode: text }, exact), {
      selector: (row) => row.code,
      maxLength: 4,
    }),
    products: fc.uniqueArray(product, { selector: (row) => row.code, maxLength: 3 }),
    options: fc.uniqueArray(option, {
      selector: (row) => [row.productCode, row.fieldId, row.code].join(':'),
      maxLength: 4,
    }),
    levels: fc.uniqueArray(fc.record({ code: someText, name: text }, exact), {
      selector: (row) => row.code,
      maxLength: 3,
    }),
    texts: fc.uniqueArray(
      fc.record({ language: fc.constantFrom(...CATALOG_LANGUAGES), text: someText, said: someText }, exact),
      { selector: (row) => `${row.language}:${row.text}`, maxLength: 4 },
    ),
    prices: fc.uniqueArray(fc.record({ levelCode: someText, productCode: someText, price }, exact), {
      selector: (row) => [row.levelCode, row.productCode].join(':'),
      maxLength: 4,
    }),
  },
  exact,
) as fc.Arbitrary<CatalogDocument>

const NOTHING = indexPresent({
  base: { groups: [], categories: [], products: [], options: new Map(), updatedAt: new Date(0) },
  levels: new Map(),
  texts: new Map(),
})

function readBack(files: readonly { name: string; content: string }[]): Partial<CatalogDocument> {
  const sources: SourceFile[] = files.map(({ name, content }) => ({ name, bytes: Buffer.from(content) }))
  const problems = collectProblems(sources.map((file) => file.name))
  const rows = readFiles(sources, problems)
  expect(problems.list()).toEqual([])
  return changeOf(rows, NOTHING)
}

describe('a catalogue that was exported', () => {
  it('as one JSON document is imported as the same catalogue', () => {
    fc.assert(
      fc.property(document, (exported) => {
        const back = readBack([{ name: 'catalog.json', content: printDocument(exported) }])
        expect(back).toStrictEqual(exported)
      }),
    )
  })

  it('as CSV files, with products and levels in JSON, is imported as the same catalogue', () => {
    fc.assert(
      fc.property(document, (exported) => {
        const csv = CSV_KINDS.map((kind: CsvKind) => ({
          name: `${kind}.csv`,
          content: printCsvFile(exported, kind),
        }))
        const json = { name: 'products.json', content: printDocument(exported, ['products', 'levels']) }
        expect(readBack([...csv, json])).toStrictEqual(exported)
      }),
    )
  })

  it('a catalogue that was exported with a byte order mark, as spreadsheets save it, is the same', () => {
    fc.assert(
      fc.property(document, (exported) => {
        const name = 'options.csv'
        const content = `\uFEFF${printCsvFile(exported, 'options')}`
        expect(readBack([{ name, content }]).options).toStrictEqual(exported.options)
      }),
      { numRuns: runs(20) },
    )
  })
})
