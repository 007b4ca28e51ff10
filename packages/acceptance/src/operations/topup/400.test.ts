import { beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../../catalog.ts'
import { shareDemo } from '../../catalog.ts'
import { signed } from '../../http.ts'
import type { PayBody, Payer, Rejected } from '../../payments.ts'
import {
  createPayer,
  deposit,
  expectRejection,
  newRefid,
  PHONE,
  payerAt,
  RELOAD_COST,
  reload,
  ringgit,
} from '../../payments.ts'
import { until } from '../../service.ts'

let demo: Demo
let payer: Payer
/** Reseller that buys at BORNEO and has customisations. */
let second: Payer
let empty: Payer

beforeAll(async () => {
  demo = await shareDemo()
  second = payerAt(demo.service, { ...demo.second.credentials, account: demo.second.account })
  ;[payer, empty] = await Promise.all([createPayer(demo.service, '1000'), createPayer(demo.service, null)])
})

const SEVERAL_PLANS = 'Several plans available for this amount and a plan code is needed'
const UNKNOWN_PLAN = 'Unknown or inactive option code'
const OTHER_AMOUNT = 'Option code does not match amount'

/** Expects a rejection without a trace: no money was taken, and the refid is still free. */
async function expectTurnedAway(who: Payer, body: PayBody, rejected: Rejected): Promise<void> {
  const before = await who.balance()
  for (let time = 0; time < 2; time += 1) {
    const data = expectRejection(await who.send(body), rejected)
    const { refid, product, account, amount } = body
    expect(data).toMatchObject({ refid, product, account, amount: Number(amount), balance: before })
  }
  expect(await who.balance()).toBe(before)
  if (before < RELOAD_COST) return
  // The refid is free: otherwise this request would be about another payment.
  expect(await who.pay(reload({ refid: body.refid }))).toMatchObject({ status: 'Accepted' })
  expect(await who.balance()).toBe(ringgit(before - (who === second ? 9.65 : RELOAD_COST)))
}

const LOAN = { product: 'EDULOAN', account: '1234567890', amount: 50 }
const BILL = { product: 'BILLPAY', account: '100200300', amount: 50 }
const IC = '900101145678'

type Case = [name: string, body: PayBody, code: number, remarks: string, fields: string[]]

describe('the product', () => {
  it.each<Case>([
    ['that does not exist', { product: 'NOBODY' }, 44, 'Invalid_Product', ['product']],
    ['in another letter case', { product: 'nova' }, 44, 'Invalid_Product', ['product']],
    ['that objects know', { product: '__proto__' }, 44, 'Invalid_Product', ['product']],
    [
      'that the account may not buy',
      { product: 'FD', account: '514012345678' },
      44,
      'Invalid_Product',
      ['product'],
    ],
    ['that is off for everybody', { product: 'OLDONE' }, 44, 'Product_Unavailable', ['product']],
  ])('%s is turned away', async (_, body, code, remarks, fields) => {
    await expectTurnedAway(payer, reload(body), { code, remarks, fields })
  })

  it('a product that the reseller switched off is turned away, for this reseller alone', async () => {
    const body = { product: 'KOPIKU', amount: 5 }
    const rejected = { code: 44, remarks: 'Product_Unavailable', fields: ['product'] }
    await expectTurnedAway(second, reload(body), rejected)
    expect((await payer.pay(reload(body))).cost).toBe(4.5)
  })
})

describe('the account', () => {
  it.each<Case>([
    ['of letters', { account: 'abcdefghij' }, 52, 'Invalid_Account', ['account']],
    ['that is too short', { account: '6012' }, 52, 'Invalid_Account', ['account']],
    ['with digits of another script', { account: '٠١٢٣٤٥٦٧٨٩' }, 52, 'Invalid_Account', ['account']],
    ['with a line too many', { account: `${PHONE}0000` }, 52, 'Invalid_Account', ['account']],
    [
      'that is no player’s',
      { product: 'GEMS', account: '12', amount: 60 },
      52,
      'Invalid_Account',
      ['account'],
    ],
  ])('%s is turned away', async (_, body, code, remarks, fields) => {
    await expectTurnedAway(payer, reload(body), { code, remarks, fields })
  })
})

describe('the denomination', () => {
  it.each<Case>([
    ['that no option has', { amount: 7 }, 58, 'Invalid_Denomination', ['amount']],
    ['that is nearly one', { amount: '10.0001' }, 58, 'Invalid_Denomination', ['amount']],
    ['below the least', { product: 'KITA', amount: 4.99 }, 58, 'Invalid_Denomination', ['amount']],
    ['above the most', { product: 'KITA', amount: 500.0001 }, 58, 'Invalid_Denomination', ['amount']],
    [
      'far above everything',
      { product: 'KITA', amount: 99_999_999_999 },
      58,
      'Invalid_Denomination',
      ['amount'],
    ],
    [
      'of half a coupon',
      { product: 'PARKGO', account: 'QAA1234', amount: 1.5 },
      58,
      'Invalid_Denomination',
      ['amount'],
    ],
    ['that no plan has', { product: 'NOVAD', amount: 11 }, 58, 'Invalid_Denomination', ['amount']],
  ])('%s is turned away', async (_, body, code, remarks, fields) => {
    await expectTurnedAway(payer, reload(body), { code, remarks, fields })
  })

  it('beyond the reseller’s own limits is turned away', async () => {
    const rejected = { code: 58, remarks: 'Invalid_Denomination', fields: ['amount'] }
    await expectTurnedAway(second, reload({ product: 'RIMBA', amount: 9.99 }), rejected)
    await expectTurnedAway(second, reload({ product: 'RIMBA', amount: 200.01 }), rejected)
    expect((await payer.pay(reload({ product: 'RIMBA', amount: 9.99 }))).status).toBe('Accepted')
  })

  it('the denomination of an option that the reseller switched off is turned away', async () => {
    const rejected = { code: 58, remarks: 'Invalid_Denomination', fields: ['amount'] }
    await expectTurnedAway(second, reload({ product: 'BAYU', amount: 15 }), rejected)
  })
})

describe('the plan code', () => {
  const CODE = 'extras.subproduct_code'

  function withCode(code: string | null, amount: number, product = 'NOVAD'): PayBody {
    return { product, amount, extras: { subproduct_code: code } }
  }

  it.each<Case>([
    ['missing where two plans have the amount', withCode(null, 10), 44, SEVERAL_PLANS, [CODE]],
    ['that does not exist', withCode('ND99', 35), 44, UNKNOWN_PLAN, [CODE]],
    ['in another letter case', withCode('nd35', 35), 44, UNKNOWN_PLAN, [CODE]],
    ['with a space', withCode('ND35 ', 35), 44, UNKNOWN_PLAN, [CODE]],
    ['of another product', withCode('KITA-D12', 12), 44, UNKNOWN_PLAN, [CODE]],
    ['of another amount', withCode('ND35', 50), 44, OTHER_AMOUNT, [CODE, 'amount']],
    ['of an amount that no plan has', withCode('ND35', 36), 44, OTHER_AMOUNT, [CODE, 'amount']],
    ['of a plain reload that is none', withCode('NOVA99', 10, 'NOVA'), 44, UNKNOWN_PLAN, [CODE]],
  ])('%s is turned away', async (_, body, code, remarks, fields) => {
    await expectTurnedAway(payer, reload(body), { code, remarks, fields })
  })

  it('the plan code of an option that the reseller switched off is turned away', async () => {
    const body = reload(withCode('BAYU15', 15, 'BAYU'))
    await expectTurnedAway(second, body, { code: 44, remarks: UNKNOWN_PLAN, fields: [CODE] })
  })

  it('does not depend on the version that the request names', async () => {
    for (const version of ['2024-01-01', '2026-09-16']) {
      const answer = await payer.send(reload(withCode(null, 10)), { headers: { 'X-API-Version': version } })
      expectRejection(answer, { code: 44, remarks: SEVERAL_PLANS })
    }
  })
})

describe('the extras', () => {
  const BILLER = 'extras.biller_code'
  const IDENTITY = 'extras.ic_number'
  const LOAN_TYPE = 'extras.subproduct_code'

  it.each<Case>([
    ['a bill without its biller', { ...BILL }, 44, 'Biller_Code_Required', [BILLER]],
    [
      'a bill with an empty biller',
      { ...BILL, extras: { biller_code: '', ic_number: IC } },
      44,
      'Biller_Code_Required',
      [BILLER],
    ],
    [
      'a bill of nobody',
      { ...BILL, extras: { biller_code: '999', ic_number: IC } },
      44,
      'Invalid_Biller_Code',
      [BILLER],
    ],
    ['a loan without its type', { ...LOAN, extras: { ic_number: IC } }, 44, SEVERAL_PLANS, [LOAN_TYPE]],
    [
      'a loan of no type',
      { ...LOAN, extras: { subproduct_code: 'X', ic_number: IC } },
      44,
      UNKNOWN_PLAN,
      [LOAN_TYPE],
    ],
    ['a loan of nobody', { ...LOAN, extras: { subproduct_code: 'K' } }, 44, 'IC_Number_Required', [IDENTITY]],
    [
      'a loan with dashes in the identity number',
      { ...LOAN, extras: { subproduct_code: 'K', ic_number: '900101-14-5678' } },
      44,
      'Invalid_IC_Number',
      [IDENTITY],
    ],
  ])('%s is turned away', async (_, body, code, remarks, fields) => {
    await expectTurnedAway(payer, reload(body), { code, remarks, fields })
  })

  type Biller = { biller_code: string; additional_description: string[]; min: string; max: string }

  async function findBiller(wanted: (biller: Biller) => boolean): Promise<Biller> {
    const { credentials } = payer
    for (let page = 1; ; page += 1) {
      const path = `/v1/billpay/billers?limit=1000&page=${page}`
      const { data } = (await signed(demo.service.baseUrl, credentials, { path })).json<{ data: Biller[] }>()
      const found = data.find(wanted)
      if (found !== undefined) return found
      if (data.length === 0) throw new Error('no biller is like that')
    }
  }

  it('a bill needs a right identity number, and a second reference where its biller asks for one', async () => {
    const asksForTwo = (biller: Biller) =>
      biller.additional_description.some((each) => each.startsWith('Ref-2')) &&
      Number(biller.min) <= 50 &&
      (biller.max === '-1' || Number(biller.max) >= 50)
    const { biller_code } = await findBiller(asksForTwo)
    const bill = (extras: PayBody) => reload({ ...BILL, extras: { biller_code, ...extras } })
    const turnAway = (extras: PayBody, remarks: string, field: string) =>
      expectTurnedAway(payer, bill(extras), { code: 44, remarks, fields: [field] })
    await turnAway({}, 'IC_Number_Required', IDENTITY)
    await turnAway({ ic_number: 'A123-4' }, 'Invalid_IC_Number', IDENTITY)
    await turnAway({ ic_number: IC }, 'Ref2_Required', 'extras.ref2')
    await turnAway({ ic_number: IC, ref2: '' }, 'Ref2_Required', 'extras.ref2')
    expect((await payer.pay(bill({ ic_number: IC, ref2: 'R-2' }))).cost).toBe(49.9)
  })

  it('a student loan is paid into the account of the option that it names', async () => {
    const query = `product_code=EDULOAN&field_id=loan_account&account_number=${IC}`
    const { items } = await demo.first.options(query)
    const [loan] = items
    const body = (change: PayBody) =>
      reload({
        product: 'EDULOAN',
        account: loan?.account_number,
        amount: 50,
        extras: { subproduct_code: loan?.code, ic_number: IC },
        ...change,
      })
    const rejected = { code: 52, remarks: 'Invalid_Account', fields: ['account'] }
    await expectTurnedAway(payer, body({ account: '0000000001' }), rejected)
    const absent = ['K', 'U', 'S', 'SP'].find((code) => items.every((each) => each.code !== code))
    if (absent !== undefined) {
      await expectTurnedAway(payer, body({ extras: { subproduct_code: absent, ic_number: IC } }), rejected)
    }
    expect((await payer.pay(body({}))).status).toBe('Accepted')
    // Test accounts fit every loan.
    expect((await payer.pay(body({ account: '60123451000' }))).status).toBe('Accepted')
  })

  it('a bill keeps to its biller’s limits', async () => {
    const { biller_code, min } = await findBiller((biller) => Number(biller.min) > 1)
    const extras = { biller_code, ic_number: IC, ref2: 'R-2' }
    const amount = Number(min) - 0.01
    const rejected = { code: 58, remarks: 'Invalid_Denomination', fields: ['amount'] }
    await expectTurnedAway(payer, reload({ ...BILL, amount, extras }), rejected)
    expect((await payer.pay(reload({ ...BILL, amount: min, extras }))).status).toBe('Accepted')
  })
})

describe('staging’s test accounts turn away with their code', () => {
  it.each([
    ['60123450041', 41, 'Account_Suspended', []],
    ['60123450043', 43, 'Insufficient_Balance', []],
    ['60123450044', 44, 'Product_Unavailable', ['product']],
    ['60123450045', 45, 'Out_Of_Stock', ['product']],
    ['60123450049', 49, 'Temporary_Error_Please_Try_Again', []],
    ['60123450052', 52, 'Invalid_Account', ['account']],
    ['60123450464', 54, 'Duplicate_Or_Daily_Limit', ['account']],
    ['60123450056', 56, 'Account_Blacklisted', ['account']],
    ['60123450062', 62, 'Identity_Check_Failed', ['extras.ic_number']],
  ])('%s: %d', async (account, code, remarks, fields) => {
    await expectTurnedAway(payer, reload({ account }), { code, remarks, fields })
    // Every product takes these numbers, whatever its own rules for an account are.
    const other = reload({ product: 'STORE', account, amount: 500 })
    expectRejection(await payer.send(other), { code, remarks })
  })
})

describe('the reseller', () => {
  /** Returns the code with which a request for an amount that does not exist is rejected. */
  async function firstObjection(who: Payer): Promise<number> {
    const answer = await who.send(reload({ amount: 7 }))
    return answer.json<{ data: { statusCode: number } }>().data.statusCode
  }

  async function untilObjection(who: Payer, code: number): Promise<void> {
    await until(`the first objection is ${code}`, async () => (await firstObjection(who)) === code)
  }

  it('a reseller that is suspended, or may only read, is turned away until it may pay again', async () => {
    const who = await createPayer(demo.service, '9.70')
    const whose = ['--reseller', who.account]
    const body = reload()
    await demo.service.warungd('reseller', 'suspend', ...whose)
    await untilObjection(who, 41)
    expectRejection(await who.send(body), { code: 41, remarks: 'Account_Suspended', fields: [] })
    await demo.service.warungd('reseller', 'activate', ...whose)
    await untilObjection(who, 58)
    await demo.service.warungd('reseller', 'update', ...whose, '--access', '50')
    await untilObjection(who, 41)
    expectRejection(await who.send(body), { code: 41, remarks: 'Account_Suspended', fields: [] })
    expect(await who.balance()).toBe(9.7)
    await demo.service.warungd('reseller', 'update', ...whose, '--access', '0')
    await untilObjection(who, 58)
    expect(await who.pay(body)).toMatchObject({ status: 'Accepted', balance: 0 })
  })
})

describe('the wallet', () => {
  it('a wallet that holds a bit too little is turned away; the same refid goes through after a deposit', async () => {
    const who = await createPayer(demo.service, '9.6999')
    const body = reload()
    for (let time = 0; time < 3; time += 1) {
      const data = expectRejection(await who.send(body), {
        code: 43,
        remarks: 'Insufficient_Balance',
        fields: [],
      })
      expect(data).toMatchObject({ balance: 9.6999, amount: 10 })
    }
    expect(await who.balance()).toBe(9.6999)
    await deposit(demo.service, who.account, '0.0001')
    expect(await who.pay(body)).toMatchObject({ status: 'Accepted', cost: 9.7, balance: 0 })
    await who.untilStatus(body, 'Succesful')
  })

  it('an empty wallet is turned away', async () => {
    await expectTurnedAway(empty, reload(), { code: 43, remarks: 'Insufficient_Balance', fields: [] })
  })
})

describe('a payment that cannot be judged now', () => {
  it('is a temporary error that leaves the refid free', async () => {
    // The offers for numbers that end in 999 cannot be read.
    const body = { refid: newRefid(), product: 'NOVAMY', account: '60123456999', amount: 8 }
    const rejected = { code: 49, remarks: 'Temporary_Error_Please_Try_Again', fields: [] }
    await expectTurnedAway(payer, body, rejected)
    const other = { ...body, refid: newRefid(), account: PHONE, extras: { subproduct_code: 'P8' } }
    expect((await payer.pay(other)).cost).toBe(7.68)
  })
})

describe('a payment with several mistakes is told the first one', () => {
  it('format, product, account, amount, extras, stock, balance', async () => {
    const refid = newRefid()
    const steps: [PayBody, number, string][] = [
      [{ product: 'NOBODY', account: 'x', amount: 'much' }, 44, 'Invalid_Format'],
      [{ product: 'NOBODY', account: 'x', amount: 0.5 }, 44, 'Invalid_Product'],
      [{ product: 'BILLPAY', account: 'x', amount: 0.5 }, 52, 'Invalid_Account'],
      [{ product: 'BILLPAY', account: '60123450045', amount: 0.5 }, 58, 'Invalid_Denomination'],
      [{ product: 'BILLPAY', account: '60123450045', amount: 5 }, 44, 'Biller_Code_Required'],
      [{ product: 'NOVA', account: '60123450045', amount: 5 }, 45, 'Out_Of_Stock'],
      [{ product: 'NOVA', account: PHONE, amount: 5 }, 43, 'Insufficient_Balance'],
    ]
    for (const [body, code, remarks] of steps) {
      expectRejection(await empty.send({ refid, ...body }), { code, remarks })
    }
  })

  it('the reseller stands between format and product', async () => {
    const who = await createPayer(demo.service, null)
    await demo.service.warungd('reseller', 'suspend', '--reseller', who.account)
    const body = reload({ product: 'NOBODY', account: 'x' })
    await until('it is suspended', async () => {
      const answer = await who.send(body)
      return answer.json<{ data: { statusCode: number } }>().data.statusCode === 41
    })
    expectRejection(await who.send(body), { code: 41, remarks: 'Account_Suspended' })
    expectRejection(await who.send({ ...body, amount: 'much' }), { code: 44, remarks: 'Invalid_Format' })
  })
})
