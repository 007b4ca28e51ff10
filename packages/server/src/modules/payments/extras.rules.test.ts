import { describe, expect, it } from 'vitest'
import {
  BILL,
  billerWhere,
  compileDemoAccount,
  FIRST,
  rejectionOf,
  verdictOf,
} from '../../testing/judging.ts'

describe('extras', () => {
  it.each([
    ['biller_code', undefined, '44 Biller_Code_Required'],
    ['biller_code', '', '44 Biller_Code_Required'],
    ['biller_code', 'NONE', '44 Invalid_Biller_Code'],
    ['ic_number', null, '44 IC_Number_Required'],
    ['ic_number', '900101-14-5678', '44 Invalid_IC_Number'],
    ['ic_number', 'A123', '44 Invalid_IC_Number'],
    ['ic_number', '9'.repeat(21), '44 Invalid_IC_Number'],
    ['ic_number', 'A1234', 'accepted'],
    ['ic_number', '9'.repeat(20), 'accepted'],
    ['ref2', '', '44 Ref2_Required'],
    ['ref2', 'anything', 'accepted'],
    ['subproduct_code', 'anything', 'accepted'],
  ])('of a bill payment: %s %j gives %s', async (name, value, expected) => {
    expect(await verdictOf(FIRST, { ...BILL, extras: { ...BILL.extras, [name]: value } })).toBe(expected)
  })

  it('of a bill payment need no second reference where the biller asks for none', async () => {
    const billerCode = billerWhere(({ requiresRef2 }) => !requiresRef2)
    const extras = { biller_code: billerCode, ic_number: 'A12345' }
    expect(await verdictOf(FIRST, { ...BILL, extras })).toBe('accepted')
  })

  it('of a bill payment name a biller that is active', async () => {
    const code = BILL.extras.biller_code
    const off = { productCode: 'BILLPAY', fieldId: 'biller', code, isEnabled: false, rrp: null }
    const overlay = { groups: [], categories: [], products: [], options: [off], updatedAt: new Date(0) }
    const account = compileDemoAccount('STANDARD', { overlay })
    expect(await verdictOf(account, BILL)).toBe('44 Invalid_Biller_Code')
  })

  const LOAN = { product: 'EDULOAN', account: '0012345678', amount: 50 }

  it.each([
    ['K', '900101145678', 'accepted K'],
    ['U', '900101145678', 'accepted U'],
    ['S', '900101145678', 'accepted S'],
    ['SP', '900101145678', 'accepted SP'],
    [null, '900101145678', '44 Several plans are available for this amount and a plan code is needed'],
    ['k', '900101145678', '44 Unknown or inactive plan code'],
    ['P', null, '44 Unknown or inactive plan code'],
    ['K', null, '44 IC_Number_Required'],
    ['K', '12-34', '44 Invalid_IC_Number'],
  ])('of a student loan: code %j and identity %j give %s', async (code, icNumber, expected) => {
    const extras = { subproduct_code: code, ic_number: icNumber }
    const dynamicOptions = ['K', 'U', 'S', 'SP'].map((each) => ({
      ...{ code: each, label: each, accountNumber: LOAN.account },
      ...{ description: null, denomination: null, validity: null, features: null },
    }))
    expect(await verdictOf(FIRST, { ...LOAN, extras }, { dynamicOptions })).toBe(expected)
  })

  it('of other products are not looked at', async () => {
    const extras = { biller_code: 'NONE', ic_number: '?', ref2: '-' }
    expect(await verdictOf(FIRST, { product: 'VOLT', account: '220011223344', amount: 50, extras })).toBe(
      'accepted',
    )
  })

  it('never repeat the identity number in what is said', async () => {
    const extras = { ...BILL.extras, ic_number: '900101-14-5678' }
    expect(JSON.stringify(await rejectionOf(FIRST, { ...BILL, extras }))).not.toContain('900101')
  })
})
