import { describe, expect, it } from 'vitest'
import {
  RINGGIT,
  sampleBase,
  sampleLevel,
  sampleOption,
  sampleProduct,
  selectField,
  textField,
} from '../../../testing/catalog/catalog-samples.ts'
import type { Account, Body } from '../../../testing/payments/judging.ts'
import { compileAccount, FIRST, inputFor, verdictOf } from '../../../testing/payments/judging.ts'
import type { DataSource, Fulfillment } from '../../catalog/model/types.ts'
import type { JudgeInput } from './judge.rules.ts'
import { findOptionsRequest, judge } from './judge.rules.ts'
import { resolvePlan } from './plans.rules.ts'

const plan = (code: string, ringgit: number) => ({ code, denomination: BigInt(ringgit) * 10_000n })
const PLANS = [plan('W10', 10), plan('M10', 10), plan('D5', 5)]

function resolve(code: string | null, ringgit: number): string {
  const choice = resolvePlan(PLANS, code, BigInt(ringgit) * 10_000n)
  return choice.kind === 'chosen' ? choice.plan.code : `${choice.rejection.code} ${choice.rejection.remarks}`
}

const NEEDED = '44 Several plans available for this amount and a plan code is needed'
const UNKNOWN = '44 Unknown or inactive option code'
const MISMATCH = '44 Option code does not match amount'

describe('a plan', () => {
  it.each([
    ['is the one whose code was sent', 'M10', 10, 'M10'],
    ['is the only one of the amount when no code was sent', null, 5, 'D5'],
    ['must be named where several have the amount', null, 10, NEEDED],
    ['is named by the exact code: letter case counts', 'm10', 10, UNKNOWN],
    ['is named by the exact code: spaces count', 'M10 ', 10, UNKNOWN],
    ['that is not there is unknown, whatever the amount', 'X', 7, UNKNOWN],
    ['must have the amount that was sent, be it that of another plan', 'D5', 10, MISMATCH],
    ['must have the amount that was sent, be it that of no plan', 'D5', 7, MISMATCH],
    ['of an amount that none has, without a code, is no denomination', null, 7, '58 Invalid_Denomination'],
  ])('%s', (_, code, ringgit, expected) => {
    expect(resolve(code, ringgit)).toBe(expected)
  })

  it('is the one whose code was sent, though a supplier lists it twice', () => {
    const twice = [plan('W10', 10), plan('W10', 10)]
    expect(resolvePlan(twice, 'W10', 100_000n)).toMatchObject({ kind: 'chosen', plan: { code: 'W10' } })
    expect(resolvePlan(twice, null, 100_000n)).toMatchObject({ rejection: { code: 44 } })
  })

  it('is not to be had where none is on sale', () => {
    expect(resolvePlan([], null, 1n)).toMatchObject({ rejection: { code: 58 } })
    expect(resolvePlan([], 'M10', 1n)).toMatchObject({ rejection: { code: 44 } })
    expect(resolvePlan([{ code: 'X', denomination: null }], 'X', 1n)).toMatchObject({
      rejection: { code: 44 },
    })
  })
})

