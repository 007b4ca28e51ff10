import { beforeAll, describe, expect, it } from 'vitest'
import type { Demo, Item, Reader } from '../../catalog.ts'
import { shareDemo } from '../../catalog.ts'
import { expectEdgeHeaders } from '../../edge.ts'
import { billerOptions, loanOptions, pricedOptions } from '../../shapes.ts'

const BILLERS = 'product_code=BILLPAY&field_id=biller'
const BILLER_COUNT = 21_500

let demo: Demo
let first: Reader
let second: Reader

beforeAll(async () => {
  demo = await shareDemo()
  first = demo.first
  second = demo.second
})

function codes(items: readonly Item[]): string[] {
  return items.map((item) => item.code)
}

describe('a static list', () => {
  it('has every member of the contract and no other, for every select of every product', async () => {
    const { products } = await first.catalog()
    for (const { code, fields } of Object.values(products)) {
      for (const field of fields.filter((each) => each.data_source?.type === 'reference')) {
        const answer = await first.get(`/v2/options?product_code=${code}&field_id=${field.id}`, {
          'X-API-Version': '2026-09-16',
        })
        const shape = field.role === 'pricing' ? pricedOptions : billerOptions
        expect(shape(answer.json(), `${code}.${field.id}`)).toEqual([])
        expect(answer.json()).toMatchObject({ product_code: code, field_id: field.id })
        expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
        expectEdgeHeaders(answer)
      }
    }
  })

  it('comes in the order in which the shop shows it, with codes that are unique', async () => {
    const { items, meta } = await first.options('product_code=NOVA&field_id=amount')
    expect(codes(items)).toEqual(['NOVA5', 'NOVA10', 'NOVA30', 'NOVA50', 'NOVA100'])
    expect(items.map((item) => item.denomination)).toEqual([5, 10, 30, 50, 100])
    expect(meta).toEqual({ current_page: 1, last_page: 1, per_page: 100, total: 5 })
  })

  it('describes mobile data plans: the label without the validity, which stands apart', async () => {
    const { items } = await first.options('product_code=NOVAD&field_id=plan')
    expect(items.find((item) => item.code === 'ND35')).toEqual({
      code: 'ND35',
      label: 'Nova 20 GB',
      denomination: 35,
      validity: '30 Days',
      features: ['20 GB high speed', '5 GB hotspot'],
      description: 'Renews by itself.',
      price: { amount: '35.00', currency: 'MYR' },
      cost: { amount: '33.60', currency: 'MYR' },
      rrp: { amount: '35.00', currency: 'MYR' },
      has_loss_risk: false,
    })
    expect(items.map((item) => item.label)).toEqual([
      'Nova 1 GB',
      'Nova 3 GB',
      'Nova 1.5 GB',
      'Nova 20 GB',
      'Nova Unlimited',
    ])
    expect(items.filter((item) => item.denomination === 10)).toHaveLength(2)
  })

  it('leaves out what an option does not have, and keeps labels that are not of mobile data', async () => {
    const { items: boost } = await first.options('product_code=ZAMRUDD&field_id=plan')
    const last = boost.find((item) => item.code === 'ZDBOOST')
    expect(last?.label).toBe('Zamrud Boost 300 MB')
    expect(last).not.toHaveProperty('validity')
    expect(last).not.toHaveProperty('description')
    const { items: plans } = await first.options('product_code=SELATD&field_id=plan')
    for (const plan of plans) expect(plan).not.toHaveProperty('features')
    const { items: months } = await first.options('product_code=STREAMGO&field_id=plan')
    expect(months.map(({ label }) => label)).toEqual(['One month', 'Three months', 'Twelve months'])
  })

  it('takes colons in codes, and denominations with sen', async () => {
    const { items } = await first.options('product_code=RIMBAD&field_id=plan')
    expect(items.map(({ code, denomination }) => [code, denomination])).toEqual([
      ['R:WEEK', 12.9],
      ['R:MONTH', 29.9],
      ['R:MAX', 59.9],
    ])
  })

  it('leaves out what the account switched off; is_active=false gives exactly that', async () => {
    const list = 'product_code=BAYU&field_id=amount'
    expect(codes((await first.options(list)).items)).toContain('BAYU15')
    const { items, meta } = await second.options(list)
    expect(codes(items)).toEqual(['BAYU5', 'BAYU10', 'BAYU20', 'BAYU30', 'BAYU50', 'BAYU100'])
    expect(meta.total).toBe(6)
    expect(codes((await second.options(`${list}&is_active=false`)).items)).toEqual(['BAYU15'])
    expect((await first.options(`${list}&is_active=false`)).items).toEqual([])
    expect(await second.options(`${list}&is_active=true`)).toEqual({
      product_code: 'BAYU',
      field_id: 'amount',
      items,
      meta,
    })
  })

  it('the list of a product that the account switched off is still there', async () => {
    expect((await second.options('product_code=KOPIKU&field_id=amount')).items).toHaveLength(3)
  })

  it('the list of a product that is off for everybody is there with include_inactive', async () => {
    const { items } = await first.options('product_code=OLDONE&field_id=amount&include_inactive=true')
    expect(codes(items)).toEqual(['OLDONE5', 'OLDONE10', 'OLDONE30'])
  })

  it('ignores biller_code where there are no billers', async () => {
    const list = 'product_code=NOVA&field_id=amount'
    expect((await first.options(`${list}&biller_code=NOVA5`)).items).toHaveLength(5)
  })
})

