import { describe, expect, it } from 'vitest'
import {
  moneyField,
  moneyProduct,
  PERCENTAGE,
  RINGGIT,
  sampleBase,
  sampleLevel,
  sampleOption,
  sampleProduct,
  selectField,
  textField,
} from '../../../testing/catalog/catalog-samples.ts'
import {
  BILL,
  billerWhere,
  compileAccount,
  compileDemoAccount,
  FIRST,
  inputFor,
  rejectionOf,
  verdictOf,
} from '../../../testing/payments/judging.ts'
import type { ProductKind } from '../../catalog/model/types.ts'
import { simulatedOptions } from '../../providers/simulator/options.rules.ts'
import { findOptionsRequest, judge } from './judge.rules.ts'

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
  ])('extras of a bill payment: %s %j gives %s', async (name, value, expected) => {
    expect(await verdictOf(FIRST, { ...BILL, extras: { ...BILL.extras, [name]: value } })).toBe(expected)
  })

  it('extras of a bill payment need no second reference where the biller asks for none', async () => {
    const billerCode = billerWhere(({ requiresRef2 }) => !requiresRef2)
    const extras = { biller_code: billerCode, ic_number: 'A12345' }
    expect(await verdictOf(FIRST, { ...BILL, extras })).toBe('accepted')
  })

  it('extras of a bill payment name a biller that is active', async () => {
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
    [null, '900101145678', '44 Several plans available for this amount and a plan code is needed'],
    ['k', '900101145678', '44 Unknown or inactive option code'],
    ['P', null, '44 Unknown or inactive option code'],
    ['K', null, '44 IC_Number_Required'],
    ['K', '12-34', '44 Invalid_IC_Number'],
  ])('extras of a student loan: code %j and identity %j give %s', async (code, icNumber, expected) => {
    const extras = { subproduct_code: code, ic_number: icNumber }
    const dynamicOptions = ['K', 'U', 'S', 'SP'].map((each) => ({
      ...{ code: each, label: each, accountNumber: LOAN.account },
      ...{ description: null, denomination: null, validity: null, features: null },
    }))
    expect(await verdictOf(FIRST, { ...LOAN, extras }, { dynamicOptions })).toBe(expected)
  })

  it('extras of other products are not looked at', async () => {
    const extras = { biller_code: 'NONE', ic_number: '?', ref2: '-' }
    expect(await verdictOf(FIRST, { product: 'VOLT', account: '220011223344', amount: 50, extras })).toBe(
      'accepted',
    )
  })

  it('a biller limits the amounts of bill payments alone, though another product has the same field', async () => {
    const biller = sampleOption({
      fieldId: 'biller',
      code: 'B',
      denomination: null,
      minAmount: 20n * RINGGIT,
    })
    const fields = [textField(), selectField(), selectField({ id: 'biller', role: 'none', order: 3 })]
    const fulfillment = {
      account: { fromField: 'phone' },
      amount: { fromField: 'amount', path: 'denomination' },
      extras: { biller_code: { fromField: 'biller', path: 'code' } },
    }
    const verdictFor = (kind: ProductKind) => {
      const base = sampleBase({
        products: [sampleProduct({ kind, fields, fulfillment })],
        listed: [sampleOption(), biller],
      })
      const extras = { biller_code: 'B', ic_number: 'A12345' }
      return verdictOf(compileAccount(base, sampleLevel()), { product: 'NOVA', amount: 10, extras })
    }
    expect(await verdictFor('bill_payment')).toBe('58 Invalid_Denomination')
    expect(await verdictFor('reload')).toBe('accepted N10')
  })

  it('never repeat the identity number in what is said', async () => {
    const extras = { ...BILL.extras, ic_number: '900101-14-5678' }
    expect(JSON.stringify(await rejectionOf(FIRST, { ...BILL, extras }))).not.toContain('900101')
  })
})

const LOAN_OPTION = {
  label: 'Loan',
  description: null,
  denomination: null,
  validity: null,
  features: null,
}

