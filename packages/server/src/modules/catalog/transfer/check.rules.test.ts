import { describe, expect, it } from 'vitest'
import { sampleCategory, sampleGroup, sampleProduct } from '../../../testing/catalog/catalog-samples.ts'
import { mergeBase } from '../model/merge.rules.ts'
import { EMPTY_STATE, patched } from '../model/state.rules.ts'
import type { Product } from '../model/types.ts'
import { checkChange } from './check.rules.ts'
import { printDocument } from './print.rules.ts'
import { collectProblems, FILE_BYTES_MAX, readFiles } from './read.rules.ts'
import { changeOf, documentOf, indexPresent } from './rules.ts'

// Base with MOBILE / PREPAID / NOVA, priced by options: one option of 5 ringgit, sold at 0.97 of it.
const option = { productCode: 'NOVA', fieldId: 'amount', code: 'N5', label: 'RM 5', displayOrder: 1 }
const blank = {
  description: null,
  isActive: true,
  denomination: 50_000n,
  validity: null,
  features: null,
  rrp: null,
  minAmount: null,
  maxAmount: null,
  suggestedCategory: null,
  additionalDescription: null,
  requiresRef2: false,
}
const percentage = { discountType: 'percentage', unitPrice: 97_000_000n, currency: 'MYR' } as const
const present = patched(
  EMPTY_STATE,
  mergeBase(EMPTY_STATE, {
    groups: [sampleGroup()],
    categories: [sampleCategory()],
    products: [sampleProduct()],
    options: [{ ...option, ...blank }],
    levels: [{ code: 'STANDARD', name: 'Standard' }],
    prices: [{ levelCode: 'STANDARD', productCode: 'NOVA', price: percentage }],
  }).touched,
  'after',
)

type Files = Readonly<Record<string, string | Uint8Array>>

function problemsOf(files: Files): string[] {
  const sources = Object.entries(files).map(([name, content]) => ({
    name,
    bytes: typeof content === 'string' ? Buffer.from(content) : content,
  }))
  const problems = collectProblems(Object.keys(files))
  const given = readFiles(sources, problems)
  checkChange(present, changeOf(given, indexPresent(present)), given, problems)
  return problems.list().map(({ file, line, path, message }) => `${file}:${line} ${path}: ${message}`)
}

function json(document: object): string {
  return JSON.stringify(document, null, 1)
}

/** Prints the sample product as a file, with some of its parts replaced. */
function productFile(change: Partial<Product>): string {
  const changed = { ...sampleProduct(), ...change }
  return printDocument({ ...documentOf(present), products: [changed] }, ['products'])
}

function lineOf(text: string, part: string): number {
  return text.slice(0, text.indexOf(part)).split('\n').length
}

const OPTIONS = 'product,field,code,label,denomination'
const PRICES = 'level,product,discount_type,value'

