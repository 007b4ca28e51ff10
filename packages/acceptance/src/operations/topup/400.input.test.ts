import { beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../../catalog.ts'
import { shareDemo } from '../../catalog.ts'
import type { Answer } from '../../http.ts'
import type { PayBody, Payer } from '../../payments.ts'
import { createPayer, expectPayment, expectRejection, newRefid, PHONE, reload } from '../../payments.ts'
import { until } from '../../service.ts'

let demo: Demo
let payer: Payer

beforeAll(async () => {
  demo = await shareDemo()
  payer = await createPayer(demo.service, '1000')
})

function sendText(
  body: string | Uint8Array,
  contentType: string | null = 'application/json',
): Promise<Answer> {
  const headers: Record<string, string> = contentType === null ? {} : { 'Content-Type': contentType }
  return payer.send(undefined, { body, headers })
}

async function expectBadFormat(answer: Answer, fields: readonly string[]) {
  const data = expectRejection(answer, { code: 44, remarks: 'Invalid_Format', fields })
  expect(data.balance).toBe(await payer.balance())
  return data
}

describe('an amount', () => {
  it.each([
    '0',
    '0.0000',
    '-0',
    '-1',
    '"-1"',
    '"+10"',
    '"0"',
    '"0.00"',
    '"1e2"',
    '"1E1"',
    '1e2',
    '1.0E1',
    '1e-7',
    '1e21',
    '"NaN"',
    '"Infinity"',
    '10.00001',
    '"10.00001"',
    '"10.00000"',
    '0.30000000000000004',
    '"1234567890123456789012345678901234567890"',
    '1234567890123456789012345678901234567890',
    '" 10"',
    '"10 "',
    '"10\\n"',
    '"1 0"',
    '"10,00"',
    '"1,000"',
    '".5"',
    '"10."',
    '"0x10"',
    '"0b1"',
    '"１０"',
    '"٠١"',
    '"RM10"',
    '""',
    'null',
    'true',
    '[10]',
    '{"amount":10}',
  ])('%s is turned away, and shown as 0', async (amount) => {
    const refid = newRefid()
    const text = `{"refid":"${refid}","product":"NOVA","account":"${PHONE}","amount":${amount}}`
    const data = await expectBadFormat(await sendText(text), ['amount'])
    expect(data).toMatchObject({ refid, product: 'NOVA', account: PHONE, amount: 0 })
    const taken = await payer.send(reload({ refid, amount: 5 }))
    expect(taken.json<{ data: { amount: number } }>().data.amount).toBe(5)
  })

  it('a missing amount is turned away', async () => {
    const { amount: _, ...body } = reload()
    await expectBadFormat(await payer.send(body), ['amount'])
  })
})

describe('a refid', () => {
  it.each([
    ['empty', ''],
    ['of 51 characters', 'x'.repeat(51)],
    ['of 51 characters beyond the first plane', '\u{1f35c}'.repeat(51)],
    ['of a megabyte', 'x'.repeat(1_000_000)],
    ['with a NUL', 'a\0b'],
    ['with half a surrogate pair', 'a\ud800'],
  ])('%s is turned away, and echoed as far as it is readable', async (_, refid) => {
    const data = await expectBadFormat(await payer.send(reload({ refid })), ['refid'])
    expect(data).toMatchObject({ product: 'NOVA', account: PHONE, amount: 10 })
    expect(data.refid.length).toBeLessThanOrEqual(500)
    if (refid.length <= 51) expect(data.refid).toBe(refid)
  })

  it.each([
    ['a number', 1234],
    ['null', null],
    ['true', true],
    ['a list', ['a']],
    ['an object', { toString: 'a' }],
  ])('a refid that is %s is turned away', async (_, refid) => {
    expect((await expectBadFormat(await payer.send(reload({ refid })), ['refid'])).refid).toBe('')
  })

  it('a missing refid is turned away', async () => {
    const { refid: _, ...body } = reload()
    expect((await expectBadFormat(await payer.send(body), ['refid'])).refid).toBe('')
  })
})

describe('everything else', () => {
  it.each<[string, PayBody, string[]]>([
    ['no product', { product: undefined }, ['product']],
    ['an empty product', { product: '' }, ['product']],
    ['a product that is a number', { product: 5 }, ['product']],
    ['a product of 51 characters', { product: 'X'.repeat(51) }, ['product']],
    ['no account', { account: undefined }, ['account']],
    ['an empty account', { account: '' }, ['account']],
    ['an account that is a number', { account: 60_123_456_789 }, ['account']],
    ['an account with a NUL', { account: 'a\0b' }, ['account']],
    ['an account with half a surrogate pair', { account: 'a\udfff' }, ['account']],
    ['an account of 101 characters', { account: '1'.repeat(101) }, ['account']],
    ['remarks that are a number', { remarks: 5 }, ['remarks']],
    ['extras that are a list', { extras: [] }, ['extras']],
    ['extras that are text', { extras: 'subproduct_code=ND5' }, ['extras']],
    ['extras that are a number', { extras: 1 }, ['extras']],
    ['a plan code that is a number', { extras: { subproduct_code: 5 } }, ['extras.subproduct_code']],
    ['a biller that is a list', { extras: { biller_code: ['1000'] } }, ['extras.biller_code']],
    ['an identity number that is a number', { extras: { ic_number: 900_101_145_678 } }, ['extras.ic_number']],
    ['a reference of 101 characters', { extras: { ref2: 'x'.repeat(101) } }, ['extras.ref2']],
    ['several of these', { product: 5, amount: 'x', extras: [] }, ['amount', 'extras', 'product']],
  ])('%s is turned away by name', async (_, changes, fields) => {
    const body = reload(changes)
    await expectBadFormat(await payer.send(body), fields)
    expectPayment(await payer.send(reload({ refid: body.refid })), reload({ refid: body.refid }))
  })

  it('products without an account on their form still need one', async () => {
    const { account: _, ...body } = reload({ product: 'PINTEN' })
    await expectBadFormat(await payer.send(body), ['account'])
  })
})

describe('a body', () => {
  it.each([
    ['nothing but a brace', '{'],
    ['a trailing comma', '{"refid":"a",}'],
    ['NaN', `{"refid":"a","product":"NOVA","account":"${PHONE}","amount":NaN}`],
    ['two documents', '{}{}'],
    ['two byte order marks', `\ufeff\ufeff${JSON.stringify(reload())}`],
    ['a form', 'refid=a&product=NOVA'],
    ['thousands of open braces', '{"a":'.repeat(12_000)],
  ])('a body that is %s is no JSON: 400 as every rejection', async (_, text) => {
    const data = await expectBadFormat(await sendText(text), ['body'])
    expect(data).toMatchObject({ refid: '', product: '', account: '', amount: 0 })
  })

  it.each(['null', 'true', '1', '"text"', '[]', `[${JSON.stringify(reload())}]`, ''])(
    'a body that is %j is no object',
    async (text) => {
      await expectBadFormat(await sendText(text), ['body'])
    },
  )

  it.each([
    ['a lone continuation byte', [0x80]],
    ['Latin-1', [0xe9]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
  ])('a body with %s is no UTF-8', async (_, bytes) => {
    const [head = '', tail = ''] = JSON.stringify(reload({ remarks: '@' })).split('@')
    const body = Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from(tail)])
    await expectBadFormat(await sendText(body), ['body'])
  })

  it.each([
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'text/plain;charset=UTF-8',
    'application/x-www-form-urlencoded',
    'nonsense',
    null,
  ])('a body of JSON is read, whatever its type: %s', async (type) => {
    const body = reload()
    const { transaction_id } = expectPayment(await sendText(JSON.stringify(body), type), body)
    const again = expectPayment(await sendText(JSON.stringify(body), type), body)
    expect(again.transaction_id).toBe(transaction_id)
  })
})

it('nothing of this was a surprise to the service', async () => {
  const marker = (await demo.service.get('/marker')).headers['x-request-id']
  await until('the log has everything up to now', async () =>
    demo.service.log().some(({ request_id }) => request_id === marker),
  )
  const surprises = demo.service
    .log()
    .filter(({ status, msg }) => status === 500 || msg === 'unexpected error')
  expect(surprises).toEqual([])
})
