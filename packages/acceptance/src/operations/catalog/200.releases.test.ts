import { beforeAll, describe, expect, it } from 'vitest'
import type { Demo, Item, Product, Reader } from '../../catalog.ts'
import { defaultRelease, NEWEST, OLDER, shareDemo } from '../../catalog.ts'
import { olderPricedOptions, pricedOptions } from '../../shapes.ts'

const CATALOG = '/v2/catalog?product_code=NOVAD'
const OPTIONS = '/v2/options?product_code=NOVAD&field_id=plan'

let demo: Demo
let first: Reader

beforeAll(async () => {
  demo = await shareDemo()
  first = demo.first
})

/** Returns the release of an answer, by its header and by its content. */
async function releaseOf(path: string, headers: Record<string, string>): Promise<string> {
  const answer = await first.get(path, headers)
  expect(answer.status).toBe(200)
  const isNewest = answer.text.includes('"denomination":5') || answer.text.includes('"path":"denomination"')
  expect(answer.headers['x-api-version']).toBe(isNewest ? NEWEST : OLDER)
  return isNewest ? NEWEST : OLDER
}

function day(offset: number): string {
  return new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
}

describe.each([CATALOG, OPTIONS])('X-API-Version on %s', (path) => {
  it('left out: the default of the day, 2026-09-16 from 2027-01-11 on', async () => {
    expect(await releaseOf(path, {})).toBe(defaultRelease())
  })

  it.each([
    ['2026-09-16', NEWEST],
    ['2026-09-17', NEWEST],
    ['2026-10-31', NEWEST],
    ['2026-09-15', OLDER],
    ['2024-01-01', OLDER],
    ['2024-02-29', OLDER],
    ['2023-12-31', OLDER],
    ['1999-01-01', OLDER],
  ])('%s: the newest release up to it, %s', async (header, release) => {
    expect(await releaseOf(path, { 'X-API-Version': header })).toBe(release)
  })

  it('today and tomorrow by UTC are dates like others', async () => {
    for (const offset of [0, 1]) expect(await releaseOf(path, { 'X-API-Version': day(offset) })).toBe(NEWEST)
  })

  it('later than tomorrow by UTC: ignored', async () => {
    const today = day(0)
    const picked = await releaseOf(path, { 'X-API-Version': day(2) })
    // The date is not checked if midnight has passed: the day after tomorrow is then tomorrow.
    if (day(0) === today) expect(picked).toBe(defaultRelease())
    for (const header of ['2999-12-31', '9999-99-99']) {
      expect(await releaseOf(path, { 'X-API-Version': header })).toBe(defaultRelease())
    }
  })

  it.each([
    '2026-02-30',
    '2026-09-31',
    '2026-13-01',
    '2026-00-10',
    '2025-02-29',
    '2026-9-16',
    '20260916',
    '16-09-2026',
    '2026-09-16T00:00:00Z',
    '2026-09-16,2026-09-16',
    '2026/09/16',
    'v2',
    'latest',
    '',
  ])('%j is no date: ignored, and the request does not fail over it', async (header) => {
    expect(await releaseOf(path, { 'X-API-Version': header })).toBe(defaultRelease())
  })

  it('has its name in any letter case', async () => {
    expect(await releaseOf(path, { 'x-api-version': NEWEST })).toBe(NEWEST)
    expect(await releaseOf(path, { 'X-API-VERSION': OLDER })).toBe(OLDER)
  })
})

/** Products that name their plan or loan in both forms. */
const KEEPS_CODE = /^(NOVAD|KITAD|BAYUD|RIMBAD|SELATD|LANGITD|ZAMRUDD|NOVAMY|EDULOAN)$/

/** Removes what release 2026-09-16 added, if the rest still buys the chosen option. */
async function older(reader: Reader, product: Product): Promise<Product> {
  const { extras, amount, ...rest } = product.fulfillment
  const items = amount.path === undefined ? [] : await itemsOf(reader, product, amount.from_field)
  const isPriceEnough = items.every((item) => Number(item.price?.amount) === item.denomination)
  const isCodeNeeded =
    KEEPS_CODE.test(product.code) || new Set(items.map((item) => item.denomination)).size < items.length
  const { subproduct_code: code, ...others } = extras ?? {}
  const kept = isCodeNeeded && code !== undefined ? { ...others, subproduct_code: code } : others
  return {
    ...product,
    fulfillment: {
      ...rest,
      amount: amount.path === 'denomination' && isPriceEnough ? { ...amount, path: 'price.amount' } : amount,
      ...(Object.keys(kept).length > 0 && { extras: kept }),
    },
  }
}

