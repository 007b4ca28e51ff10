import { describe, expect, it } from 'vitest'
import { RATE_ONE } from '../../../lib/rates.ts'
import {
  moneyField,
  moneyProduct,
  optionMap,
  PERCENTAGE,
  RINGGIT,
  sampleBase,
  sampleCategory,
  sampleGroup,
  sampleLevel,
  sampleOption,
  sampleProduct,
  selectField,
  textField,
} from '../../../testing/catalog/catalog-samples.ts'
import { PROBLEMS_MAX } from '../model/problems.rules.ts'
import type {
  BaseCatalog,
  Category,
  Field,
  Fulfillment,
  Group,
  Option,
  Product,
  WholesalePrice,
} from '../model/types.ts'
import { checkBase, checkLevel } from './check.rules.ts'

const problemPaths = (base: BaseCatalog) =>
  checkBase(base).map(({ resource, id, field }) => `${resource} ${id} ${field}`)
const ofProduct = (change: Partial<Product>) =>
  problemPaths(sampleBase({ products: [sampleProduct(change)] }))
const ofOption = (change: Partial<Option>) => problemPaths(sampleBase({ listed: [sampleOption(change)] }))

it('sound catalogues have no problems', () => {
  expect(checkBase(sampleBase())).toEqual([])
  expect(checkBase(sampleBase({ products: [moneyProduct()], listed: [] }))).toEqual([])
  expect(checkLevel(sampleBase(), sampleLevel())).toEqual([])
})

it('a problem names the resource, the id and the field, and says what must be', () => {
  const base = sampleBase({ groups: [sampleGroup({ iconUrl: 'http://img.example/a.png' })] })
  expect(checkBase(base)).toEqual([
    {
      resource: 'groups',
      id: 'MOBILE',
      field: 'iconUrl',
      text: 'must be an https URL of at most 500 characters, or a path under /images',
    },
  ])
})

describe('groups and categories', () => {
  it.each<[string, Partial<Group>]>([
    ['code', { code: 'A B' }],
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(101) }],
    ['name', { name: 'Tab\there' }],
    ['iconUrl', { iconUrl: 'javascript:alert(1)' }],
    ['displayOrder', { displayOrder: -1 }],
    ['displayOrder', { displayOrder: 1.5 }],
  ])('a wrong %s is found: %o', (field, change) => {
    const group = sampleGroup({ code: 'EXTRA', ...change })
    expect(problemPaths(sampleBase({ groups: [sampleGroup(), group] }))).toEqual([
      `groups ${group.code} ${field}`,
    ])
  })

  it('a picture may be one that the service draws, and nothing else of the service', () => {
    const problems = (iconUrl: string) => checkBase(sampleBase({ groups: [sampleGroup({ iconUrl })] })).length
    expect(problems('/images/groups/MOBILE.svg')).toBe(0)
    for (const path of [
      '/images/groups/a b.svg',
      '/images/x/A.svg',
      '/images/groups/../../x.svg',
      '/v2/catalog',
    ]) {
      expect(problems(path), path).toBe(1)
    }
  })

  it('an icon may be absent', () =>
    expect(checkBase(sampleBase({ groups: [sampleGroup({ iconUrl: '' })] }))).toEqual([]))

  it.each<[string, Partial<Category>]>([
    ['groupCode', { groupCode: 'GONE' }],
    ['code', { code: '..' }],
  ])('a category with a wrong %s is found', (field, change) => {
    const category = sampleCategory({ code: 'EXTRA', ...change })
    expect(problemPaths(sampleBase({ categories: [sampleCategory(), category] }))).toEqual([
      `categories ${category.code} ${field}`,
    ])
  })

  it('codes that are there twice are found', () => {
    const twice = sampleBase({
      groups: [sampleGroup(), sampleGroup()],
      categories: [sampleCategory(), sampleCategory()],
      products: [sampleProduct(), sampleProduct()],
      listed: [sampleOption(), sampleOption()],
    })
    expect(problemPaths(twice)).toEqual([
      'groups MOBILE code',
      'categories PREPAID code',
      'products NOVA code',
      'options NOVA:amount:N10 code',
    ])
  })
})

