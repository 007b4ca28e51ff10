import { beforeAll, describe, expect, it } from 'vitest'
import type { Demo, Product, Reader } from '../../catalog.ts'
import { shareDemo } from '../../catalog.ts'

let demo: Demo

beforeAll(async () => {
  demo = await shareDemo()
})

// ── The contract's arithmetic once more, on exact decimals ──

/** Number `digits` × 10^-`scale`. */
type Decimal = { digits: bigint; scale: number }

function decimal(value: string | number): Decimal {
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(value)) ?? []
  if (whole === undefined) throw new Error(`${value} is no plain decimal`)
  return { digits: BigInt(`${sign}${whole}${fraction}`), scale: fraction.length }
}

function aligned(a: Decimal, b: Decimal): [bigint, bigint, number] {
  const scale = Math.max(a.scale, b.scale)
  const raise = (value: Decimal) => value.digits * 10n ** BigInt(scale - value.scale)
  return [raise(a), raise(b), scale]
}

function plus(a: Decimal, b: Decimal): Decimal {
  const [left, right, scale] = aligned(a, b)
  return { digits: left + right, scale }
}

function times(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.digits, scale: a.scale + b.scale }
}

function isLess(a: Decimal, b: Decimal): boolean {
  const [left, right] = aligned(a, b)
  return left < right
}

/** Rounds half up to 4 decimals, then writes 2 to 4 of them, as money is written. */
function written(value: Decimal): string {
  const { digits } = plus(value, { digits: 0n, scale: 4 })
  const scale = Math.max(value.scale, 4)
  const step = 10n ** BigInt(scale - 4)
  const rounded = (digits + step / 2n) / step
  const text = String(rounded).padStart(5, '0')
  return `${text.slice(0, -4)}.${text.slice(-4).replace(/0{1,2}$/, '')}`
}

function costOf(product: Product, face: Decimal): Decimal {
  const unitPrice = decimal(product.pricing.unit_price)
  // A fixed discount is negative: adding it takes its absolute value off.
  return product.pricing.discount.type === 'percentage' ? times(face, unitPrice) : plus(face, unitPrice)
}

function priceOf({ pricing }: Product, rrp: Decimal): Decimal {
  const adjustment = pricing.price_adjustment
  if (adjustment === null) return rrp
  const value = decimal(adjustment.value)
  return adjustment.type === 'percentage' ? times(rrp, value) : plus(rrp, value)
}

function expectedMoney(product: Product, denomination: number, explicitRrp: string | undefined) {
  const face = times(decimal(denomination), decimal(product.denomination_unit_price))
  const cost = costOf(product, face)
  const larger = isLess(cost, face) ? face : cost
  const rrp = explicitRrp === undefined ? larger : decimal(explicitRrp)
  const price = explicitRrp === undefined ? priceOf(product, rrp) : rrp
  const ringgit = (value: Decimal) => ({ amount: written(value), currency: 'MYR' })
  return {
    price: ringgit(price),
    cost: ringgit(cost),
    rrp: ringgit(rrp),
    has_loss_risk: isLess(decimal(written(price)), decimal(written(cost))),
  }
}

/** Retail prices that the demo configures. The catalog shows only values derived from them. */
const EXPLICIT = new Map([
  ['STREAMGO-3', '59.70'],
  ['STREAMGO-12', '238.80'],
  ['TH-7D', '29.90'],
])
/** Retail prices of the demo and the second reseller's own. */
const OWN = new Map([...EXPLICIT, ['BD45', '46.90']])

const RESELLERS = [
  ['first', EXPLICIT],
  ['second', OWN],
] as const

async function pricedProducts(reader: Reader): Promise<[Product, string][]> {
  const { products } = await reader.catalog('include_inactive=true')
  return Object.values(products).flatMap((product): [Product, string][] => {
    const field = product.fields.find((each) => each.role === 'pricing' && each.type === 'select')
    return field?.data_source?.type === 'reference' ? [[product, field.id]] : []
  })
}

describe.each(RESELLERS)('the %s reseller’s prices', (who, explicit) => {
  it('follow from what the catalogue says, for every option of every product', async () => {
    const priced = await pricedProducts(demo[who])
    let count = 0
    for (const [product, fieldId] of priced) {
      const { items } = await demo[who].options(`product_code=${product.code}&field_id=${fieldId}`)
      expect(items.length, product.code).toBeGreaterThan(0)
      for (const item of items) {
        const { price, cost, rrp, has_loss_risk } = item
        const wanted = expectedMoney(product, item.denomination ?? 0, explicit.get(item.code))
        expect({ price, cost, rrp, has_loss_risk }, item.code).toEqual(wanted)
        count += 1
      }
    }
    expect(count).toBeGreaterThan(100)
  })

  it('tell the products that can lose at some amount', async () => {
    const { products } = await demo[who].catalog('include_inactive=true')
    for (const product of Object.values(products)) {
      const field = product.fields.find((each) => each.role === 'pricing')
      const { min, max } = field?.validation ?? {}
      const list = `product_code=${product.code}&field_id=${field?.id}`
      const loses =
        field?.type === 'select'
          ? field.data_source?.type === 'reference' &&
            (await demo[who].options(list)).items.some((item) => item.has_loss_risk)
          : // Price and cost are linear in the amount, so the two ends decide.
            [product.min_amount?.amount ?? min, product.max_amount?.amount ?? max].some(
              (end) => expectedMoney(product, Number(end), undefined).has_loss_risk,
            )
      expect([product.code, product.pricing.has_loss_risk]).toEqual([product.code, loses])
    }
  })
})

describe('well-known prices', () => {
  const item = async (reader: Reader, product: string, field: string, code: string) => {
    const { items } = await reader.options(`product_code=${product}&field_id=${field}`)
    const { price, cost, rrp, has_loss_risk } = items.find((each) => each.code === code) ?? {}
    return [price?.amount, cost?.amount, rrp?.amount, has_loss_risk]
  }

  it.each([
    // percentage: 30 × 0.97
    ['first', 'NOVA', 'amount', 'NOVA30', ['30.00', '29.10', '30.00', false]],
    // fixed: 60 × 0.05 − 0.10
    ['first', 'GEMS', 'amount', 'GEMS60', ['3.00', '2.90', '3.00', false]],
    // foreign currency: 500 × 0.0296, × 0.965
    ['first', 'STORE', 'amount', 'STORE500', ['14.80', '14.282', '14.80', false]],
    // rounded once, half up: 5 × 4.6543 × 0.97 = 22.573355
    ['first', 'APPSHELF', 'amount', 'APPSHELF5', ['23.2715', '22.5734', '23.2715', false]],
    // an explicit retail price
    ['first', 'STREAMGO', 'plan', 'STREAMGO-3', ['59.70', '51.606', '59.70', false]],
    ['second', 'BAYUD', 'plan', 'BD45', ['46.90', '42.525', '46.90', false]],
    ['first', 'BAYUD', 'plan', 'BD45', ['45.00', '42.75', '45.00', false]],
    // adjusted: + 0.50, and × 0.95 below a cost of 0.97
    ['second', 'SELAT', 'amount', 'SELAT10', ['10.50', '9.65', '10.00', false]],
    ['second', 'LANGIT', 'amount', 'LANGIT20', ['19.00', '19.40', '20.00', true]],
  ] as const)('%s reseller: %s.%s %s is %j', async (who, product, field, code, wanted) => {
    expect(await item(demo[who], product, field, code)).toEqual(wanted)
  })
})
