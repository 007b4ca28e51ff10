import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Catalog, Demo, Reader } from '../../catalog.ts'
import { NEWEST, OLDER, openDemo } from '../../catalog.ts'
import { createReseller, expectEdgeHeaders } from '../../edge.ts'
import { signed } from '../../http.ts'
import { until } from '../../service.ts'
import { catalogShape } from '../../shapes.ts'

let demo: Demo
let first: Reader
let second: Reader

beforeAll(async () => {
  demo = await openDemo()
  first = demo.first
  second = demo.second
})

afterAll(() => demo?.end())

function expectNothing({ last_updated: _, ...catalog }: Catalog): void {
  expect(catalog).toEqual({ tree: { groups: [] }, products: {} })
}

function codesIn(catalog: Catalog): string[] {
  return Object.keys(catalog.products)
}

function codesInTree({ tree }: Catalog): string[] {
  return tree.groups.flatMap((group) => group.categories.flatMap((category) => category.product_codes))
}

function productOf(catalog: Catalog, code: string) {
  const product = catalog.products[code]
  if (product === undefined) throw new Error(`${code} is not in the catalogue`)
  return product
}

function groupOf(catalog: Catalog, id: string) {
  return catalog.tree.groups.find((group) => group.id === id)
}

describe('the whole catalogue', () => {
  it.each(['2024-01-01', '2026-09-16'])(
    'has every member of the contract, of its type, and no other, in release %s',
    async (release) => {
      for (const reader of [first, second]) {
        const answer = await reader.get('/v2/catalog', { 'X-API-Version': release })
        expect(answer.status).toBe(200)
        expect(catalogShape(answer.json(), 'catalog')).toEqual([])
        expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
        expectEdgeHeaders(answer)
      }
    },
  )

  it('is of some size: 8 or more groups, 60 or more products, every kind of field and fulfilment', async () => {
    const catalog = await first.catalog()
    const products = Object.values(catalog.products)
    expect(catalog.tree.groups.length).toBeGreaterThanOrEqual(8)
    expect(products.length).toBeGreaterThanOrEqual(60)
    const all = (values: (string | undefined)[]) => [...new Set(values)].sort()
    expect(all(products.flatMap(({ fields }) => fields.map(({ type }) => type)))).toEqual([
      'money',
      'number',
      'select',
      'text',
    ])
    expect(all(products.map((product) => product.pricing.discount.type))).toEqual(['fixed', 'percentage'])
    const times = catalog.products as unknown as Record<string, { processing_time: string }>
    expect(all(Object.values(times).map((product) => product.processing_time))).toEqual([
      '24_hours',
      '3_days',
      'instant',
      'link',
      'pin',
    ])
  })

  it('keys each product by its own code, and places it once in the tree', async () => {
    for (const reader of [first, second]) {
      const catalog = await reader.catalog()
      for (const [key, product] of Object.entries(catalog.products)) expect(product.code).toBe(key)
      expect(codesInTree(catalog).toSorted()).toEqual(codesIn(catalog).toSorted())
      const branches = catalog.tree.groups.flatMap((group) => [
        group.categories.length,
        ...group.categories.map((category) => category.product_codes.length),
      ])
      expect(branches).not.toContain(0)
    }
  })

  it('numbers fields without a tie, has one that prices, and maps from fields that are there', async () => {
    for (const { code, fields, fulfillment } of Object.values((await first.catalog()).products)) {
      const ids = fields.map((field) => field.id)
      expect(new Set(ids).size, code).toBe(ids.length)
      const orders = fields.map((field) => field.order)
      expect(orders, code).toEqual([...new Set(orders)].sort((a, b) => a - b))
      expect(fields.filter((field) => field.role === 'pricing').length, code).toBe(1)
      const { account, amount, extras } = fulfillment
      for (const mapping of [amount, ...Object.values(extras ?? {})])
        expect(ids, code).toContain(mapping.from_field)
      if (account.from_field !== null) expect(ids, code).toContain(account.from_field)
    }
  })

  it('asks for the options of the field itself, with values of fields that come before it', async () => {
    for (const { code, fields } of Object.values((await first.catalog()).products)) {
      const ids = fields.map((field) => field.id)
      for (const { id, data_source: source } of fields) {
        if (source === undefined) continue
        expect(source.params).toMatchObject({ product_code: { static: code }, field_id: { static: id } })
        const read = Object.values(source.params).flatMap((value) =>
          'from_field' in value ? [value.from_field] : [],
        )
        expect(read, `${code}.${id}`).toEqual(source.depends_on ?? [])
        for (const other of read) expect(ids.slice(0, ids.indexOf(id)), `${code}.${id}`).toContain(other)
      }
    }
  })

  it('says in both releases that no field gives the account of a PIN product', async () => {
    for (const release of [NEWEST, OLDER]) {
      const { products } = await first.catalog('', { 'X-API-Version': release })
      expect(products.PINTEN?.fulfillment.account).toEqual({ from_field: null })
      expect(products.NOVA?.fulfillment.account).toEqual({ from_field: 'phone' })
    }
  })

  it('sends the denomination of a chosen option, and an entered amount without a path', async () => {
    for (const { code, fields, fulfillment } of Object.values((await first.catalog()).products)) {
      const pricing = fields.find((field) => field.role === 'pricing')
      const path = pricing?.type === 'select' ? { path: 'denomination' } : {}
      expect(fulfillment.amount, code).toEqual({ from_field: pricing?.id, ...path })
    }
  })

  it('gives the tree in the order in which the shop shows it', async () => {
    const { tree } = await first.catalog()
    expect(tree.groups.map((group) => group.id)).toEqual([
      'MOBILE',
      'BILLS',
      'EDUCATION',
      'GAMES',
      'GIFT_CARDS',
      'TRAVEL',
      'EWALLETS',
      'VOUCHERS',
      'FINANCE',
    ])
    const mobile = tree.groups[0]?.categories
    expect(mobile?.map((category) => category.id)).toEqual([
      'PREPAID_RELOAD',
      'MOBILE_DATA',
      'DATA_OFFERS',
      'PREPAID_PIN',
      'POSTPAID',
    ])
    expect(mobile?.[0]?.product_codes).toEqual([
      'NOVA',
      'KITA',
      'BAYU',
      'RIMBA',
      'SELAT',
      'LANGIT',
      'ZAMRUD',
      'FP',
    ])
  })

  it('describes a foreign currency, a virtual unit and a fixed discount as the contract says', async () => {
    const catalog = await first.catalog()
    expect(productOf(catalog, 'STORE')).toMatchObject({
      denomination_currency: 'JPY',
      denomination_unit_price: 0.0296,
      pricing: { unit_price: '0.965', currency: 'MYR', discount: { type: 'percentage', value: '3.5%' } },
    })
    expect(productOf(catalog, 'GEMS')).toMatchObject({
      denomination_currency: 'GEM',
      denomination_unit_price: 0.05,
      pricing: { unit_price: '-0.1', discount: { type: 'fixed', value: 'MYR 0.10' } },
    })
    expect(productOf(catalog, 'NOVA')).toMatchObject({ denomination_unit_price: 1 })
    expect(productOf(catalog, 'PINTEN').fields.map((field) => field.role)).toEqual(['pricing'])
    expect(productOf(catalog, 'PINTEN').fulfillment.account).toEqual({ from_field: null })
  })
})