describe('the billers', () => {
  it('carry their limits as money, and none where they have none', async () => {
    const { items } = await first.options(`${BILLERS}&limit=25000`)
    expect(items).toHaveLength(BILLER_COUNT)
    expect(billerOptions({ ...(await first.options(BILLERS)), items }, 'billers')).toEqual([])
    const limits = items.map(({ min_amount: min, max_amount: max }) => [typeof min, typeof max].join())
    expect(new Set(limits)).toEqual(
      new Set(['object,object', 'object,undefined', 'undefined,object', 'undefined,undefined']),
    )
    const both = items.filter((item) => item.min_amount && item.max_amount)
    for (const { min_amount: min, max_amount: max } of both) {
      expect([min?.currency, max?.currency]).toEqual(['MYR', 'MYR'])
      expect(Number(max?.amount)).toBeGreaterThan(Number(min?.amount))
    }
    for (const item of items) expect(item).not.toHaveProperty('price')
  })

  it('say which of them need a second reference, and the form of the product takes it', async () => {
    const { items } = await first.options(`${BILLERS}&limit=25000`)
    const listed = (await first.get('/v1/billpay/billers')).json<{
      data: { biller_code: string; additional_description: string[] }[]
    }>()
    const asking = listed.data.filter(({ additional_description: texts }) =>
      texts.some((each) => each.startsWith('Ref-2')),
    )
    const saying = items.filter((item) => (item as { ref2_required?: boolean }).ref2_required)
    expect(saying.map((item) => item.code).sort()).toEqual(asking.map((each) => each.biller_code).sort())
    expect(saying.length).toBeGreaterThan(100)
    const bill = (await first.catalog('product_code=BILLPAY')).products.BILLPAY
    expect(bill?.fields.find((field) => field.id === 'ref2')).toMatchObject({ required: false, role: 'none' })
    expect(bill?.fulfillment.extras?.ref2).toEqual({ from_field: 'ref2', omit_if_empty: true })
  })

  it('only the billers of data plans have a validity, eSIM included', async () => {
    const validities = async (query: string) =>
      (await first.options(query)).items.map((each) => each.validity)
    expect(await validities('product_code=ESIMGO&field_id=plan')).toEqual(['3 days', '7 days', '15 days'])
    expect(await validities('product_code=NOVAD&field_id=plan')).toContain('30 Days')
    expect(await validities('product_code=STREAMGO&field_id=plan')).toEqual([undefined, undefined, undefined])
  })

  it('are filtered by biller_code, exactly', async () => {
    const [one] = (await first.options(`${BILLERS}&limit=1&page=777`)).items
    const found = await first.options(`${BILLERS}&biller_code=${one?.code}`)
    expect(found.items).toEqual([one])
    expect(found.meta).toEqual({ current_page: 1, last_page: 1, per_page: 100, total: 1 })
    for (const code of ['0', 'nobody', `${one?.code}%20`]) {
      const { items, meta } = await first.options(`${BILLERS}&biller_code=${code}`)
      expect(items).toEqual([])
      expect(meta).toEqual({ current_page: 1, last_page: 1, per_page: 100, total: 0 })
    }
  })

  it.each([25_000, 21_500, 21_499, 10_000, 1_000])(
    'are each on exactly one of the pages of %i',
    async (limit) => {
      const seen: string[] = []
      for (let page = 1, last = 1; page <= last; page += 1) {
        const { items, meta } = await first.options(`${BILLERS}&limit=${limit}&page=${page}`)
        last = Math.ceil(BILLER_COUNT / limit)
        expect(meta).toEqual({ current_page: page, last_page: last, per_page: limit, total: BILLER_COUNT })
        expect(items.length).toBe(page < last ? limit : BILLER_COUNT - (last - 1) * limit)
        seen.push(...codes(items))
      }
      expect(new Set(seen).size).toBe(BILLER_COUNT)
      expect(seen).toEqual(codes((await first.options(`${BILLERS}&limit=25000`)).items))
    },
  )

  it('come a hundred at a time, and page 1 is the first', async () => {
    const { items, meta } = await first.options(BILLERS)
    expect(items).toHaveLength(100)
    expect(meta).toEqual({ current_page: 1, last_page: 215, per_page: 100, total: BILLER_COUNT })
    expect(await first.options(`${BILLERS}&page=1`)).toMatchObject({ items, meta })
    expect((await first.options(`${BILLERS}&page=215`)).items).toHaveLength(100)
  })

  it('take per_page for limit, also both when they agree', async () => {
    const wanted = await first.options(`${BILLERS}&limit=7&page=3`)
    expect(wanted.meta).toEqual({ current_page: 3, last_page: 3072, per_page: 7, total: BILLER_COUNT })
    for (const query of ['per_page=7&page=3', 'limit=7&per_page=7&page=3', 'limit=&per_page=7&page=3']) {
      expect(await first.options(`${BILLERS}&${query}`), query).toEqual(wanted)
    }
  })

  it('past the end are an empty page, and meta says where the end is', async () => {
    for (const page of [216, 5_000, 999_999_999]) {
      const { items, meta } = await first.options(`${BILLERS}&page=${page}`)
      expect(items).toEqual([])
      expect(meta).toEqual({ current_page: page, last_page: 215, per_page: 100, total: BILLER_COUNT })
    }
  })
})

