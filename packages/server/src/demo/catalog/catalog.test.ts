import { describe, expect, it } from 'vitest'
import { checkBase, checkLevel } from '../../modules/catalog/edit/check.rules.ts'
import { checkOverlay } from '../../modules/catalog/edit/check-overlay.rules.ts'
import { compileLevel, compileSnapshot } from '../../modules/catalog/model/compile.rules.ts'
import { mergeBase } from '../../modules/catalog/model/merge.rules.ts'
import { EMPTY_STATE, patched } from '../../modules/catalog/model/state.rules.ts'
import type { AccountView, Field, Mapping, Option, Product } from '../../modules/catalog/model/types.ts'
import { PROCESSING_TIMES } from '../../modules/catalog/model/types.ts'
import { listProducts } from '../../modules/catalog/model/visibility.rules.ts'
import { BILLER_COUNT, listBillers } from './billers.ts'
import { demoCatalog } from './catalog.ts'
import { DEMO_OVERLAY } from './overlay.ts'

const catalog = demoCatalog()
const { base, levels } = patched(EMPTY_STATE, mergeBase(EMPTY_STATE, catalog).touched, 'after')
const overlay = { ...DEMO_OVERLAY, updatedAt: new Date(0) }

function productOf(code: string): Product {
  const found = catalog.products.find((product) => product.code === code)
  if (found === undefined) throw new Error(`there is no ${code}`)
  return found
}

function fieldOf(code: string, id: string): Field {
  const found = productOf(code).fields.find((field) => field.id === id)
  if (found === undefined) throw new Error(`${code} has no ${id}`)
  return found
}

function optionsOf(code: string, fieldId: string): readonly Option[] {
  return base.options.get(code)?.get(fieldId) ?? []
}

function denominations(code: string, fieldId: string): number[] {
  return optionsOf(code, fieldId).map((option) => Number(option.denomination) / 10_000)
}

function compile(levelCode: string, own: Partial<AccountView>) {
  const level = levels.get(levelCode)
  if (level === undefined) throw new Error(`there is no ${levelCode}`)
  const versions = { base: '1', level: '1' }
  const nothing = {
    allowedProducts: new Set<string>(),
    deniedProducts: new Set<string>(),
    overlay: undefined,
  }
  return compileSnapshot(compileLevel(base, level, versions), { ...nothing, levelCode, ...own })
}

const EVERYTHING = { isActive: true, includeInactive: true }
const first = compile('STANDARD', { allowedProducts: new Set(['FD']) })
const second = compile('BORNEO', { overlay })