describe('filters', () => {
  it('product_code gives that product alone, with its place in the tree', async () => {
    const whole = await first.catalog()
    const one = await first.catalog('product_code=NOVA')
    expect(one.products).toEqual({ NOVA: whole.products.NOVA })
    expect(one.tree.groups).toEqual([
      {
        ...whole.tree.groups[0],
        categories: [{ id: 'PREPAID_RELOAD', name: 'Prepaid reload', product_codes: ['NOVA'] }],
      },
    ])
    expect(one.last_updated).toBe(whole.last_updated)
  })

  it.each(['UNKNOWN', 'nova', 'OLDONE', 'NOVA%20', '__proto__', 'constructor'])(
    'product_code=%s matches nothing: an empty map and no groups',
    async (code) => {
      expectNothing(await first.catalog(`product_code=${code}`))
      expectNothing(await first.catalog(`product_code=${code}&include_inactive=true`))
    },
  )

  it('is_active=true is the default, and an empty parameter is one that was not given', async () => {
    const whole = (await first.get('/v2/catalog')).text
    for (const query of ['is_active=true', 'is_active=', 'include_inactive=false', 'product_code=']) {
      expect((await first.get(`/v2/catalog?${query}`)).text, query).toBe(whole)
    }
  })

  it('is_active=false gives what the account switched off, and nothing else', async () => {
    const off = await second.catalog('is_active=false')
    expect(codesIn(off)).toEqual(['KOPIKU'])
    expect(productOf(off, 'KOPIKU').is_active).toBe(false)
    expect(codesInTree(off)).toEqual(['KOPIKU'])
    expectNothing(await first.catalog('is_active=false'))
    expectNothing(await second.catalog('is_active=false&product_code=NOVA'))
  })

  it('include_inactive gives both, whatever is_active says', async () => {
    const active = codesIn(await second.catalog())
    expect(active).not.toContain('KOPIKU')
    for (const query of ['', '&is_active=false', '&is_active=true']) {
      const both = await second.catalog(`include_inactive=true${query}`)
      expect(codesIn(both).toSorted()).toEqual([...active, 'KOPIKU'].toSorted())
      const off = Object.values(both.products).filter((product) => !product.is_active)
      expect(off.map((product) => product.code)).toEqual(['KOPIKU'])
    }
  })
})

