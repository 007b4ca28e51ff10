import { beforeAll, describe, expect, it } from 'vitest'
import type { Catalog, Demo, Item, Product, Reader } from '../../catalog.ts'
import { shareDemo } from '../../catalog.ts'
import type { PaymentBody } from '../../generic-client.ts'
import { GenericClient } from '../../generic-client.ts'

let demo: Demo

beforeAll(async () => {
  demo = await shareDemo()
})

type Filled = { product: Product; body: PaymentBody }

/** Fills every listed product's form with a client that knows only the catalog. */
async function fillAll(reader: Reader): Promise<{ catalog: Catalog; filled: Filled[] }> {
  const client = new GenericClient(demo.service.baseUrl, reader.credentials)
  const catalog = (await client.catalog()) as Catalog
  const filled: Filled[] = []
  for (const product of Object.values(catalog.products)) {
    filled.push({ product, body: await client.fill(product, `form-${product.code}`) })
  }
  return { catalog, filled }
}

/** Fields that the contract makes mandatory, by category. */
const EXTRAS: Record<string, string[]> = {
  MOBILE_DATA: ['subproduct_code'],
  DATA_OFFERS: ['subproduct_code'],
  BILL_PAYMENT: ['biller_code', 'ic_number'],
  STUDENT_LOAN: ['ic_number', 'subproduct_code'],
}

function mandatoryExtras({ tree }: Catalog, code: string): string[] {
  const categories = tree.groups.flatMap((group) => group.categories)
  return EXTRAS[categories.find((each) => each.product_codes.includes(code))?.id ?? ''] ?? []
}

describe.each(['first', 'second'] as const)('the %s reseller’s forms', (who) => {
  let catalog: Catalog
  let filled: Filled[]

  beforeAll(async () => {
    ;({ catalog, filled } = await fillAll(demo[who]))
  })

  it('can be filled for every listed product, with account and amount', () => {
    expect(filled.length).toBeGreaterThanOrEqual(60)
    for (const { product, body } of filled) {
      expect(body.product).toBe(product.code)
      expect(body.account, product.code).toMatch(/^\S+$/)
      expect(body.account, product.code).not.toMatch(/undefined|null|\[object/)
      expect(Number(body.amount), product.code).toBeGreaterThan(0)
    }
  })

  it('ask for the extras that the kind of product makes mandatory, and for no others', () => {
    for (const { product, body } of filled) {
      const { ref2: _, ...extras } = body.extras ?? {}
      expect([product.code, Object.keys(extras).sort()]).toEqual([
        product.code,
        mandatoryExtras(catalog, product.code),
      ])
      for (const value of Object.values(extras)) expect(value, product.code).toMatch(/^[\w:-]+$/)
    }
  })

  it('send amounts that the field and the account’s own limits allow', () => {
    for (const { product, body } of filled) {
      const pricing = product.fields.find((field) => field.role === 'pricing')
      if (pricing?.type === 'select') continue
      const { min = 0, max = Number.POSITIVE_INFINITY } = pricing?.validation ?? {}
      const amount = Number(body.amount)
      expect(amount, product.code).toBeGreaterThanOrEqual(Number(product.min_amount?.amount ?? min))
      expect(amount, product.code).toBeLessThanOrEqual(Number(product.max_amount?.amount ?? max))
    }
  })

  it('send the denomination and the code of one and the same option', async () => {
    let count = 0
    for (const { product, body } of filled) {
      const field = product.fields.find((each) => each.role === 'pricing')
      if (field?.type !== 'select') continue
      const query = `product_code=${product.code}&field_id=${field.id}&account_number=${body.account}`
      const { items } = await demo[who].options(query)
      const isChosen = (item: Item) =>
        item.denomination === body.amount &&
        (body.extras?.subproduct_code === undefined || body.extras.subproduct_code === item.code)
      expect(items.some(isChosen), product.code).toBe(true)
      count += 1
    }
    expect(count).toBeGreaterThan(30)
  })
})

it('a loan is paid to the account that was chosen, for the person who was named', async () => {
  const { filled } = await fillAll(demo.first)
  const loan = filled.find(({ product }) => product.code === 'EDULOAN')?.body
  const query = `product_code=EDULOAN&field_id=loan_account&account_number=${loan?.extras?.ic_number}`
  const [chosen] = (await demo.first.options(query)).items
  expect(loan?.account).toBe(chosen?.account_number)
  expect(loan?.extras?.subproduct_code).toBe(chosen?.code)
})
