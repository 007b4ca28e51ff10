import { beforeAll, describe, expect, it } from 'vitest'
import type { Demo, Reader } from '../../catalog.ts'
import { shareDemo } from '../../catalog.ts'
import { expectEdgeHeaders } from '../../edge.ts'
import { productListShape } from '../../shapes.ts'

const PATH = '/v2/product-list'

type Listed = {
  status: string
  has_subproduct: boolean
  product_code: string
  product_name: string
  product_remarks: string
  account_label: string | null
  keyboard_type: string
  denomination: string
  denomination_currency: string
  denomination_unit_price: number
  product_group: string
  category: string
  image_url: string
  account_type: string
  is_refundable: boolean
}

let demo: Demo
let first: Reader
let second: Reader

beforeAll(async () => {
  demo = await shareDemo()
  first = demo.first
  second = demo.second
})

async function productList(reader: Reader): Promise<Listed[]> {
  const answer = await reader.get(PATH)
  expect(answer.status).toBe(200)
  return answer.json<{ data: Listed[] }>().data
}

function listed(list: readonly Listed[], code: string): Listed | undefined {
  return list.find((item) => item.product_code === code)
}

describe('the product list', () => {
  it('has every member of the contract, of its type, and no other', async () => {
    for (const reader of [first, second]) {
      const answer = await reader.get(PATH)
      expect(productListShape(answer.json(), 'list')).toEqual([])
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
      expectEdgeHeaders(answer)
    }
  })

  it('says that it is deprecated and what replaces it', async () => {
    const { headers } = await first.get(PATH)
    expect(headers.deprecation).toMatch(/\S/)
    expect(headers.link).toBe('</v2/catalog>; rel="successor-version"')
    expect((await first.get('/v2/catalog')).headers).not.toHaveProperty('deprecation')
  })

  it('takes no parameters and minds none', async () => {
    const { text } = await first.get(PATH)
    expect((await first.get(`${PATH}?product_code=NOVA&limit=0`)).text).toBe(text)
  })

  it('lists what the catalogue lists, switched-off products included, in the tree’s words', async () => {
    for (const reader of [first, second]) {
      const list = await productList(reader)
      const { products, tree } = await reader.catalog('include_inactive=true')
      expect(list.map((item) => item.product_code).sort()).toEqual(Object.keys(products).sort())
      const places = tree.groups.flatMap((group) =>
        group.categories.flatMap((category) =>
          category.product_codes.map((code) => ({ code, group: group.name, category: category.name })),
        ),
      )
      for (const { code, group, category } of places) {
        const product = products[code] as unknown as Record<string, unknown>
        expect(listed(list, code)).toMatchObject({
          status: product.is_active ? 'Active' : 'Inactive',
          product_name: product.name,
          product_remarks: product.note ?? '',
          denomination: product.denomination ?? '',
          denomination_currency: product.denomination_currency,
          denomination_unit_price: product.denomination_unit_price,
          product_group: group,
          category,
          image_url: product.image_url,
        })
      }
    }
  })

  it('shows the account’s own view: names, groups and what it switched off', async () => {
    const list = await productList(second)
    expect(listed(list, 'RIMBA')).toMatchObject({
      product_name: 'Rimba Sabah & Sarawak',
      product_group: 'Borneo picks',
      category: 'Reload in Sabah and Sarawak',
    })
    const off = list.filter((item) => item.status === 'Inactive')
    expect(off.map((item) => item.product_code)).toEqual(['KOPIKU'])
    expect((await productList(first)).every((item) => item.status === 'Active')).toBe(true)
  })

  it('lists FD to the reseller with access alone, and OLDONE to nobody', async () => {
    expect(listed(await productList(first), 'FD')).toBeDefined()
    expect(listed(await productList(second), 'FD')).toBeUndefined()
    for (const reader of [first, second]) expect(listed(await productList(reader), 'OLDONE')).toBeUndefined()
  })

  it('marks the products with sub-products: those whose payment names a plan or a loan', async () => {
    const marked = (await productList(first)).filter((item) => item.has_subproduct)
    expect(marked.map((item) => item.product_code)).toEqual([
      'NOVAD',
      'KITAD',
      'BAYUD',
      'RIMBAD',
      'SELATD',
      'LANGITD',
      'ZAMRUDD',
      'NOVAMY',
      'EDULOAN',
    ])
  })

  it('tells what to type as the account, and that a PIN needs nothing', async () => {
    const list = await productList(first)
    expect(listed(list, 'NOVA')).toMatchObject({
      account_label: 'Mobile number',
      keyboard_type: 'tel',
      account_type: 'phone_number',
      common_denominations: '5,10,30,50,100',
      denomination_data_type: 'Integer',
    })
    expect(listed(list, 'VOLT')).toMatchObject({ account_type: 'account_number', is_refundable: true })
    expect(listed(list, 'DOMPETKU')?.account_type).toBe('both')
    expect(listed(list, 'KITA')).toMatchObject({ denomination: '5-500', denomination_data_type: 'Decimal' })
    const without = list.filter((item) => item.account_label === null)
    expect(without.map((item) => item.product_code)).toContain('PINTEN')
    for (const item of list) {
      expect([item.product_code, item.account_type === 'not_required']).toEqual([
        item.product_code,
        item.account_label === null,
      ])
    }
  })
})