describe('a dynamic list', () => {
  const LOANS = 'product_code=EDULOAN&field_id=loan_account'
  const OFFERS = 'product_code=NOVAMY&field_id=plan'

  it('a list of loans gives accounts of the types K, U, S, SP, to be paid by their own number', async () => {
    const seen = new Set<string>()
    let severalAccounts = 0
    for (let person = 0; person < 12; person += 1) {
      const list = await first.options(`${LOANS}&account_number=9001011456${10 + person}`)
      expect(loanOptions(list, 'loans')).toEqual([])
      expect(list.meta).toEqual({ current_page: 1, last_page: 1, per_page: 100, total: list.items.length })
      if (list.items.length > 1) severalAccounts += 1
      for (const { code } of list.items) seen.add(code)
      const numbers = list.items.map((item) => item.account_number)
      expect(new Set(numbers).size).toBe(numbers.length)
    }
    expect([...seen].sort()).toEqual(['K', 'S', 'SP', 'U'])
    expect(severalAccounts).toBeGreaterThan(0)
  })

  it('is of the account asked for, and the same each time and for every reseller', async () => {
    const one = await first.options(`${LOANS}&account_number=900101145678`)
    expect(await first.options(`${LOANS}&account_number=900101145678`)).toEqual(one)
    expect(await second.options(`${LOANS}&account_number=900101145678`)).toEqual(one)
    expect(await first.options(`${LOANS}&account_number=900101145679`)).not.toEqual(one)
  })

  it('a list of plans is priced like a static one, for each reseller by its own price list', async () => {
    const [mine, theirs] = await Promise.all(
      [first, second].map((reader) => reader.options(`${OFFERS}&account_number=60123456789`)),
    )
    expect(pricedOptions(mine, 'offers')).toEqual([])
    expect(mine?.items[1]).toEqual({
      code: 'P15',
      label: 'Your 10 GB',
      denomination: 15,
      validity: '15 Days',
      features: ['10 GB', 'All hours'],
      price: { amount: '15.00', currency: 'MYR' },
      cost: { amount: '14.40', currency: 'MYR' },
      rrp: { amount: '15.00', currency: 'MYR' },
      has_loss_risk: false,
    })
    expect(theirs?.items[1]?.cost).toEqual({ amount: '14.325', currency: 'MYR' })
  })

  it('has pages too', async () => {
    const account = `${OFFERS}&account_number=60123456789`
    const all = (await first.options(account)).items
    const pages = await Promise.all([1, 2, 3].map((page) => first.options(`${account}&limit=2&page=${page}`)))
    expect(pages.map((page) => page.items)).toEqual([all.slice(0, 2), all.slice(2), []])
    expect(pages[2]?.meta).toEqual({ current_page: 3, last_page: 2, per_page: 2, total: 3 })
  })

  it('may be empty', async () => {
    const { items, meta } = await first.options(`${LOANS}&account_number=900101145000`)
    expect(items).toEqual([])
    expect(meta).toEqual({ current_page: 1, last_page: 1, per_page: 100, total: 0 })
  })
})
