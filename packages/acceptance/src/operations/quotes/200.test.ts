import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../../catalog.ts'
import { openDemo } from '../../catalog.ts'
import { expectEdgeHeaders } from '../../edge.ts'
import type { Answer } from '../../http.ts'
import { signed } from '../../http.ts'
import type { PayBody, Payer } from '../../payments.ts'
import {
  advanceClock,
  createPayer,
  expectRejection,
  newRefid,
  PHONE,
  RELOAD_COST,
  reload,
} from '../../payments.ts'
import { until } from '../../service.ts'

type Quote = {
  quote_id: string
  state: string
  transaction_id: string | null
  cost: number
  expires_at: string
  warnings: { code: string; message: string }[]
}

const RELOAD = { product: 'NOVA', account: PHONE, amount: 10 }

let demo: Demo
let payer: Payer

beforeAll(async () => {
  demo = await openDemo()
  payer = await createPayer(demo.service, '1000')
})

afterAll(() => demo?.end())

function ask(body: unknown, by = payer): Promise<Answer> {
  return signed(demo.service.baseUrl, by.credentials, { method: 'POST', path: '/v2/quotes', json: body })
}

async function quote(body: PayBody = RELOAD, by = payer): Promise<Quote> {
  const answer = await ask(body, by)
  expect(answer.status, answer.text).toBe(200)
  expectEdgeHeaders(answer)
  return answer.json<{ data: Quote }>().data
}

async function read(id: string, by = payer): Promise<Answer> {
  return signed(demo.service.baseUrl, by.credentials, { method: 'GET', path: `/v2/quotes/${id}` })
}

async function refused(body: PayBody, remarks: string, by = payer): Promise<Record<string, string[]>> {
  const answer = await by.send(body)
  expectRejection(answer, { code: 44, remarks })
  return answer.json<{ errors: Record<string, string[]> }>().errors
}

/** Sets the price of the level, and waits until a quote shows it. */
async function setPrice(percentage: string, cost: number): Promise<void> {
  const product = ['--level', 'STANDARD', '--product', 'NOVA', '--percentage', percentage]
  await demo.service.warungd('catalog', 'price', ...product)
  await until('the price is known', async () => ((await quote()).cost === cost ? true : undefined))
}