describe('the demo catalogue', () => {
  it('keeps every rule of a catalogue, on every level and in the customisation', () => {
    expect(mergeBase(EMPTY_STATE, catalog).repeated).toEqual([])
    expect(checkBase(base)).toEqual([])
    for (const level of levels.values()) expect(checkLevel(base, level)).toEqual([])
    expect(checkOverlay(base, overlay)).toEqual([])
  })

  it('has 8 groups and 60 products that either reseller can buy, over every kind of field, time and price', () => {
    expect(catalog.groups.length).toBeGreaterThanOrEqual(8)
    expect(listProducts(first, EVERYTHING).length).toBeGreaterThanOrEqual(60)
    expect(listProducts(second, EVERYTHING).length).toBeGreaterThanOrEqual(60)
    const fields = catalog.products.flatMap((product) => product.fields)
    expect(new Set(fields.map((field) => field.type))).toEqual(new Set(['text', 'number', 'select', 'money']))
    expect(new Set(fields.map((field) => field.inputMode))).toEqual(
      new Set(['text', 'tel', 'numeric', 'email', 'decimal']),
    )
    expect(new Set(fields.map((field) => field.role))).toEqual(new Set(['account', 'pricing', 'none']))
    expect(new Set(catalog.products.map((product) => product.processingTime))).toEqual(
      new Set(PROCESSING_TIMES),
    )
    for (const level of ['STANDARD', 'BORNEO']) {
      const prices = catalog.prices.filter((price) => price.levelCode === level)
      expect(new Set(prices.map((price) => price.price?.discountType))).toEqual(
        new Set(['percentage', 'fixed']),
      )
    }
  })

  it('has no empty group or category but for what is not listed', () => {
    const used = new Set(catalog.products.map((product) => product.categoryCode))
    expect(catalog.categories.filter((category) => !used.has(category.code))).toEqual([])
    const groups = new Set(catalog.categories.map((category) => category.groupCode))
    expect(catalog.groups.filter((group) => !groups.has(group.code))).toEqual([])
  })

  it('sells NOVA by listed amounts and KITA by any amount', () => {
    expect(fieldOf('NOVA', 'amount')).toMatchObject({ type: 'select', role: 'pricing' })
    expect(denominations('NOVA', 'amount')).toEqual([5, 10, 30, 50, 100])
    expect(fieldOf('KITA', 'amount')).toMatchObject({ type: 'money', validation: { min: 5, max: 500 } })
  })

  it('has seven mobile data products with codes ending in D, and two plans of one price in NOVAD', () => {
    const mobileData = catalog.products.filter((product) => product.categoryCode === 'MOBILE_DATA')
    expect(mobileData).toHaveLength(7)
    for (const { code, kind, fulfillment } of mobileData) {
      expect(code).toMatch(/D$/)
      expect(kind).toBe('mobile_data')
      expect(fulfillment.extras).toEqual({ subproduct_code: { fromField: 'plan', path: 'code' } })
      expect(optionsOf(code, 'plan').length).toBeGreaterThan(1)
    }
    const repeated = mobileData.filter(({ code }) => {
      const values = denominations(code, 'plan')
      return new Set(values).size < values.length
    })
    expect(repeated.map((product) => product.code)).toEqual(['NOVAD'])
  })

  it('has 21,500 billers with codes of 4 to 6 digits, the same at every call', () => {
    const billers = optionsOf('BILLPAY', 'biller')
    expect(billers).toHaveLength(21_500)
    expect(BILLER_COUNT).toBe(21_500)
    expect(new Set(billers.map((biller) => biller.label)).size).toBe(21_500)
    expect(billers.filter((biller) => !/^\d{4,6}$/.test(biller.code))).toEqual([])
    for (const length of [4, 5, 6]) expect(billers.some(({ code }) => code.length === length)).toBe(true)
    expect(billers.some((biller) => biller.suggestedCategory === null)).toBe(true)
    expect(billers.some((biller) => biller.requiresRef2)).toBe(true)
    expect(billers.some((biller) => biller.minAmount !== null && biller.maxAmount !== null)).toBe(true)
    expect(new Set(billers.map((biller) => biller.suggestedCategory)).size).toBeGreaterThan(8)
    expect(listBillers('BILLPAY', 'biller')).toEqual(billers)
  })

  it('has the student loan, the bills, the credits and the cards that tests rely on', () => {
    expect(productOf('EDULOAN')).toMatchObject({
      kind: 'student_loan',
      fulfillment: {
        account: { fromField: 'loan_account', path: 'account_number' },
        amount: { fromField: 'amount' },
        extras: {
          subproduct_code: { fromField: 'loan_account', path: 'code' },
          ic_number: { fromField: 'ic_number' },
        },
      },
    })
    expect(fieldOf('EDULOAN', 'loan_account')).toMatchObject({
      role: 'account',
      dataSource: {
        type: 'dynamic',
        dependsOn: ['ic_number'],
        params: { account_number: { fromField: 'ic_number' } },
      },
    })
    expect(fieldOf('EDULOAN', 'amount')).toMatchObject({ type: 'money', role: 'pricing' })
    expect(productOf('VOLT')).toMatchObject({ kind: 'electricity', isRefundable: true })
    expect(productOf('GEMS')).toMatchObject({ kind: 'game', denominationCurrency: 'GEM' })
    expect(levels.get('STANDARD')?.prices.get('GEMS')?.discountType).toBe('fixed')
    expect(productOf('STORE').denominationCurrency).not.toBe('MYR')
    expect(productOf('STORE').denominationUnitPrice).toBeLessThan(100_000_000n)
    expect(productOf('ESIMGO')).toMatchObject({ kind: 'esim', processingTime: 'link' })
    expect(productOf('FP')).toMatchObject({ isActive: true, isHidden: false })
    expect(productOf('OLDONE').isActive).toBe(false)
  })

  it('has a PIN product without an account on its form, of one denomination', () => {
    const { fields, fulfillment, processingTime } = productOf('PINTEN')
    expect(processingTime).toBe('pin')
    expect(fields.map((field) => field.role)).toEqual(['pricing'])
    expect(fulfillment.account).toBeUndefined()
    expect(denominations('PINTEN', 'amount')).toEqual([10])
  })

  it('shows FD to the first reseller alone, and OLDONE to nobody', () => {
    const listed = (snapshot: typeof first) =>
      listProducts(snapshot, EVERYTHING).map(({ product }) => product.code)
    expect(listed(first)).toContain('FD')
    expect(listed(second)).not.toContain('FD')
    expect(listed(first)).not.toContain('OLDONE')
    expect(first.products.get('FD')?.product).toMatchObject({ isHidden: true, isRestricted: true })
  })

  it('shows the second reseller what it changed', () => {
    const of = (code: string) => second.products.get(code)
    expect(second.groups[0]).toMatchObject({ code: 'BORNEO_PICKS', name: 'Borneo picks' })
    expect(of('RIMBA')).toMatchObject({
      name: 'Rimba Sabah & Sarawak',
      categoryCode: 'BORNEO_RELOAD',
      minAmount: 100_000n,
      maxAmount: 2_000_000n,
    })
    expect(of('KOPIKU')?.isActive).toBe(false)
    expect(of('BAYU')?.findOption('amount', 'BAYU15')?.isActive).toBe(false)
    expect(of('BAYUD')?.findOption('plan', 'BD45')?.money?.price).toBe(469_000n)
    expect(of('SELAT')?.adjustment?.type).toBe('fixed')
    expect(of('ZAMRUD')).toMatchObject({ adjustment: { type: 'percentage' }, hasLossRisk: false })
    expect(of('LANGIT')?.hasLossRisk).toBe(true)
  })
})

