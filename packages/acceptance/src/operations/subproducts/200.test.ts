import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo, Reader } from '../../catalog.ts'
import { openDemo } from '../../catalog.ts'
import { expectEdgeHeaders } from '../../edge.ts'
import { subProductsShape } from '../../shapes.ts'

const PATH = '/v2/subproducts'
const PHONE = 'account_number=60123456789'
const PERSON = 'account_number=900101145678'
const DATA_PRODUCTS = ['NOVAD', 'KITAD', 'BAYUD', 'RIMBAD', 'SELATD', 'LANGITD', 'ZAMRUDD']

type SubProduct = Record<string, unknown> & { subproduct_code: string; display_name: string }

let demo: Demo
let first: Reader

beforeAll(async () => {
  demo = await openDemo()
  first = demo.first
})

afterAll(() => demo?.end())

async function subProducts(query: string, reader = first): Promise<SubProduct[]> {
  const answer = await reader.get(`${PATH}?${query}`)
  expect(answer.status, answer.text).toBe(200)
  expect(subProductsShape(answer.json(), query)).toEqual([])
  return answer.json<{ data: SubProduct[] }>().data
}

describe('mobile data', () => {
  it('gives the plans: the denomination is the plan’s price, the code is what a payment names', async () => {
    const plans = await subProducts(`product_code=NOVAD&${PHONE}`)
    expect(plans.map((plan) => plan.subproduct_code)).toEqual(['ND5', 'ND10W', 'ND10M', 'ND35', 'ND50'])
    expect(plans[3]).toEqual({
      subproduct_code: 'ND35',
      display_name: 'Nova 20 GB 30 Days',
      denomination: '35.00',
      face_value: '35.00',
      validity: '30 Days',
      description: 'Renews by itself.',
      account_number: null,
      additional_description: ['20 GB high speed', '5 GB hotspot'],
      min: null,
      max: null,
    })
  })

  it.each([...DATA_PRODUCTS, 'NOVAMY'])(
    'mobile data of %s has the same plans as the options',
    async (code) => {
      const plans = await subProducts(`product_code=${code}&${PHONE}`)
      const { items } = await first.options(`product_code=${code}&field_id=plan&${PHONE}`)
      expect(plans.length).toBeGreaterThan(0)
      expect(
        plans.map((plan) => [plan.subproduct_code, Number(plan.denomination), plan.validity ?? undefined]),
      ).toEqual(items.map((item) => [item.code, item.denomination, item.validity]))
    },
  )
})

describe('a student loan', () => {
  it('gives the accounts of an identity number, by type, with the number to pay to', async () => {
    const loans = await subProducts(`product_code=EDULOAN&${PERSON}`)
    const { items } = await first.options(`product_code=EDULOAN&field_id=loan_account&${PERSON}`)
    expect(loans.map((loan) => [loan.subproduct_code, loan.account_number])).toEqual(
      items.map((item) => [item.code, item.account_number]),
    )
    for (const loan of loans) {
      expect(['K', 'U', 'S', 'SP']).toContain(loan.subproduct_code)
      expect(loan).toMatchObject({ denomination: null, face_value: null, validity: null })
      expect(loan).toMatchObject({ min: '1.00', max: '10000.00' })
    }
    expect(await subProducts('product_code=EDULOAN&account_number=900101145000')).toEqual([])
  })
})

describe('the list', () => {
  it('is whole when the limit is blank or left out, and cut where it is given', async () => {
    const whole = await subProducts(`product_code=NOVAD&${PHONE}`)
    expect(await subProducts(`product_code=NOVAD&${PHONE}&limit=`)).toEqual(whole)
    for (const limit of [1, 2, 5, 25_000]) {
      expect(await subProducts(`product_code=NOVAD&${PHONE}&limit=${limit}`)).toEqual(whole.slice(0, limit))
    }
  })

  it('is empty for products without sub-products, which need no account', async () => {
    for (const code of ['NOVA', 'KITA', 'PINTEN', 'VOLT']) {
      expect(await subProducts(`product_code=${code}`)).toEqual([])
    }
  })

  it('exists for every product of the product list but bill payment', async () => {
    const { data } = (await first.get('/v2/product-list')).json<{
      data: { product_code: string; has_subproduct: boolean }[]
    }>()
    for (const { product_code: code, has_subproduct: has } of data) {
      if (code === 'BILLPAY') continue
      const found = await subProducts(`product_code=${code}&${PERSON}`)
      expect([code, found.length > 0]).toEqual([code, has])
    }
  })

  it('leaves out what the account switched off', async () => {
    const whose = ['--reseller', demo.second.account, '--product', 'LANGITD', '--option', 'LD10']
    await demo.service.warungd('overlay', 'set', ...whose, '--off')
    const codes = async (reader: Reader) =>
      (await subProducts(`product_code=LANGITD&${PHONE}`, reader)).map((plan) => plan.subproduct_code)
    await expect.poll(() => codes(demo.second)).toEqual(['LD25'])
    expect(await codes(first)).toEqual(['LD10', 'LD25'])
  })

  it('says that it is deprecated and what replaces it', async () => {
    const answer = await first.get(`${PATH}?product_code=NOVAD&${PHONE}`)
    expect(answer.headers.deprecation).toMatch(/\S/)
    expect(answer.headers.link).toBe('</v2/options>; rel="successor-version"')
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expectEdgeHeaders(answer)
  })
})