describe('a quote', () => {
  it('says what the payment would be, and reserves nothing', async () => {
    const answer = await ask({ ...RELOAD, remarks: 'a note', extras: { ref2: 'x' } })
    expect(answer.json()).toEqual({
      data: {
        quote_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        state: 'open',
        transaction_id: null,
        product: 'NOVA',
        productName: 'Nova Prepaid',
        account: PHONE,
        amount: 10,
        extras: { ref2: 'x' },
        face_value: 10,
        cost: RELOAD_COST,
        currency: 'MYR',
        balance: 1000,
        balance_after: 1000 - RELOAD_COST,
        expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        warnings: [],
      },
    })
    expect(await payer.balance()).toBe(1000)
  })

  it('is refused as the payment would be, without a refid in the answer', async () => {
    for (const [change, statusCode, field] of [
      [{ amount: 'ten' }, 44, 'amount'],
      [{ product: 'NONE' }, 44, 'product'],
      [{ account: 'x' }, 52, 'account'],
      [{ amount: 3 }, 58, 'amount'],
      [{ max_cost: '9.69' }, 44, 'max_cost'],
      [{ max_cost: 'dear' }, 44, 'max_cost'],
    ] as const) {
      const answer = await ask({ ...RELOAD, ...change })
      expect(answer.status).toBe(400)
      expect(answer.json()).toMatchObject({ data: { statusCode, status: 'Failed', refid: '' } })
      expect(Object.keys(answer.json<{ errors: object }>().errors)).toEqual([field])
    }
    const poor = await createPayer(demo.service, '5')
    expect((await ask(RELOAD, poor)).json()).toMatchObject({ data: { statusCode: 43, balance: 5 } })
    expect((await ask('[]')).status).toBe(400)
  })

  it('warns of the same payment a moment ago', async () => {
    const own = await createPayer(demo.service, '1000')
    const paid = await own.pay(reload())
    const { warnings } = await quote(RELOAD, own)
    expect(warnings.map(({ code }) => code)).toEqual(['possible_duplicate'])
    expect(warnings[0]?.message).toContain(paid.transaction_id)
    await advanceClock(demo.service, own.account, 121)
    expect((await quote(RELOAD, own)).warnings).toEqual([])
  })

  it('warns of the account of staging that was just topped up', async () => {
    const { warnings } = await quote({ ...RELOAD, account: '60123450454' })
    expect(warnings.map(({ code }) => code)).toEqual(['possible_duplicate'])
  })

  it('warns of no payment to an account that only looks like the same telephone number', async () => {
    const own = await createPayer(demo.service, '1000')
    const bill = { product: 'VOLT', account: '60123456789', amount: 10 }
    await own.pay({ ...bill, refid: newRefid() })
    const codes = async (account: string) =>
      (await quote({ ...bill, account }, own)).warnings.map(({ code }) => code)
    expect(await codes('60123456789')).toEqual(['possible_duplicate'])
    expect(await codes('0123456789')).toEqual([])
  })

  it('warns of an interruption, and of a wallet that would hold less than its threshold', async () => {
    const own = await createPayer(demo.service, '105')
    const set = { method: 'POST', path: '/v2/low-balance-threshold?amount=100' } as const
    expect((await signed(demo.service.baseUrl, own.credentials, set)).status).toBe(200)
    const about = ['--product', 'BAYU', '--message', 'Works are going on']
    const { id } = await demo.service.warungd<{ id: string }>('notice', 'add', ...about)
    const body = { ...RELOAD, product: 'BAYU', account: '60163456789' }
    const { warnings } = await until('the notice is known', async () => {
      const found = await quote(body, own)
      return found.warnings.length > 1 ? found : undefined
    })
    expect(warnings.map(({ code }) => code)).toEqual(['network_interruption', 'balance_low_after'])
    expect(warnings[1]?.message).toContain('threshold of 100.00')
    await demo.service.warungd('notice', 'end', '--id', id)
  })

  it('warns that the number is another operator’s, by its prefix or, where it was ported, for certain', async () => {
    const codes = async (product: string, account: string) =>
      (await quote({ product, account, amount: 10 })).warnings.map(({ code }) => code)
    expect(await codes('KITA', '013-123 0000')).toEqual([])
    expect(await codes('NOVA', '013-123 0000')).toEqual(['operator_differs'])
    expect(await codes('KITA', '012-999 0000')).toEqual([])
    const { warnings } = await quote({ product: 'NOVA', account: '012-999 0000', amount: 10 })
    expect(warnings).toEqual([
      { code: 'operator_differs', message: "The number is Kita's, and the product is Nova's." },
    ])
  })

  it('is unknown to another reseller, and by any other text', async () => {
    const { quote_id: id } = await quote()
    const other = await createPayer(demo.service, '1000')
    for (const answer of [await read(id, other), await read(randomUUID()), await read('none')]) {
      expect(answer.status).toBe(404)
    }
    await refused({ ...reload(), quote_id: id }, 'Quote_Unknown', other)
    await refused({ ...reload(), quote_id: 'none' }, 'Quote_Unknown')
  })
})