describe('a client that knows only the catalogue', () => {
  // Values that a person would type into each kind of field.
  const TYPED: Record<string, string> = {
    tel: '60123456789',
    email: 'name@example.com',
    numeric: '900101145678',
    text: '900101145678',
  }

  function typeInto(field: Field): string {
    if (field.type === 'money' || field.role === 'pricing') return String(field.validation.min)
    return TYPED[field.inputMode] ?? ''
  }

  /** Returns the chosen option as the options operation shows it, or a dynamic option as its provider would. */
  function choose(product: Product, field: Field): Record<string, unknown> {
    if (field.dataSource?.type === 'dynamic') {
      return { code: 'K', account_number: '1000200030', denomination: 8 }
    }
    const [option] = optionsOf(product.code, field.id)
    return { code: option?.code, denomination: Number(option?.denomination) / 10_000 }
  }

  function mappedFrom(product: Product, mapping: Mapping): unknown {
    const field = product.fields.find((each) => each.id === mapping.fromField)
    if (field === undefined) return undefined
    return field.type === 'select' ? choose(product, field)[mapping.path ?? ''] : typeInto(field)
  }

  it.each(catalog.products.map((product) => [product.code, product] as const))(
    'can fill the form of %s and make a payment of it',
    (_, product) => {
      for (const field of product.fields) {
        const { pattern } = field.validation
        if (pattern !== undefined) expect(typeInto(field)).toMatch(new RegExp(pattern, 'u'))
        if (field.dataSource === undefined) continue
        expect(field.dataSource.params).toMatchObject({
          product_code: { static: product.code },
          field_id: { static: field.id },
        })
        if (field.dataSource.type === 'reference') {
          expect(optionsOf(product.code, field.id).length).toBeGreaterThan(0)
        }
      }
      const { account, amount, extras = {} } = product.fulfillment
      if (account !== undefined) expect(mappedFrom(product, account)).toMatch(/./)
      expect(Number(mappedFrom(product, amount))).toBeGreaterThan(0)
      for (const mapping of Object.values(extras)) expect(mappedFrom(product, mapping)).toMatch(/./)
    },
  )

  it('never meets an amount that names two options, where no code tells them apart', () => {
    for (const product of catalog.products.filter(({ fulfillment }) => fulfillment.extras === undefined)) {
      for (const field of product.fields.filter(({ role }) => role === 'pricing')) {
        const values = denominations(product.code, field.id)
        expect(new Set(values).size).toBe(values.length)
      }
    }
  })
})