describe('the catalogue of an account', () => {
  it('lists FD, which is hidden, to the reseller with access and to nobody else', async () => {
    expect(codesIn(await first.catalog('product_code=FD'))).toEqual(['FD'])
    expect(codesInTree(await first.catalog())).toContain('FD')
    for (const query of ['', 'include_inactive=true', 'product_code=FD', 'product_code=FD&is_active=false']) {
      const catalog = await second.catalog(query)
      expect(codesIn(catalog), query).not.toContain('FD')
      const categories = groupOf(catalog, 'FINANCE')?.categories ?? []
      expect(categories.map((category) => category.id)).not.toContain('FUND_DISBURSEMENT')
    }
  })

  it('never lists what is off for everybody', async () => {
    for (const query of ['', 'include_inactive=true', 'is_active=false']) {
      expect(codesIn(await first.catalog(query)), query).not.toContain('OLDONE')
    }
  })

  it('lists nothing at a price level without prices', async () => {
    const { service } = demo
    await service.warungd('level', 'create', '--code', 'EMPTY', '--name', 'Empty')
    const reseller = await createReseller(service)
    await service.warungd('reseller', 'update', '--reseller', reseller.account, '--price-level', 'EMPTY')
    const empty = await until('the level is known', async () => {
      const catalog = (await signed(service.baseUrl, reseller, { path: '/v2/catalog' })).json<Catalog>()
      return catalog.tree.groups.length === 0 && catalog
    })
    expectNothing(empty)
  })
})

describe('the second reseller’s customisations', () => {
  it('show its own group and category, with the products it moved there in its order', async () => {
    const catalog = await second.catalog()
    expect(catalog.tree.groups[0]).toEqual({
      id: 'BORNEO_PICKS',
      name: 'Borneo picks',
      icon_url: `${demo.service.baseUrl}/images/groups/BORNEO_PICKS.svg`,
      categories: [
        { id: 'BORNEO_RELOAD', name: 'Reload in Sabah and Sarawak', product_codes: ['RIMBA', 'BAYU'] },
      ],
    })
    const reload = groupOf(catalog, 'MOBILE')?.categories[0]?.product_codes
    expect(reload).toEqual(['NOVA', 'KITA', 'SELAT', 'LANGIT', 'ZAMRUD', 'FP'])
    expect(groupOf(await first.catalog(), 'BORNEO_PICKS')).toBeUndefined()
  })

  it('show a group under another name and in another place', async () => {
    const { groups } = (await second.catalog()).tree
    const wallets = groups.findIndex((group) => group.id === 'EWALLETS')
    expect(groups[wallets]?.name).toBe('Dompet digital')
    expect(wallets).toBeLessThan(groups.findIndex((group) => group.id === 'EDUCATION'))
    expect(groupOf(await first.catalog(), 'EWALLETS')?.name).toBe('E-wallets')
  })

  it('show a product under another name with limits of its own, for this account alone', async () => {
    expect(productOf(await second.catalog(), 'RIMBA')).toMatchObject({
      name: 'Rimba Sabah & Sarawak',
      min_amount: { amount: '10.00', currency: 'MYR' },
      max_amount: { amount: '200.00', currency: 'MYR' },
    })
    expect(productOf(await first.catalog(), 'RIMBA')).toMatchObject({
      name: 'Rimba Prepaid',
      min_amount: null,
      max_amount: null,
    })
  })

  it('show adjustments, and which of them can lose money', async () => {
    const adjustments = Object.values((await second.catalog()).products)
      .filter(({ pricing }) => pricing.price_adjustment !== null || pricing.has_loss_risk)
      .map(({ code, pricing }) => [code, pricing.price_adjustment, pricing.has_loss_risk])
    expect(adjustments).toEqual([
      ['SELAT', { type: 'fixed', value: 0.5, currency: 'MYR' }, false],
      ['LANGIT', { type: 'percentage', value: 0.95 }, true],
      ['ZAMRUD', { type: 'percentage', value: 1.02 }, false],
    ])
    for (const { code, pricing } of Object.values((await first.catalog()).products)) {
      expect([code, pricing.price_adjustment, pricing.has_loss_risk]).toEqual([code, null, false])
    }
  })

  it('come on top of a price list of its own', async () => {
    const [mine, theirs] = await Promise.all([first.catalog(), second.catalog()])
    expect(productOf(mine, 'NOVA').pricing.unit_price).toBe('0.97')
    expect(productOf(theirs, 'NOVA').pricing.unit_price).toBe('0.965')
    expect(productOf(theirs, 'SELAT').pricing).toMatchObject({
      unit_price: '-0.35',
      discount: { type: 'fixed', value: 'MYR 0.35' },
    })
  })
})