describe('products', () => {
  it.each<[string, Partial<Product>]>([
    ['categoryCode', { categoryCode: 'GONE' }],
    ['name', { name: '' }],
    ['note', { note: 'x'.repeat(2_001) }],
    ['imageUrl', { imageUrl: '' }],
    ['imageUrl', { imageUrl: 'https://user:secret@img.example/a.png' }],
    ['imageUrl', { imageUrl: 'https://' }],
    ['displayOrder', { displayOrder: Number.NaN }],
    ['denomination', { denomination: 'x'.repeat(501) }],
    ['denominationCurrency', { denominationCurrency: 'gems' }],
    ['denominationUnitPrice', { denominationUnitPrice: 0n }],
    ['minAmount', { minAmount: 0n }],
    ['maxAmount', { maxAmount: -1n }],
    ['maxAmount', { maxAmount: 10n ** 14n }],
    ['minAmount', { minAmount: 2n, maxAmount: 1n }],
  ])('a wrong %s is found: %o', (field, change) =>
    expect(ofProduct(change)).toEqual([`products NOVA ${field}`]),
  )

  it('limits that leave no amount of the pricing field are found, and may stay where they are stored', () => {
    const of = (change: Partial<Product>) => sampleBase({ products: [moneyProduct(change)], listed: [] })
    const [tooHigh, tooLow] = [of({ minAmount: 501n * RINGGIT }), of({ maxAmount: 4n * RINGGIT })]
    expect(checkBase(tooHigh).map(({ field, text }) => `${field} ${text}`)).toEqual([
      'minAmount must not be greater than the maximum of the pricing field',
    ])
    expect(checkBase(tooLow).map(({ field, text }) => `${field} ${text}`)).toEqual([
      'maxAmount must not be less than the minimum of the pricing field',
    ])
    expect(checkBase(tooHigh, tooHigh)).toEqual([])
    expect(checkBase(tooHigh, of({}))).toHaveLength(1)
    // Both limits together replace those of the field.
    expect(checkBase(of({ minAmount: 501n * RINGGIT, maxAmount: 600n * RINGGIT }))).toEqual([])
    expect(checkBase(of({ minAmount: 500n * RINGGIT }))).toEqual([])
  })

  it.each(['NO VA', 'NO:VA', '', 'Ä', '.hidden', '__proto__', 'x'.repeat(51)])(
    'the code %j is refused',
    (code) => {
      const base = sampleBase({ products: [sampleProduct({ code })], listed: [] })
      expect(problemPaths(base)).toEqual([`products ${code} code`])
    },
  )

  it.each(['A', 'a-b_c.9', '9X'])('the code %j is fine', (code) =>
    expect(checkBase(sampleBase({ products: [sampleProduct({ code })], listed: [] }))).toEqual([]),
  )
})