describe('the account of a student loan', () => {
  const ask = (accountNumber: string) =>
    simulatedOptions.listOptions(
      { productCode: 'EDULOAN', fieldId: 'loan_account', accountNumber },
      new AbortController().signal,
    )
  const loanOf = async (icNumber: string) => {
    const answer = await ask(icNumber)
    const [first] = answer.kind === 'found' ? answer.options : []
    return String(first?.accountNumber)
  }
  const IC = '900101145678'
  const body = { product: 'EDULOAN', amount: 10, extras: { subproduct_code: 'K', ic_number: IC } }

  it('is the account of the option that the payment names, and no other', async () => {
    const account = await loanOf(IC)
    expect(await verdictOf(FIRST, { ...body, account })).toBe('accepted K')
    for (const other of ['SL/000-1', `${account}0`, await loanOf('880202025555')]) {
      expect(await verdictOf(FIRST, { ...body, account: other })).toBe('52 Invalid_Account')
    }
  })

  it('the account of a student loan of another type than the one named, or of somebody without loans, is refused', async () => {
    const account = await loanOf(IC)
    const extras = { subproduct_code: 'SP', ic_number: IC }
    const dynamicOptions = [{ ...LOAN_OPTION, code: 'K', accountNumber: account }]
    expect(await verdictOf(FIRST, { ...body, account, extras }, { dynamicOptions })).toMatch(/^52 /)
    expect(await verdictOf(FIRST, { ...body, account }, { dynamicOptions: [] })).toMatch(/^52 /)
  })

  it('is judged before the amount, and after extras without which there is nothing to compare', async () => {
    expect(await verdictOf(FIRST, { ...body, account: '1', amount: 99_999 })).toMatch(/^52 /)
    const without = { ...body, account: '1', extras: { ic_number: IC } }
    expect(await verdictOf(FIRST, without)).toMatch(/^44 Several plans/)
    expect(await verdictOf(FIRST, { ...body, account: '1', extras: { subproduct_code: 'K' } })).toBe(
      '44 IC_Number_Required',
    )
  })

  it('may be a test account in staging alone', async () => {
    const test = { ...body, account: '60123451000' }
    expect(await verdictOf(FIRST, test, { isStaging: true })).toBe('accepted K')
    expect(await verdictOf(FIRST, test)).toBe('52 Invalid_Account')
    expect(await verdictOf(FIRST, { ...body, account: '1' }, { isStaging: true })).toBe('52 Invalid_Account')
  })

  it('the account of a student loan is refused while nobody knows the loans of the customer', async () => {
    const input = await inputFor(FIRST, { ...body, account: await loanOf(IC) })
    expect(judge(input)).toMatchObject({ kind: 'accepted' })
    expect(judge({ ...input, dynamicOptions: undefined })).toMatchObject({ rejection: { code: 52 } })
  })

  const asked = { type: 'dynamic', dependsOn: [], params: {} } as const
  it.each([
    ['maps no extras', undefined, []],
    ['maps the identity number alone', { ic_number: { fromField: 'ic' } }, []],
    [
      'has its type typed',
      { subproduct_code: { fromField: 'type' } },
      [textField({ id: 'type', role: 'none' })],
    ],
    [
      'has its type in a list of ours',
      { subproduct_code: { fromField: 'type', path: 'code' } },
      [
        selectField({ id: 'type', role: 'none' }),
        selectField({ id: 'other', role: 'none', dataSource: asked }),
      ],
    ],
  ])('the account of a student loan whose form %s is compared with nothing', async (_, extras, fields) => {
    const product = moneyProduct({
      kind: 'student_loan',
      fields: [textField(), moneyField(), ...fields],
      fulfillment: {
        account: { fromField: 'phone' },
        amount: { fromField: 'amount' },
        ...(extras === undefined ? {} : { extras }),
      },
    })
    const account = compileAccount(sampleBase({ products: [product] }), sampleLevel({ KITA: PERCENTAGE }))
    const input = await inputFor(account, { ...body, product: 'KITA' })
    expect(findOptionsRequest(input)).toBeUndefined()
    expect(judge(input)).toMatchObject({ kind: 'accepted', decision: { planCode: 'K' } })
  })
})