async function itemsOf(reader: Reader, { code }: Product, field: string): Promise<Item[]> {
  const query = new URLSearchParams({ product_code: code, field_id: field, account_number: '60123456789' })
  return (await reader.options(query.toString())).items
}

describe('the two releases', () => {
  it('differ in the catalogue by the mapping of the amount and of the plan code, and by nothing else', async () => {
    for (const reader of [first, demo.second]) {
      const query = 'include_inactive=true'
      const newest = await reader.catalog(query)
      const before = await reader.catalog(query, { 'X-API-Version': OLDER })
      const products = await Promise.all(
        Object.values(newest.products).map(async (each) => [each.code, await older(reader, each)] as const),
      )
      expect(before).toEqual({ ...newest, products: Object.fromEntries(products) })
      expect(before).not.toEqual(newest)
    }
  })

  it('map the plan code from 2026-09-16 on, for products that support it and no others', async () => {
    const { products } = await first.catalog()
    const mapped = Object.values(products).filter((each) => each.fulfillment.extras?.subproduct_code)
    expect(mapped.map((product) => product.code)).toEqual([
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
    expect(products.NOVAD?.fulfillment).toEqual({
      account: { from_field: 'phone' },
      amount: { from_field: 'plan', path: 'denomination' },
      extras: { subproduct_code: { from_field: 'plan', path: 'code' } },
    })
    const { products: before } = await first.catalog('', { 'X-API-Version': OLDER })
    expect(before.NOVAD?.fulfillment).toEqual({
      account: { from_field: 'phone' },
      amount: { from_field: 'plan', path: 'price.amount' },
      extras: { subproduct_code: { from_field: 'plan', path: 'code' } },
    })
    expect(before.EDULOAN?.fulfillment).toEqual(products.EDULOAN?.fulfillment)
  })

  it.each([OPTIONS, '/v2/options?product_code=NOVAMY&field_id=plan&account_number=60123456789'])(
    'differ in %s by the denomination, and by nothing else',
    async (path) => {
      const read = async (release: string) =>
        (await first.get(path, { 'X-API-Version': release })).json<{ items: Item[] }>()
      const [newest, before] = [await read(NEWEST), await read(OLDER)]
      expect(pricedOptions(newest, 'options')).toEqual([])
      expect(olderPricedOptions(before, 'options')).toEqual([])
      const items = newest.items.map(({ denomination: _, ...item }) => item)
      expect(before).toEqual({ ...newest, items })
    },
  )

  it('keep the denomination where the price is not it: in another unit, or with a margin', async () => {
    for (const [reader, code, field] of [
      [first, 'KERIS', 'amount'],
      [first, 'STORE', 'amount'],
      [first, 'ESIMGO', 'plan'],
      [demo.second, 'SELAT', 'amount'],
    ] as const) {
      const path = `/v2/options?product_code=${code}&field_id=${field}`
      const [newest, before] = await Promise.all(
        [NEWEST, OLDER].map((release) => reader.get(path, { 'X-API-Version': release })),
      )
      expect(before?.text, code).toBe(newest?.text)
      expect(before?.headers['x-api-version']).toBe(OLDER)
      const { products } = await reader.catalog('', { 'X-API-Version': OLDER })
      expect(products[code]?.fulfillment.amount).toEqual({ from_field: field, path: 'denomination' })
    }
  })

  it('are the same where nothing prices', async () => {
    for (const path of [
      '/v2/options?product_code=BILLPAY&field_id=biller',
      '/v2/options?product_code=EDULOAN&field_id=loan_account&account_number=900101145678',
    ]) {
      const [newest, before] = await Promise.all(
        [NEWEST, OLDER].map((release) => first.get(path, { 'X-API-Version': release })),
      )
      expect(before?.text).toBe(newest?.text)
    }
  })
})