describe('mistakes in files are told by line', () => {
  it.each<[string, Files, string | RegExp]>([
    ['an unknown kind of file', { 'a.xlsx': '' }, 'a.xlsx:1 : the name must end in .json or .csv'],
    ['an empty file', { 'groups.csv': '' }, /^groups.csv:1 : is empty/],
    ['a file that could be anything', { 'a.csv': 'x,y\n' }, /^a.csv:1 : cannot tell what the file holds/],
    ['semicolons', { 'a.csv': 'code;name\nA;B\n' }, 'a.csv:1 : columns must be separated by commas'],
    ['UTF-16', { 'groups.csv': Buffer.from('\uFEFFcode', 'utf16le') }, /is UTF-16; save it as UTF-8$/],
    [
      'broken UTF-8',
      { 'groups.csv': Buffer.concat([Buffer.from('code,name\nA,B\nC,'), Buffer.from([0xe9, 0x0a])]) },
      'groups.csv:3 : is not valid UTF-8',
    ],
    ['too large a file', { 'groups.csv': new Uint8Array(FILE_BYTES_MAX + 1) }, /is larger than 64 MB$/],
    [
      'an unknown column',
      { 'groups.csv': 'code,name,colour\n' },
      /^groups.csv:1 : groups have no column "colour"/,
    ],
    ['a missing column', { 'groups.csv': 'code\nA\n' }, 'groups.csv:1 : the column name is missing'],
    ['a column twice', { 'groups.csv': 'code,name,name\n' }, 'groups.csv:1 : the column name stands twice'],
    ['too few cells', { 'groups.csv': 'code,name\nA\n' }, /^groups.csv:2 : has 1 cells, .* names 2 columns$/],
    ['a file that was cut off', { 'groups.csv': 'code,name\nA,"B\n' }, /^groups.csv:2 : .*never ends/],
    [
      'a bad boolean',
      { 'groups.csv': 'code,name,is_active\nA,B,yes\n' },
      /^groups.csv:2 is_active: must be true or false; it is "yes"$/,
    ],
    [
      'a bad number',
      { 'groups.csv': 'code,name,display_order\nA,B,1.5\n' },
      /^groups.csv:2 display_order: must be a whole number/,
    ],
    [
      'a number out of range',
      { 'groups.csv': 'code,name,display_order\nA,B,-1\n' },
      /^groups.csv:2 display_order: must be a whole number from 0/,
    ],
    [
      'a bad amount',
      { 'options.csv': `${OPTIONS}\nNOVA,amount,N9,RM 9,"9,00"\n` },
      /^options.csv:2 denomination: must be a plain decimal.*"9,00"$/,
    ],
    [
      'an amount of nothing',
      { 'options.csv': `${OPTIONS}\nNOVA,amount,N9,RM 9,0\n` },
      /^options.csv:2 denomination: must be greater than 0/,
    ],
    [
      'a missing denomination',
      { 'options.csv': `${OPTIONS}\nNOVA,amount,N9,RM 9,\n` },
      /^options.csv:2 denomination: is needed/,
    ],
    [
      'too long a name',
      { 'groups.csv': `code,name\nA,${'x'.repeat(101)}\n` },
      /^groups.csv:2 name: must be 1 to 100 characters/,
    ],
    ['an empty name', { 'groups.csv': 'code,name\nA,\n' }, /^groups.csv:2 name: must be 1 to 100 characters/],
    ['a bad code', { 'groups.csv': 'code,name\nA B,C\n' }, /^groups.csv:2 code: must be 1 to 50 letters/],
    [
      'an unknown group',
      { 'categories.csv': 'code,group,name\nA,NONE,B\n' },
      'categories.csv:2 group: there is no group NONE',
    ],
    [
      'an unknown product',
      { 'options.csv': `${OPTIONS}\nNONE,amount,N9,RM 9,9\n` },
      /^options.csv:2 field: there is no such product/,
    ],
    [
      'an unknown field',
      { 'options.csv': `${OPTIONS}\nNOVA,plan,N9,RM 9,9\n` },
      'options.csv:2 field: the product has no such field',
    ],
    [
      'options of a field without any',
      { 'options.csv': `${OPTIONS}\nNOVA,phone,N9,RM 9,9\n` },
      /^options.csv:2 field: only select fields have options/,
    ],
    [
      'an unknown level',
      { 'prices.csv': `${PRICES}\nGOLD,NOVA,percentage,0.9\n` },
      'prices.csv:2 level: there is no level GOLD',
    ],
    [
      'a price of an unknown product',
      { 'prices.csv': `${PRICES}\nSTANDARD,NONE,percentage,0.9\n` },
      /^prices.csv:2 product: there is no product NONE/,
    ],
    [
      'a price that gives goods away',
      { 'prices.csv': `${PRICES}\nSTANDARD,NOVA,fixed,5\n` },
      /^prices.csv:2 value: would make the cost .* zero or less$/,
    ],
    [
      'a percentage in hundredths',
      { 'prices.csv': `${PRICES}\nSTANDARD,NOVA,percentage,97\n` },
      /^prices.csv:2 value: must be .* at most 2/,
    ],
    [
      'a negative discount',
      { 'prices.csv': `${PRICES}\nSTANDARD,NOVA,fixed,-0.5\n` },
      /^prices.csv:2 value: must be a plain decimal greater than 0/,
    ],
    [
      'a price without a value',
      { 'prices.csv': `${PRICES}\nSTANDARD,NOVA,fixed,\n` },
      /^prices.csv:2 value: must be there/,
    ],
    [
      'no price with a value',
      { 'prices.csv': `${PRICES}\nSTANDARD,NOVA,none,1\n` },
      /^prices.csv:2 value: must be empty/,
    ],
    [
      'a bad kind of price',
      { 'prices.csv': `${PRICES}\nSTANDARD,NOVA,half,1\n` },
      /^prices.csv:2 discount_type: must be one of percentage, fixed, none; it is "half"$/,
    ],
    [
      'a dangling backslash',
      { 'options.csv': `${OPTIONS},features\nNOVA,amount,N9,RM 9,9,a\\b\n` },
      /^options.csv:2 features: must be texts/,
    ],
    ['no JSON', { 'a.json': '{"groups": [\n' }, /^a.json:2 : no valid JSON/],
    ['JSON of something else', { 'a.json': '[]' }, 'a.json:1 : must be an object'],
    ['another format', { 'a.json': '{\n"format": "x/2"}' }, 'a.json:2 format: must be "warung-catalog/1"'],
    ['an unknown part', { 'a.json': '{\n"gruops": []}' }, 'a.json:2 : there is no "gruops" here'],
    ['a part that is no list', { 'a.json': '{\n"groups": {}}' }, 'a.json:2 groups: must be an array'],
    ['a row that is no object', { 'a.json': '{"groups": [\n1]}' }, 'a.json:2 groups[0]: must be an object'],
    [
      'an unknown member',
      { 'a.json': '{"groups": [{"code": "A", "name": "B",\n"color": 1}]}' },
      'a.json:2 groups[0]: there is no "color" here',
    ],
    [
      'a missing member',
      { 'a.json': '{"groups": [\n{"code": "A"}]}' },
      'a.json:2 groups[0]: name is missing',
    ],
    [
      'a member twice',
      { 'a.json': '{"groups": [{"code": "A",\n"code": "B", "name": "C"}]}' },
      'a.json:2 : "code" stands twice in one object',
    ],
    [
      'money as a number',
      {
        'a.json': json({
          options: [{ ...{ product: 'NOVA', field: 'amount', code: 'N9', label: 'x' }, denomination: 9 }],
        }),
      },
      /^a.json:\d+ options\[0\].denomination: must be a plain decimal .*, or null$/,
    ],
    [
      'a text as a boolean',
      { 'a.json': '{"groups": [{"code": "A", "name": "B", "is_active": "true"}]}' },
      /groups\[0\].is_active: must be true or false$/,
    ],
    [
      'a part of a product that is no object',
      { 'a.json': '{"products": [{"code": "A",\n"legacy": 1}]}' },
      /^a.json:2 products\[0\].legacy: must be an object$/,
    ],
  ])('%s', (_, files, expected) => {
    const found = problemsOf(files)
    expect(found).toContainEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected))
  })

  it('rows that say the same twice, also in two files', () => {
    expect(
      problemsOf({
        'groups.csv': 'code,name\nA,a\nB,b\nA,c\n',
        'more.json': '{"groups": [\n{"code": "B", "name": "b"}]}',
      }),
    ).toEqual([
      'groups.csv:4 : A stands here again, after groups.csv:2',
      'more.json:2 groups[0]: B stands here again, after groups.csv:3',
    ])
  })

  it('every option of a product that is not there', () => {
    const rows = ['P,amount,1,1,1', 'P,amount,2,2,2', 'NOVA,amount,N9,RM 9,9', 'P,plan,3,3,3']
    expect(problemsOf({ 'options.csv': [OPTIONS, ...rows].join('\n') })).toEqual(
      [2, 3, 5].map((line) => `options.csv:${line} field: there is no such product`),
    )
  })

  it('parts of products, by their line in the document', () => {
    const [phone, amount] = sampleProduct().fields
    if (phone === undefined || amount === undefined) throw new Error('the sample has two fields')
    const dynamic = (id: string, needed: string) => ({
      ...amount,
      id,
      role: 'none' as const,
      dataSource: { type: 'dynamic' as const, dependsOn: [needed], params: {} },
    })
    const circle = productFile({ fields: [phone, amount, dynamic('one', 'two'), dynamic('two', 'one')] })
    const at = (id: string) => lineOf(circle.slice(circle.indexOf(`"id": "${id}"`)), '"depends_on"')
    expect(problemsOf({ 'p.json': circle })).toEqual(
      ['one', 'two'].map((id, index) => {
        const line = lineOf(circle, `"id": "${id}"`) + at(id) - 1
        const path = `products[0].fields[${index + 2}].data_source.depends_on`
        return `p.json:${line} ${path}: goes in a circle: the field waits for itself`
      }),
    )
    const repeated = productFile({ fields: [phone, amount, { ...phone, role: 'none' }] })
    expect(problemsOf({ 'p.json': repeated })).toContainEqual(
      `p.json:${lineOf(repeated, '"id": "phone"') - 1} products[0].fields[0]: another field has the same id`,
    )
    const category = productFile({ categoryCode: 'NONE' })
    expect(problemsOf({ 'p.json': category })).toEqual([
      `p.json:${lineOf(category, '"category"')} products[0].category: there is no category NONE`,
    ])
    const stray = productFile({ fulfillment: { amount: { fromField: 'amount', path: 'price' } } })
    expect(problemsOf({ 'p.json': stray })).toEqual([
      expect.stringMatching(/products\[0\].fulfillment.account: is needed/),
      `p.json:${lineOf(stray, '"path"')} products[0].fulfillment.amount.path: must be denomination where options price`,
    ])
  })

  it('old prices that a new denomination makes wrong', () => {
    const files = {
      'prices.csv': `${PRICES}\nSTANDARD,NOVA,fixed,4\n`,
      'options.csv': `${OPTIONS}\nNOVA,amount,N3,RM 3,3\n`,
    }
    expect(problemsOf(files)).toEqual([expect.stringMatching(/^prices.csv:2 value: would make the cost/)])
    const { 'prices.csv': _, ...alone } = files
    expect(problemsOf(alone)).toEqual([])
    const cheap = `${OPTIONS}\nNOVA,amount,N0,nothing,0.0001\n`
    const pricey = `${PRICES}\nSTANDARD,NOVA,fixed,0.0001\n`
    expect(problemsOf({ 'options.csv': cheap, 'prices.csv': pricey })).toHaveLength(1)
  })

  it('an old price that the files do not name, at what they say about its product', () => {
    const priced = patched(
      present,
      mergeBase(present, {
        prices: [
          {
            levelCode: 'STANDARD',
            productCode: 'NOVA',
            price: { discountType: 'fixed', unitPrice: -400_000_000n, currency: 'MYR' },
          },
        ],
      }).touched,
      'after',
    )
    const problems = collectProblems(['options.csv'])
    const bytes = Buffer.from(`${OPTIONS}\nNOVA,amount,N3,RM 3,3\n`)
    const given = readFiles([{ name: 'options.csv', bytes }], problems)
    checkChange(priced, changeOf(given, indexPresent(priced)), given, problems)
    expect(problems.list()).toEqual([
      {
        file: 'options.csv',
        line: 2,
        path: '',
        message: expect.stringMatching(/^prices STANDARD:NOVA: unitPrice: would make the cost/),
      },
    ])
  })

  it('all at once, and what refers to a broken row is not called wrong for it', () => {
    expect(
      problemsOf({
        'groups.csv': 'code,name,is_active\nNEW,New,maybe\n',
        'categories.csv': 'code,group,name,display_order\nC,NEW,C,x\nD,NEW,D,1\n',
        'a.json': json({
          products: [{ code: 'P', category: 'C' }],
          levels: [{ code: 'GOLD' }],
        }),
        'options.csv': `${OPTIONS}\nP,amount,1,1,1\n`,
        'prices.csv': `${PRICES}\nGOLD,P,percentage,0.9\nGOLD,NOVA,percentage,0.9\n`,
      }).map((problem) => problem.replace(/: .*/, '')),
    ).toEqual([
      'groups.csv:2 is_active',
      'categories.csv:2 display_order',
      ...Array.from({ length: 7 }, () => 'a.json:3 products[0]'),
      'a.json:9 levels[0]',
    ])
  })

  it('up to a number that somebody reads, and the rest is counted', () => {
    const problems = collectProblems(['groups.csv'])
    const rows = Array.from({ length: 500 }, (_, index) => `G${index},Name,perhaps`)
    const bytes = Buffer.from(['code,name,is_active', ...rows].join('\n'))
    readFiles([{ name: 'groups.csv', bytes }], problems)
    expect(problems.list()).toHaveLength(200)
    expect(problems.count()).toBe(500)
  })
})

describe('files without mistakes', () => {
  it.each<[string, Files]>([
    ['columns in any order', { 'groups.csv': 'name,is_active,code\nNew,TRUE,NEW\n' }],
    ['a name that says what the file holds', { '2026-11-groups.csv': 'code,name\nNEW,New\n' }],
    ['columns that say what the file holds', { 'list.csv': `${PRICES}\nSTANDARD,NOVA,fixed,0.5\n` }],
    ['a price taken away', { 'prices.csv': `${PRICES}\nSTANDARD,NOVA,none,\n` }],
    [
      'a group and its category in one go',
      { 'categories.csv': 'code,group,name\nC,NEW,C\n', 'groups.csv': 'code,name\nNEW,New\n' },
    ],
    ['a file with nothing but its columns', { 'options.csv': `${OPTIONS}\n` }],
    ['the whole catalogue as it is', { 'catalog.json': printDocument(documentOf(present)) }],
  ])('%s', (_, files) => expect(problemsOf(files)).toEqual([]))
})