describe('a payment with a quote', () => {
  it('costs what was quoted, although the price list has changed, and is found at the quote', async () => {
    const { quote_id: id } = await quote()
    await setPrice('0.99', 9.9)
    try {
      const paid = await payer.pay({ ...reload(), quote_id: id })
      expect(paid.cost).toBe(RELOAD_COST)
      expect((await read(id)).json()).toMatchObject({
        data: { state: 'paid', transaction_id: paid.transaction_id, cost: RELOAD_COST },
      })
      const errors = await refused({ ...reload(), max_cost: 9.7 }, 'Cost_Above_Maximum')
      expect(errors.max_cost?.[0]).toContain('9.9')
    } finally {
      await setPrice('0.97', RELOAD_COST)
    }
  })

  it('pays once: fifty payments at once with one quote are one', async () => {
    const own = await createPayer(demo.service, '1000')
    const { quote_id: id } = await quote(RELOAD, own)
    const bodies = Array.from({ length: 50 }, () => ({ ...reload(), quote_id: id }))
    const answers = await Promise.all(bodies.map((body) => own.send(body)))
    const paid = answers.filter(({ status }) => status === 200)
    expect(paid.length).toBe(1)
    const remarks = answers.filter(({ status }) => status === 400).map((each) => each.json())
    expect(remarks).toEqual(
      Array(49).fill(expect.objectContaining({ data: expect.objectContaining({ remarks: 'Quote_Used' }) })),
    )
    expect(await own.balance()).toBe(1000 - RELOAD_COST)
    // The same request again is the same payment, whatever its quote says now.
    const body = bodies[answers.findIndex(({ status }) => status === 200)] as PayBody
    expect((await own.send({ ...body, quote_id: 'another', max_cost: 1 })).status).toBe(200)
  })

  it('is refused for another payment, after its time, and with what is no quote; the refid stays free', async () => {
    const own = await createPayer(demo.service, '1000')
    const { quote_id: id } = await quote(RELOAD, own)
    const body = { ...reload(), quote_id: id }
    expect((await refused({ ...body, amount: 30 }, 'Quote_Mismatch', own)).quote_id?.[0]).toContain('amount')
    await refused({ ...body, account: '60123456780' }, 'Quote_Mismatch', own)
    await refused({ ...body, quote_id: 7 }, 'Invalid_Format', own)
    await advanceClock(demo.service, own.account, 301)
    await refused(body, 'Quote_Expired', own)
    expect((await read(id, own)).json()).toMatchObject({ data: { state: 'expired' } })
    expect((await own.pay({ ...body, quote_id: null, max_cost: '' })).cost).toBe(RELOAD_COST)
  })

  it('is refused when its product is not for sale any more', async () => {
    const own = await createPayer(demo.service, '1000')
    const whose = ['--reseller', own.account, '--product', 'FD']
    await demo.service.warungd('catalog', 'permit', ...whose)
    const disbursement = { product: 'FD', account: '514012345678', amount: 10 }
    const { data } = await until('it is for sale', async () => {
      const answer = await ask(disbursement, own)
      return answer.status === 200 ? answer.json<{ data: Quote }>() : undefined
    })
    await demo.service.warungd('catalog', 'forbid', ...whose)
    await until('it is no more', async () =>
      (await ask(disbursement, own)).status === 400 ? true : undefined,
    )
    await refused({ ...disbursement, refid: newRefid(), quote_id: data.quote_id }, 'Invalid_Product', own)
    expect((await read(data.quote_id, own)).json()).toMatchObject({ data: { state: 'open' } })
  })

  it('is refused with terms that are no number or no quote, in whatever digits they are written', async () => {
    for (const [terms, remarks] of [
      [{ max_cost: '٩٫٧' }, 'Invalid_Format'],
      [{ max_cost: '9'.repeat(40) }, 'Invalid_Format'],
      [{ max_cost: '-1' }, 'Invalid_Format'],
      [{ max_cost: '0' }, 'Cost_Above_Maximum'],
      [{ quote_id: '٧'.repeat(36) }, 'Quote_Unknown'],
      [{ quote_id: '9'.repeat(40) }, 'Quote_Unknown'],
      [{ allow_duplicate: 'yes' }, 'Invalid_Format'],
    ] as const) {
      await refused({ ...reload(), ...terms }, remarks)
    }
  })

  it('keeps its quote used when the payment fails', async () => {
    const own = await createPayer(demo.service, '1000')
    const failing = { ...RELOAD, account: '60110000048' }
    const { quote_id: id } = await quote(failing, own)
    const first = { ...failing, refid: newRefid(), quote_id: id }
    const { transaction_id } = await own.pay(first)
    const errors = await refused({ ...first, refid: newRefid() }, 'Quote_Used', own)
    expect(errors.quote_id?.[0]).toContain(transaction_id)
  })
})
