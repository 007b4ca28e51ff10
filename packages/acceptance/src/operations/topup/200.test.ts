import { beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../../catalog.ts'
import { shareDemo } from '../../catalog.ts'
import type { Payer } from '../../payments.ts'
import {
  createPayer,
  expectNow,
  expectPayment,
  newRefid,
  PAYMENT_FIELDS,
  PHONE,
  payerAt,
  RELOAD_COST,
  reload,
  ringgit,
} from '../../payments.ts'

let demo: Demo
let payer: Payer

beforeAll(async () => {
  demo = await shareDemo()
  payer = await createPayer(demo.service, '5000')
})

describe('a payment', () => {
  it('is accepted with all of the contract’s fields, in its order, and its cost is taken', async () => {
    const before = await payer.balance()
    const body = reload({ remarks: 'counter 3' })
    const answer = await payer.send(body)
    const data = expectPayment(answer, body)
    expect(Object.keys(data)).toEqual(PAYMENT_FIELDS)
    expect(data).toMatchObject({
      statusCode: 0,
      status: 'Accepted',
      productName: 'Nova Prepaid',
      amount: 10,
      cost: RELOAD_COST,
      balance: ringgit(before - RELOAD_COST),
      remarks: 'counter 3',
      sn: '',
      pin: '',
      expiry: '',
      note: '',
      voucherlink: '',
    })
    expectNow(data.timestamp)
    expect(await payer.balance()).toBe(ringgit(before - RELOAD_COST))
  })

  it('is asked about with the same body until it is Succesful, and stays that for ever', async () => {
    const before = await payer.balance()
    const body = reload({ remarks: 'mine' })
    const first = await payer.pay(body)
    const final = await payer.untilStatus(body, 'Succesful')
    expect(final).toMatchObject({
      statusCode: 20,
      transaction_id: first.transaction_id,
      cost: RELOAD_COST,
      balance: ringgit(before - RELOAD_COST),
      remarks: 'mine',
      sn: expect.stringMatching(/\S/),
    })
    expectNow(final.timestamp)
    expect(await payer.pay(body)).toEqual(final)
    expect(await payer.balance()).toBe(ringgit(before - RELOAD_COST))
  })

  it('a payment without remarks has empty ones, and the remarks of a poll change nothing', async () => {
    const body = reload()
    expect((await payer.pay(body)).remarks).toBe('')
    await payer.untilStatus(body, 'Succesful')
    expect((await payer.pay({ ...body, remarks: 'later' })).remarks).toBe('')
    expect((await payer.pay(reload({ remarks: null }))).remarks).toBe('')
  })

  it.each([
    ['of several lines, with control characters', 'one\r\ntwo\tthree \u0007\u001b[31m\u007f', undefined],
    ['of 2,000 characters', 'ü'.repeat(2_000), undefined],
    ['with a NUL, which is dropped', 'a\0b', 'ab'],
    ['longer than is kept, which are cut', 'x'.repeat(50_000), 'x'.repeat(2_000)],
  ])('is not refused for remarks %s', async (_, remarks, kept = remarks) => {
    const body = reload({ remarks })
    expect((await payer.pay(body)).remarks).toBe(kept)
    expect((await payer.pay(body)).remarks).toBe(kept)
  })

  it('a payment that fails has the reason as its remarks, keeps its cost and gives the money back', async () => {
    const before = await payer.balance()
    const body = reload({ account: '60123450048', remarks: 'mine' })
    expect(await payer.pay(body)).toMatchObject({ status: 'Accepted', remarks: 'mine' })
    const final = await payer.untilStatus(body, 'Failed')
    expect(final).toMatchObject({ statusCode: 48, cost: RELOAD_COST, balance: before, sn: '' })
    expect(final.remarks).toMatch(/\S/)
    expect(final.remarks).not.toBe('mine')
    expect(await payer.balance()).toBe(before)
  })

  it('has an id that no other payment has', async () => {
    const paid = await Promise.all(Array.from({ length: 20 }, () => payer.pay(reload())))
    expect(new Set(paid.map((each) => each.transaction_id)).size).toBe(20)
  })
})

describe('the amount', () => {
  it('is the same however it is spelt, in the payment and in every poll', async () => {
    const spellings = ['10', '"10"', '10.0', '"10.00"', '10.0000', '"10.0000"', '"010"']
    const ids = new Set<string>()
    const refid = newRefid()
    for (const amount of [...spellings, ...spellings]) {
      const text = `{"refid":"${refid}","product":"NOVA","account":"${PHONE}","amount":${amount}}`
      const headers = { 'Content-Type': 'application/json' }
      const answer = await payer.send(undefined, { body: text, headers })
      ids.add(expectPayment(answer, reload({ refid })).transaction_id)
      expect(answer.text, amount).toContain('"amount":10,')
    }
    expect(ids.size).toBe(1)
  })

  it.each([
    ['KITA', '12.5', 12.5, 12.0625],
    ['KITA', 12.3456, 12.3456, 11.9135],
    // 4.8250965 is rounded once.
    ['KITA', '5.0001', 5.0001, 4.8251],
    ['KITA', 500, 500, 482.5],
    ['GEMS', 60, 60, 2.9],
    ['STORE', 500, 500, 14.282],
    ['PARKGO', 3, 3, 1.8915],
    ['RIMBAD', 12.9, 12.9, 12.384],
  ])('%s of %s is shown as %d and costs %d', async (product, amount, shown, cost) => {
    const account = { GEMS: '123456', STORE: 'a@b.example', PARKGO: 'QAA1234' }[product] ?? PHONE
    const before = await payer.balance()
    const data = await payer.pay(reload({ product, account, amount }))
    expect(data).toMatchObject({ amount: shown, cost, balance: ringgit(before - cost) })
  })

  it('an amount that only one plan has needs no code, and with the code it means the same plan', async () => {
    for (const extras of [undefined, {}, { subproduct_code: '' }, { subproduct_code: 'ND35' }]) {
      const data = await payer.pay(reload({ product: 'NOVAD', amount: 35, extras }))
      expect(data.cost).toBe(33.6)
    }
  })

  it('an amount that two plans have means the plan whose code is sent', async () => {
    for (const code of ['ND10W', 'ND10M']) {
      const body = reload({ product: 'NOVAD', amount: '10.00', extras: { subproduct_code: code } })
      expect((await payer.pay(body)).cost).toBe(9.6)
    }
  })

  it('an amount that the customer types ignores a code', async () => {
    const body = reload({ product: 'KITA', amount: 20, extras: { subproduct_code: 'WHATEVER' } })
    expect((await payer.pay(body)).cost).toBe(19.3)
  })
})

describe('the output of a payment', () => {
  it('is a PIN with its expiry and how to use it, for a PIN product', async () => {
    const body = reload({ product: 'PINTEN' })
    const data = await payer.untilStatus(body, 'Succesful')
    expect(data.pin).toMatch(/^\d{8,}$/)
    expect(data.expiry).toMatch(/^20\d{6}$/)
    expect(data).toMatchObject({ voucherlink: '', note: expect.stringMatching(/\S/) })
    expect((await payer.pay(body)).pin).toBe(data.pin)
  })

  it('is a link, for a product that is fulfilled by one', async () => {
    const data = await payer.untilStatus(
      reload({ product: 'ESIMGO', account: 'a@b.example', amount: 24.5 }),
      'Succesful',
    )
    expect(data.voucherlink).toMatch(/^https:\/\/\S+$/)
    expect(data).toMatchObject({ pin: '', expiry: '', note: expect.stringMatching(/\S/) })
  })

  it('is neither while it is Accepted, and neither for a plain reload', async () => {
    const body = reload()
    expect(await payer.pay(body)).toMatchObject({ pin: '', voucherlink: '', sn: '' })
    expect(await payer.untilStatus(body, 'Succesful')).toMatchObject({ pin: '', voucherlink: '' })
  })

  it('two payments have different outputs', async () => {
    const two = [reload({ product: 'PINTEN' }), reload({ product: 'PINTEN' })]
    const [first, second] = await Promise.all(two.map((body) => payer.untilStatus(body, 'Succesful')))
    expect(first?.pin).not.toBe(second?.pin)
    expect(first?.sn).not.toBe(second?.sn)
  })
})

describe('the refid', () => {
  it.each([
    ['one character', () => '~'],
    ['50 characters', () => newRefid().padEnd(50, 'x')],
    ['50 characters beyond the first plane', () => '\u{1f35c}'.repeat(50)],
    ['white space', () => '   '],
    ['a line break', () => `a\nb ${newRefid()}`],
    ['quotes and SQL', () => `'; drop table payments; -- "${newRefid().slice(0, 9)}`],
    ['a word that objects know', () => '__proto__'],
  ])('may be %s, and comes back as it was', async (_, make) => {
    const body = reload({ refid: make() })
    const { transaction_id } = await payer.pay(body)
    expect((await payer.untilStatus(body, 'Succesful')).transaction_id).toBe(transaction_id)
  })

  it('is compared exactly: never trimmed, folded or normalised', async () => {
    const refid = `${newRefid()}é`
    const alike = [refid, refid.toUpperCase(), ` ${refid}`, `${refid} `, refid.normalize('NFD')]
    const paid = await Promise.all(alike.map((each) => payer.pay(reload({ refid: each }))))
    expect(new Set(paid.map((each) => each.transaction_id)).size).toBe(alike.length)
  })

  it('is each reseller’s own', async () => {
    const other = payerAt(demo.service, { ...demo.second.credentials, account: demo.second.account })
    const body = reload()
    const [mine, theirs] = [await payer.pay(body), await other.pay({ ...body, amount: 50 })]
    expect(theirs.transaction_id).not.toBe(mine.transaction_id)
    // The amount is 50 at BORNEO's price.
    expect(theirs).toMatchObject({ amount: 50, cost: 48.25 })
    expect((await payer.pay(body)).transaction_id).toBe(mine.transaction_id)
  })
})

describe('the request', () => {
  it('may carry fields that nobody knows', async () => {
    const body = reload({ colour: 'blue', __proto__: { amount: 1 }, extras: { colour: 'blue', ref2: null } })
    const { transaction_id } = await payer.pay(body)
    const { colour: _, extras: __, ...plain } = body
    expect((await payer.pay(plain)).transaction_id).toBe(transaction_id)
  })

  it('has the version it names echoed, on every answer of its own', async () => {
    const headers = { 'X-API-Version': '2026-09-16' }
    for (const body of [reload(), reload({ amount: 7 }), { refid: '' }]) {
      const answer = await payer.send(body, { headers })
      expect(answer.headers['x-api-version']).toBe('2026-09-16')
      expect((await payer.send(body)).headers).not.toHaveProperty('x-api-version')
    }
    const body = reload()
    for (const ignored of ['yesterday', '2026-13-01', '2026-02-30', '9999-12-31']) {
      const answer = await payer.send(body, { headers: { 'X-API-Version': ignored } })
      expectPayment(answer, body)
      expect(answer.headers).not.toHaveProperty('x-api-version')
    }
  })

  it('a request of 10 MiB is read to its last byte', async () => {
    const body = reload()
    const text = JSON.stringify(body)
    const padded = text.padEnd(10 * 1_048_576, ' ')
    const headers = { 'Content-Type': 'application/json' }
    expectPayment(await payer.send(undefined, { body: padded, headers }), body)
  })

  it('may ask for a hidden product that the account may buy', async () => {
    const first = payerAt(demo.service, { ...demo.first.credentials, account: demo.first.account })
    const body = reload({ product: 'FD', account: '514012345678', amount: 100 })
    expect((await first.pay(body)).cost).toBe(100.2)
  })
})

describe('the wallet', () => {
  it('a wallet that holds exactly the cost pays, and is empty', async () => {
    const exact = await createPayer(demo.service, '9.70')
    const body = reload()
    expect(await exact.pay(body)).toMatchObject({ status: 'Accepted', cost: 9.7, balance: 0 })
    expect(await exact.untilStatus(body, 'Succesful')).toMatchObject({ balance: 0 })
    expect(await exact.balance()).toBe(0)
  })

  it('an empty wallet still answers for the payments it made', async () => {
    const exact = await createPayer(demo.service, '9.70')
    const body = reload()
    const { transaction_id } = await exact.pay(body)
    expect((await exact.send(reload())).status).toBe(400)
    expect((await exact.pay(body)).transaction_id).toBe(transaction_id)
  })
})