describe('form fields', () => {
  const { dataSource: _, ...bare } = selectField()
  const source = { type: 'dynamic', dependsOn: [], params: {} } as const

  const ofField = (change: Partial<Field>, from: Field = textField({ id: 'extra', role: 'none' })) =>
    ofProduct({ fields: [...sampleProduct().fields, { ...from, ...change }] })

  it.each<[string, Partial<Field>]>([
    ['id', { id: 'a:b' }],
    ['label', { label: '' }],
    ['placeholder', { placeholder: 'x'.repeat(201) }],
    ['order', { order: -1 }],
    ['currency', { currency: 'MYR' }],
    ['dataSource', { dataSource: source }],
    ['validation.pattern', { validation: { pattern: '(' } }],
    ['validation.pattern', { validation: { pattern: '^(a+)+$' } }],
    ['validation.pattern', { validation: { pattern: 'x'.repeat(201) } }],
    ['validation.message', { validation: { message: 'x'.repeat(201) } }],
    ['validation.min', { validation: { min: 1 } }],
  ])('a wrong %s of a text field is found: %o', (field, change) =>
    expect(ofField(change)).toEqual([`products NOVA fields.${change.id ?? 'extra'}.${field}`]),
  )

  it.each<[string, Partial<Field>]>([
    ['validation.min', { validation: { min: 0 } }],
    ['validation.min', { validation: { min: 0.00001 } }],
    ['validation.max', { validation: { max: Number.POSITIVE_INFINITY } }],
    ['validation.min', { validation: { min: 10, max: 5 } }],
    ['currency', { currency: 'ringgit' }],
  ])('a wrong %s of a money field is found: %o', (field, change) => {
    const product = moneyProduct({ fields: [textField(), moneyField(change)] })
    expect(problemPaths(sampleBase({ products: [product], listed: [] }))).toEqual([
      `products KITA fields.amount.${field}`,
    ])
  })

  it('a select field without a source is found', () => {
    expect(ofProduct({ fields: [textField(), bare] })).toEqual(['products NOVA fields.amount.dataSource'])
  })

  it.each<[string, Partial<NonNullable<Field['dataSource']>>]>([
    ['dependsOn', { dependsOn: ['gone'] }],
    ['dependsOn', { type: 'reference', dependsOn: ['phone'] }],
    ['params.a', { params: { a: { fromField: 'gone' } } }],
    ['params.A B', { params: { 'A B': { static: 'x' } } }],
    ['params.a', { params: { a: { static: 'x'.repeat(201) } } }],
  ])('a wrong %s of a source is found: %o', (field, change) => {
    const select = selectField({ id: 'extra', role: 'none', dataSource: { ...source, ...change } })
    expect(ofField({}, select)).toEqual([`products NOVA fields.extra.dataSource.${field}`])
  })

  it('fields that wait for each other are found, each of them, and those that only wait are too', () => {
    const waiting = (id: string, dependsOn: string[], params: Record<string, { fromField: string }> = {}) =>
      selectField({ id, role: 'none', dataSource: { type: 'dynamic', dependsOn, params } })
    const found = (...fields: Field[]) =>
      ofProduct({ fields: [...sampleProduct().fields, ...fields] }).map((each) => each.split('.')[1])
    expect(found(waiting('a', ['b']), waiting('b', ['a']))).toEqual(['a', 'b'])
    expect(found(waiting('a', ['a']))).toEqual(['a'])
    expect(found(waiting('a', ['b']), waiting('b', [], { x: { fromField: 'a' } }))).toEqual(['a', 'b'])
    expect(found(waiting('a', ['b']), waiting('b', ['phone']))).toEqual([])
  })

  it('ids, pricing fields and account fields that are there twice are found', () => {
    expect(ofField({ id: 'phone' })).toEqual(['products NOVA fields.phone'])
    expect(ofField({ role: 'account' })).toEqual(['products NOVA fields'])
    expect(ofField({}, moneyField({ id: 'extra' }))).toEqual(['products NOVA fields'])
  })

  it('a text cannot be the amount', () => {
    const fields = [textField(), textField({ id: 'amount', role: 'pricing' })]
    const fulfillment = { account: { fromField: 'phone' }, amount: { fromField: 'amount' } }
    expect(
      problemPaths(sampleBase({ products: [sampleProduct({ fields, fulfillment })], listed: [] })),
    ).toEqual(['products NOVA fields.amount.role'])
  })

  it('a form without end is not looked through', () => {
    const fields = Array.from({ length: 31 }, (_, index) => textField({ id: `f${index}` }))
    expect(ofProduct({ fields })).toContain('products NOVA fields')
  })
})

describe('fulfilment', () => {
  const { fulfillment } = sampleProduct()
  const ofFulfillment = (change: Partial<Fulfillment>) =>
    ofProduct({ fulfillment: { ...fulfillment, ...change } }).map((each) => each.split('fulfillment.')[1])
  const extra = (key: string, mapping: { fromField: string; path?: string }) => ({
    extras: { [key]: mapping },
  })

  it.each<[string, Partial<Fulfillment>]>([
    ['account.fromField', { account: { fromField: 'gone' } }],
    ['account.path', { account: { fromField: 'phone', path: 'code' } }],
    ['amount.fromField', { amount: { fromField: 'phone', path: 'denomination' } }],
    ['amount.path', { amount: { fromField: 'amount', path: 'price.amount' } }],
    ['extras.x.fromField', extra('x', { fromField: 'gone' })],
    ['extras.x.path', extra('x', { fromField: 'amount' })],
    ['extras.x.path', extra('x', { fromField: 'amount', path: 'a..b' })],
    ['extras.A B', extra('A B', { fromField: 'phone' })],
  ])('a wrong %s is found: %o', (field, change) => expect(ofFulfillment(change)).toContain(field))

  it('an account that is asked for and never sent is found', () => {
    const { account: _, ...rest } = fulfillment
    expect(ofProduct({ fulfillment: rest })).toEqual(['products NOVA fulfillment.account'])
  })
})

