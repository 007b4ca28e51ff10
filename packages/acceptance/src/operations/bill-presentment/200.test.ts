import { beforeAll, describe, expect, it } from 'vitest'
import type { Biller } from '../../bills.ts'
import { askForBill, asksForRef2, expectBill, findBiller, givenIn, METER } from '../../bills.ts'
import type { Demo } from '../../catalog.ts'
import { shareDemo } from '../../catalog.ts'
import { issueTokens } from '../../edge.ts'

const VALID = 'Account no is valid'
const NOT_PRESENTED = 'Bill presentment is unavailable for this product'
const UNAVAILABLE = 'Service unavailable. Please try again later'

let demo: Demo
let plain: Biller
let strict: Biller

beforeAll(async () => {
  demo = await shareDemo()
  plain = await findBiller(demo, (each) => !asksForRef2(each))
  strict = await findBiller(demo, asksForRef2)
})

const volt = (account: string) => askForBill(demo.first, { product: 'VOLT', account })

describe('a bill that can be seen', () => {
  it('a bill of a product of its own has the debt, the owner and the due date', async () => {
    const data = expectBill(await volt(METER), 'VOLT', VALID)
    expect(data).toMatchObject({
      Outstanding: expect.any(Number),
      Balance: expect.stringMatching(/^\d+\.\d{2}$/),
      CustomerName: expect.stringMatching(/\S/),
      Address: expect.stringMatching(/\S/),
      DueDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    })
    // Fields that this biller does not return are there, and null.
    expect(data).toMatchObject({ Data: null, 'E-Bill': null, CustomField: null })
  })

  it('says that it may be paid', async () => {
    expect((await volt(METER)).json()).toMatchObject({
      transaction_validity: true,
      transaction_message: VALID,
      error_message: '',
    })
  })

  it('a bill of a biller belongs to that biller, and to one account', async () => {
    const ask = (biller: Biller, account: string, more: Record<string, string> = {}) =>
      askForBill(demo.first, { product: 'BILLPAY', account, biller_code: biller.biller_code, ...more })
    const mine = expectBill(await ask(plain, '100200300'), 'BILLPAY', VALID)
    const again = expectBill(await ask(plain, '100200300', { amount: '50', ref2: '' }), 'BILLPAY', VALID)
    const other = expectBill(await ask(plain, '100200301'), 'BILLPAY', VALID)
    const second = expectBill(await ask(strict, '100200300', { ref2: 'A-1' }), 'BILLPAY', VALID)
    expect(again).toEqual(mine)
    expect(new Set([mine, other, second].map((each) => each.Outstanding)).size).toBe(3)
    expect(second.BillerName).not.toBe(mine.BillerName)
  })

  it('is shown to every reseller that may pay it, and to its users', async () => {
    expectBill(await askForBill(demo.second, { product: 'VOLT', account: METER }), 'VOLT', VALID)
    const { IdToken } = await issueTokens(demo.service, demo.first.account)
    const path = `/v2/bill-presentment?product=VOLT&account=${METER}`
    expectBill(await demo.service.get(path, { Authorization: `Bearer ${IdToken}` }), 'VOLT', VALID)
  })

  it('is there for accounts that staging keeps for tests', async () => {
    for (const account of ['60123450048', '60123451030', '60123454001']) {
      expectBill(await volt(account), 'VOLT', VALID)
    }
  })
})

describe('a product without bills', () => {
  it.each(['NOVA', 'NOVAD', 'PINTEN', 'ESIMGO', 'FD', 'FP', 'TIRTA', 'SAWIT', 'EDULOAN'])(
    '%s says so, and may be paid',
    async (product) => {
      const answer = await askForBill(demo.first, { product, account: '10012345' })
      expect(givenIn(expectBill(answer, product, NOT_PRESENTED))).toEqual(['message'])
    },
  )
})

describe('a biller that cannot say', () => {
  it('is no reason not to pay', async () => {
    expect(givenIn(expectBill(await volt('000000000999'), 'VOLT', UNAVAILABLE))).toEqual(['message'])
  })

  it('a biller that never answers is given up long before the request is, and holds up no other request', async () => {
    const silent = ['VOLT', 'BILLPAY'].map((product) =>
      askForBill(demo.first, { product, account: '000000000998', biller_code: plain.biller_code }),
    )
    expectBill(await volt(METER), 'VOLT', VALID)
    const [first, second] = await Promise.all(silent)
    if (first === undefined || second === undefined) throw new Error('two were asked')
    expectBill(first, 'VOLT', UNAVAILABLE)
    expectBill(second, 'BILLPAY', UNAVAILABLE)
  })

  it('is in the log without the account', () => {
    expect(demo.service.output()).toContain('a bill could not be shown')
    expect(demo.service.output()).not.toContain('000000000998')
  })
})