describe('the plan of a payment', () => {
  it.each([
    ['NOVAD', 10, 'ND10W', 'accepted ND10W'],
    ['NOVAD', 10, 'ND10M', 'accepted ND10M'],
    ['NOVAD', 10, undefined, NEEDED],
    ['NOVAD', 10, '', NEEDED],
    ['NOVAD', 35, undefined, 'accepted ND35'],
    ['NOVAD', 35, 'nd35', UNKNOWN],
    ['NOVAD', 35, 'ND10W', MISMATCH],
    ['NOVAD', 36, 'ND35', MISMATCH],
    ['NOVAD', 36, undefined, '58 Invalid_Denomination'],
    ['NOVAD', 36, 'NONE', UNKNOWN],
    ['SELATD', 0.1, 'SD8', MISMATCH],
    ['RIMBAD', 12.9, 'R:WEEK', 'accepted R:WEEK'],
    ['NOVA', 10, 'NOVA10', 'accepted NOVA10'],
    ['NOVA', 10, 'NOVA5', MISMATCH],
    ['NOVA', 10, 'ND10W', UNKNOWN],
    ['PINTEN', 10, 'PINTEN10', 'accepted PINTEN10'],
    ['KITA', 10, 'ANYTHING', 'accepted'],
    ['NOVAMY', 15, 'P15', 'accepted P15'],
    ['NOVAMY', 15, undefined, 'accepted P15'],
    ['NOVAMY', 15, 'P8', MISMATCH],
    ['NOVAMY', 15, 'ND35', UNKNOWN],
    ['NOVAMY', 16, undefined, '58 Invalid_Denomination'],
  ])('the plan of a payment of %s %d with code %j: %s', async (product, amount, code, expected) => {
    expect(await verdictOf(FIRST, { product, amount, extras: { subproduct_code: code } })).toBe(expected)
  })

  it('the plan of a payment that is switched off, by us or by the reseller, is unknown, and leaves the others of its amount', async () => {
    const options = ['A', 'B', 'C'].map((code) => sampleOption({ code, isActive: code !== 'A' }))
    const overlayOption = { productCode: 'NOVA', fieldId: 'amount', code: 'B', isEnabled: false, rrp: null }
    const overlay = {
      groups: [],
      categories: [],
      products: [],
      options: [overlayOption],
      updatedAt: new Date(0),
    }
    const account = compileAccount(sampleBase({ listed: options }), sampleLevel(), { overlay })
    const verdict = (code: string | null) =>
      verdictOf(account, { product: 'NOVA', amount: 10, extras: { subproduct_code: code } })
    expect(await verdict('A')).toBe(UNKNOWN)
    expect(await verdict('B')).toBe(UNKNOWN)
    expect(await verdict('C')).toBe('accepted C')
    expect(await verdict(null)).toBe('accepted C')
  })

  it('the plan of a payment is not sold from the stock where another plan has its amount', async () => {
    const isWithoutStock = async (account: Account, product: string, amount: number, code: string) => {
      const judged = judge(await inputFor(account, { product, amount, extras: { subproduct_code: code } }))
      return judged.kind === 'accepted' ? judged.decision.withoutStock === true : undefined
    }
    expect(await isWithoutStock(FIRST, 'NOVAD', 10, 'ND10W')).toBe(true)
    expect(await isWithoutStock(FIRST, 'NOVAD', 10, 'ND10M')).toBe(true)
    expect(await isWithoutStock(FIRST, 'NOVAD', 35, 'ND35')).toBe(false)
    expect(await isWithoutStock(FIRST, 'NOVAMY', 15, 'P15')).toBe(false)
    expect(await isWithoutStock(FIRST, 'KITA', 10, '')).toBe(false)
    const overlayOption = { productCode: 'NOVA', fieldId: 'amount', code: 'B', isEnabled: false, rrp: null }
    const overlay = {
      groups: [],
      categories: [],
      products: [],
      options: [overlayOption],
      updatedAt: new Date(0),
    }
    const sold = (isActive: boolean) => {
      const listed = [sampleOption({ code: 'A' }), sampleOption({ code: 'B', isActive })]
      return compileAccount(sampleBase({ listed }), sampleLevel(), { overlay })
    }
    // The reseller has switched B off, and its items are on the shelf nevertheless.
    expect(await isWithoutStock(sold(true), 'NOVA', 10, 'A')).toBe(true)
    expect(await isWithoutStock(sold(false), 'NOVA', 10, 'A')).toBe(false)
  })

  it('the plan of a payment of an account that has no offers is none', async () => {
    const body = { product: 'NOVAMY', amount: 15, account: '60123456000' }
    expect(await verdictOf(FIRST, body)).toBe('58 Invalid_Denomination')
    expect(await verdictOf(FIRST, { ...body, extras: { subproduct_code: 'P15' } })).toBe(UNKNOWN)
  })

  it('the plan of a payment that only one account has is asked for with that account, once everything before it is right', async () => {
    const question = async (body: Body, change?: Partial<JudgeInput>) =>
      findOptionsRequest(await inputFor(FIRST, body, change))
    const body = { product: 'NOVAMY', amount: 15 }
    expect(await question(body)).toEqual({
      productCode: 'NOVAMY',
      fieldId: 'plan',
      accountNumber: '60123456789',
    })
    expect(await question({ ...body, account: '1' })).toBeUndefined()
    expect(await question({ ...body, amount: 'x' })).toBeUndefined()
    expect(await question(body, { reseller: { status: 'suspended', access: 0 } })).toBeUndefined()
    expect(await question({ product: 'NOVAD', amount: 15 })).toBeUndefined()
    expect(await question({ product: 'EDULOAN', amount: 15 })).toBeUndefined()
    expect(await question({ product: 'NOPE', amount: 15 })).toBeUndefined()
  })

  it('the plan of a payment is none where no field gives the amount: the limits of the product apply', async () => {
    const product = sampleProduct({ fields: [textField()], minAmount: 10n * RINGGIT })
    const account = compileAccount(sampleBase({ products: [product] }), sampleLevel())
    expect(await verdictOf(account, { product: 'NOVA', amount: 10 })).toBe('accepted')
    expect(await verdictOf(account, { product: 'NOVA', amount: 9.99 })).toBe('58 Invalid_Denomination')
  })

  it('the type of a loan is asked for with the identity number, once type and number are right', async () => {
    const question = async (extras: Body, change?: Partial<JudgeInput>) =>
      findOptionsRequest(await inputFor(FIRST, { product: 'EDULOAN', amount: 15, extras }, change))
    const extras = { subproduct_code: 'K', ic_number: '900101145678' }
    expect(await question(extras)).toMatchObject({
      fieldId: 'loan_account',
      accountNumber: extras.ic_number,
    })
    expect(await question({ ic_number: extras.ic_number })).toBeUndefined()
    expect(await question({ ...extras, ic_number: '?' })).toBeUndefined()
  })

  describe('the question for plans of one account', () => {
    /** Makes an account whose plans depend on something else than the typed account. */
    function accountAsking(params: DataSource['params'], fulfillment: Partial<Fulfillment> = {}) {
      const identity = textField({ id: 'ic', role: 'none' })
      const plans = selectField({ dataSource: { type: 'dynamic', dependsOn: [], params } })
      const product = sampleProduct({
        fields: [textField(), identity, plans],
        fulfillment: { amount: { fromField: 'amount', path: 'denomination' }, ...fulfillment },
      })
      return compileAccount(sampleBase({ products: [product], listed: [] }), sampleLevel())
    }
    const question = async (account: Account, extras: Body = {}) =>
      findOptionsRequest(await inputFor(account, { product: 'NOVA', amount: 8, extras }))
    const byAccount = { account: { fromField: 'phone' } }
    const byIdentity = { account_number: { fromField: 'ic' } }

    it('may depend on an extra instead of the account', async () => {
      const extras = { ic_number: { fromField: 'ic' } }
      const account = accountAsking(byIdentity, { ...byAccount, extras })
      expect(await question(account, { ic_number: 'A12345' })).toMatchObject({ accountNumber: 'A12345' })
      expect(await question(account)).toBeUndefined()
      const withoutAccount = accountAsking(byIdentity, { extras })
      expect(await question(withoutAccount, { ic_number: 'A12345' })).toMatchObject({
        accountNumber: 'A12345',
      })
    })

    it('is not asked where the payment does not carry the field that it depends on', async () => {
      const account = accountAsking(byIdentity, byAccount)
      expect(await question(account, { ic_number: 'A12345' })).toBeUndefined()
    })

    it('names a fixed account where the catalogue fixes one, and none where it names none', async () => {
      const fixed = accountAsking({ account_number: { static: '4711' } }, byAccount)
      expect(await question(fixed)).toMatchObject({ accountNumber: '4711' })
      expect(await question(accountAsking({}, byAccount))).toMatchObject({ accountNumber: '' })
    })

    it('is not asked for a product without a field that gives its amount', async () => {
      const product = sampleProduct({ fields: [textField()] })
      const account = compileAccount(sampleBase({ products: [product] }), sampleLevel())
      expect(await question(account)).toBeUndefined()
    })
  })
})
