import { beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../../catalog.ts'
import { shareDemo } from '../../catalog.ts'
import type { PayBody, Payer } from '../../payments.ts'
import { countEntries, createPayer, expectConflict, PHONE, reload } from '../../payments.ts'

let demo: Demo
let payer: Payer

beforeAll(async () => {
  demo = await shareDemo()
  payer = await createPayer(demo.service, '1000')
})

const IC = '900101145678'
const EXTRAS = { subproduct_code: 'K', ic_number: IC }
// Loan of a test account, which fits every loan.
const LOAN = { product: 'EDULOAN', account: '60123451000', amount: 50, extras: EXTRAS }

describe('the same refid with another', () => {
  it.each<[string, PayBody, string[]]>([
    ['product', { product: 'KITA' }, ['product']],
    ['product that does not exist', { product: 'NOBODY' }, ['product']],
    ['account', { account: '60123456780' }, ['account']],
    ['account that is not valid', { account: 'x' }, ['account']],
    ['amount', { amount: 50 }, ['amount']],
    ['amount by a hair', { amount: '10.0001' }, ['amount']],
    ['amount that cannot be read', { amount: 'much' }, ['amount']],
    ['amount that is missing', { amount: undefined }, ['amount']],
    ['plan code', { extras: { subproduct_code: 'NOVA10' } }, ['extras.subproduct_code']],
    ['plan code that is a number', { extras: { subproduct_code: 10 } }, ['extras.subproduct_code']],
    ['biller', { extras: { biller_code: '1000' } }, ['extras.biller_code']],
    ['second reference', { extras: { ref2: 'R' } }, ['extras.ref2']],
    ['identity number', { extras: { ic_number: IC } }, ['extras.ic_number']],
    ['kind of extras', { extras: [] }, ['extras']],
    ['everything', { product: 'KITA', account: '1', amount: 1 }, ['account', 'amount', 'product']],
  ])('%s is a conflict that shows the payment and changes nothing', async (_, changes, fields) => {
    const body = reload()
    const paid = await payer.untilStatus(body, 'Succesful')
    const before = await payer.balance()
    const conflict = expectConflict(await payer.send({ ...body, ...changes }), fields)
    expect(conflict).toEqual(paid)
    expect(await payer.pay(body)).toEqual(paid)
    expect(await payer.balance()).toBe(before)
  })

  it('extra than was sent is a conflict, and the identity number is not shown', async () => {
    const body = reload(LOAN)
    const { transaction_id } = await payer.pay(body)
    for (const [extras, fields] of [
      [{ ...EXTRAS, subproduct_code: 'U' }, ['extras.subproduct_code']],
      [{ ...EXTRAS, ic_number: '900101145679' }, ['extras.ic_number']],
      [{ subproduct_code: 'K' }, ['extras.ic_number']],
      [{ ic_number: '900101145679' }, ['extras.ic_number']],
      [undefined, ['extras.ic_number']],
    ] as const) {
      const answer = await payer.send({ ...body, extras })
      expect(expectConflict(answer, fields).transaction_id).toBe(transaction_id)
      expect(answer.text).not.toContain(IC)
    }
    expect((await payer.pay(body)).transaction_id).toBe(transaction_id)
  })
})

it('other remarks, and extras that are unknown, null or empty, are the same request', async () => {
  const body = reload({ remarks: 'a' })
  const { transaction_id } = await payer.pay(body)
  for (const changes of [
    { remarks: 'b' },
    { remarks: undefined },
    { remarks: 5 },
    { extras: {} },
    { extras: null },
    { extras: { subproduct_code: null, biller_code: '', colour: 'blue' } },
    { colour: 'blue' },
  ]) {
    const again = await payer.pay({ ...body, ...changes })
    expect(again).toMatchObject({ transaction_id, remarks: 'a' })
  }
})

it('a request that leaves the plan code out shows the payment that was made with one', async () => {
  const body = reload({ product: 'NOVAMY', amount: 8, extras: { subproduct_code: 'P8' } })
  const { transaction_id } = await payer.pay(body)
  for (const extras of [undefined, {}, null, { subproduct_code: null }, { subproduct_code: '' }])
    expect(await payer.pay({ ...body, extras })).toMatchObject({ transaction_id })
  const other = await payer.send({ ...body, extras: { subproduct_code: 'P9' } })
  expect(expectConflict(other, ['extras.subproduct_code']).transaction_id).toBe(transaction_id)
})

it('an amount with an exponent in something that is not read is the same request', async () => {
  const body = reload()
  const { transaction_id } = await payer.pay(body)
  for (const unread of ['"extras":{"amount":1e1}', '"notes":[{"amount":5E2}]', '"amount":1e1,"amount":10']) {
    const text = `${JSON.stringify({ ...body, amount: 10 }).slice(0, -1)},${unread}}`
    const again = await payer.send(undefined, { body: text, headers: JSON_TYPE })
    expect([again.status, again.json()]).toEqual([200, { data: expect.objectContaining({ transaction_id }) }])
  }
})

const JSON_TYPE = { 'Content-Type': 'application/json' }

it('a conflict shows a payment in whatever state it is, also to a reseller that could not pay', async () => {
  const exact = await createPayer(demo.service, '9.70')
  const body = reload({ account: '60123450048' })
  expectConflict(await exact.send({ ...body, refid: (await exact.pay(body)).refid, amount: 5 }), ['amount'])
  const failed = await exact.untilStatus(body, 'Failed')
  expect(expectConflict(await exact.send({ ...body, account: PHONE }), ['account'])).toEqual(failed)
  expect(await countEntries(demo.service, exact.account)).toBe(3)
  expect(await exact.balance()).toBe(9.7)
})