describe('options', () => {
  it.each<[string, Partial<Option>]>([
    ['label', { label: '' }],
    ['description', { description: 'x'.repeat(2_001) }],
    ['displayOrder', { displayOrder: 0.5 }],
    ['denomination', { denomination: null }],
    ['denomination', { denomination: 0n }],
    ['validity', { validity: '' }],
    ['features', { features: [''] }],
    ['features', { features: Array.from({ length: 31 }, () => 'x') }],
    ['rrp', { rrp: 0n }],
    ['minAmount', { minAmount: 2n, maxAmount: 1n }],
    ['suggestedCategory', { suggestedCategory: 'x'.repeat(101) }],
    ['additionalDescription', { additionalDescription: ['x'.repeat(501)] }],
  ])('a wrong %s is found: %o', (field, change) =>
    expect(ofOption(change)).toEqual([`options NOVA:amount:N10 ${field}`]),
  )

  it('codes may have colons, and no spaces', () => {
    expect(ofOption({ code: 'a:b:c' })).toEqual([])
    expect(ofOption({ code: 'a b' })).toEqual(['options NOVA:amount:a b code'])
  })

  it.each<[string, Partial<Option>]>([
    ['of no product', { productCode: 'GONE' }],
    ['of no field', { fieldId: 'gone' }],
    ['of a field that is no select', { fieldId: 'phone' }],
  ])('a list %s is found', (_, change) => {
    const option = sampleOption(change)
    expect(ofOption(change)).toEqual([`options ${option.productCode}:${option.fieldId} fieldId`])
  })

  it('a list of a dynamic field, and an option in a list that is not its own, are found', () => {
    const fields = [
      textField(),
      selectField({ dataSource: { type: 'dynamic', dependsOn: ['phone'], params: {} } }),
    ]
    expect(ofProduct({ fields })).toEqual(['options NOVA:amount fieldId'])
    const list = optionMap([sampleOption()]).get('NOVA')
    const options = new Map(list && [['OTHER', list]])
    const products = [sampleProduct({ code: 'OTHER' })]
    expect(problemPaths(sampleBase({ products, options }))).toEqual(['options NOVA:amount:N10 productCode'])
  })

  it('the list of problems ends somewhere', () => {
    const listed = Array.from({ length: 2_000 }, (_, index) => sampleOption({ code: `N${index}`, label: '' }))
    expect(checkBase(sampleBase({ listed }))).toHaveLength(PROBLEMS_MAX)
  })
})

describe('price levels', () => {
  const fixed = (unitPrice: bigint): WholesalePrice => ({ ...PERCENTAGE, discountType: 'fixed', unitPrice })
  const of = (wholesale: WholesalePrice, base = sampleBase()) =>
    checkLevel(base, sampleLevel({ NOVA: wholesale })).map(
      ({ resource, id, field }) => `${resource} ${id} ${field}`,
    )

  it.each<[string, WholesalePrice]>([
    ['unitPrice', { ...PERCENTAGE, unitPrice: 0n }],
    ['unitPrice', { ...PERCENTAGE, unitPrice: -1n }],
    ['unitPrice', { ...PERCENTAGE, unitPrice: 2n * RATE_ONE + 1n }],
    ['unitPrice', fixed(0n)],
    ['unitPrice', fixed(RATE_ONE)],
    ['unitPrice', fixed(-10n * RATE_ONE)],
    ['currency', { ...PERCENTAGE, currency: 'myr' }],
  ])('a wrong %s is found: %o', (field, wholesale) => expect(of(wholesale)).toEqual([`prices NOVA ${field}`]))

  it('a fixed discount is fine as long as every denomination still costs something', () => {
    expect(of(fixed(-9n * RATE_ONE))).toEqual([])
    const small = sampleBase({
      listed: [sampleOption(), sampleOption({ code: 'N5', denomination: 5n * RINGGIT })],
    })
    expect(of(fixed(-9n * RATE_ONE), small)).toEqual(['prices NOVA unitPrice'])
  })

  it('wrong codes, names and products are found', () => {
    const level = { ...sampleLevel({ GONE: PERCENTAGE }), code: 'low', name: '' }
    expect(
      checkLevel(sampleBase(), level).map(({ resource, id, field }) => `${resource} ${id} ${field}`),
    ).toEqual(['levels low code', 'levels low name', 'prices GONE productCode'])
  })
})
