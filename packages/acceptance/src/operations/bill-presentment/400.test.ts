import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Biller } from '../../bills.ts'
import { askForBill, asksForRef2, expectBill, expectRefusal, findBiller, METER } from '../../bills.ts'
import type { Demo } from '../../catalog.ts'
import { openDemo } from '../../catalog.ts'
import { until } from '../../service.ts'

const ACCOUNT = 'Invalid account no'
const BILLER = 'The provided biller code is invalid'
const AMOUNT = 'The provided amount is invalid'
const REF2 = 'Ref-2 is required'
const PRODUCT = 'The provided product is invalid'

let demo: Demo
let plain: Biller
let strict: Biller
let limited: Biller

beforeAll(async () => {
  demo = await openDemo()
  plain = await findBiller(demo, (each) => !asksForRef2(each))
  strict = await findBiller(demo, asksForRef2)
  limited = await findBiller(demo, (each) => Number(each.min) >= 5 && Number(each.max) > 5)
})

afterAll(() => demo?.end())

type Parameters = Record<string, string>

function bill(biller: Biller, more: Parameters = {}): Parameters {
  return { product: 'BILLPAY', account: '100200300', biller_code: biller.biller_code, ...more }
}

describe('the product', () => {
  it.each(['NOBODY', 'volt', '__proto__', 'OLDONE'])('%s is refused', async (product) => {
    expectRefusal(await askForBill(demo.first, { product, account: METER }), product, PRODUCT)
  })

  it('a product that the account may not buy, or switched off itself, looks like one that does not exist', async () => {
    for (const product of ['FD', 'KOPIKU']) {
      expectRefusal(await askForBill(demo.second, { product, account: METER }), product, PRODUCT)
    }
  })

  it.each(['', 'product='])('must be named (%j)', async (query) => {
    const answer = await demo.first.get(`/v2/bill-presentment?account=${METER}&${query}`)
    expectRefusal(answer, '', PRODUCT)
  })

  it('a very long product code comes back cut', async () => {
    const answer = await askForBill(demo.first, { product: 'X'.repeat(5_000), account: METER })
    expectRefusal(answer, 'X'.repeat(50), PRODUCT)
  })
})

describe('the account', () => {
  it.each(['', 'account='])('must be named, whatever the product is (%j)', async (query) => {
    for (const product of ['VOLT', 'NOVA']) {
      const answer = await demo.first.get(`/v2/bill-presentment?product=${product}&${query}`)
      expectRefusal(answer, product, ACCOUNT)
    }
  })

  it('must be named once', async () => {
    const answer = await demo.first.get(`/v2/bill-presentment?product=VOLT&account=${METER}&account=${METER}`)
    expectRefusal(answer, 'VOLT', ACCOUNT)
  })

  it.each([
    ['that the product’s form refuses', 'abc'],
    ['that the biller does not know', '000000000000'],
    ['that staging keeps for code 52', '60123450052'],
    ['that is too long', '1'.repeat(101)],
    ['with control characters', `${METER}\n`],
  ])('%s is refused', async (_, account) => {
    expectRefusal(await askForBill(demo.first, { product: 'VOLT', account }), 'VOLT', ACCOUNT)
  })
})

describe('the biller code', () => {
  it.each<[string, Parameters]>([
    ['that is missing', {}],
    ['that is empty', { biller_code: '' }],
    ['that nobody has', { biller_code: 'NOBODY' }],
    ['that objects know', { biller_code: 'toString' }],
  ])('%s is refused', async (_, parameters) => {
    const asked = { product: 'BILLPAY', account: '100200300', ...parameters }
    expectRefusal(await askForBill(demo.first, asked), 'BILLPAY', BILLER)
  })

  it('the code of a biller that the reseller switched off is refused, to this reseller alone', async () => {
    const [reseller, code] = [demo.second.account, strict.biller_code]
    const option = ['--product', 'BILLPAY', '--field', 'biller', '--option', code]
    await demo.service.warungd('overlay', 'set', '--reseller', reseller, ...option, '--off')
    const refused = await until('it is switched off', async () => {
      const answer = await askForBill(demo.second, bill(strict, { ref2: 'A-1' }))
      return answer.status === 400 && answer
    })
    expectRefusal(refused, 'BILLPAY', BILLER)
    const theirs = await askForBill(demo.first, bill(strict, { ref2: 'A-1' }))
    expectBill(theirs, 'BILLPAY', 'Account no is valid')
  })
})

describe('the second reference', () => {
  it.each([undefined, '', 'x'.repeat(101)])(
    'a second reference that the biller requires cannot be %j',
    async (ref2) => {
      const asked = bill(strict, ref2 === undefined ? {} : { ref2 })
      expectRefusal(await askForBill(demo.first, asked), 'BILLPAY', REF2)
    },
  )
})

describe('the amount', () => {
  it.each(['0', '-5', '1e3', '1,000', '5.12345', 'abc', ' 5'])('%j is refused', async (amount) => {
    for (const asked of [{ product: 'VOLT', account: METER, amount }, bill(plain, { amount })]) {
      expectRefusal(await askForBill(demo.first, asked), String(asked.product), AMOUNT)
    }
  })

  it('beyond the product’s limits is refused', async () => {
    for (const amount of ['0.99', '5000.01']) {
      const answer = await askForBill(demo.first, { product: 'VOLT', account: METER, amount })
      expectRefusal(answer, 'VOLT', AMOUNT)
    }
  })

  it('beyond the biller’s limits is refused, and up to them is not', async () => {
    const ref2 = 'A-1'
    const ask = (amount: number) => askForBill(demo.first, bill(limited, { ref2, amount: amount.toFixed(2) }))
    const [min, max] = [Number(limited.min), Number(limited.max)]
    expectRefusal(await ask(min - 0.01), 'BILLPAY', AMOUNT)
    expectRefusal(await ask(max + 0.01), 'BILLPAY', AMOUNT)
    expect((await ask(min)).status).toBe(200)
    expect((await ask(max)).status).toBe(200)
  })

  it('given twice is no amount', async () => {
    const answer = await demo.first.get(
      `/v2/bill-presentment?product=VOLT&account=${METER}&amount=5&amount=6`,
    )
    expectRefusal(answer, 'VOLT', AMOUNT)
  })
})
