import { expect, it } from 'vitest'
import { codeAt, placesOf, withCode } from './places.rules.ts'

const CONFIG = {
  base_url: 'https://supplier.example',
  products: {
    NOVA: 'NV',
    PIN: { by_amount: { '10.00': 'P10', '30.00': { code: 'P30', values: { send: '7.5' } } } },
    DATA: { by_subproduct: { WEEK: 'D7' } },
  },
}

it('finds every place of every code', () => {
  expect(Object.fromEntries(placesOf(CONFIG))).toEqual({
    NV: [{ product: 'NOVA', by: 'product' }],
    P10: [{ product: 'PIN', by: 'amount', key: '10.00' }],
    P30: [{ product: 'PIN', by: 'amount', key: '30.00' }],
    D7: [{ product: 'DATA', by: 'subproduct', key: 'WEEK' }],
  })
})

it.each([null, 5, 'text', [], {}, { products: 5 }, { products: { NOVA: 5, PIN: { by_amount: [] } } }])(
  'finds none in %j',
  (config) => {
    expect([...placesOf(config)]).toEqual([])
  },
)

it('puts a code at a place, with its values, and leaves the rest as it is', () => {
  const place = { product: 'PIN', by: 'amount', key: '50.00' } as const
  const config = withCode(CONFIG, place, { code: 'P50', values: { send: '12' } })
  expect(codeAt(config, place)).toBe('P50')
  expect(config).toMatchObject(CONFIG)
  expect(withCode(config, place, null)).toEqual(CONFIG)
})

it('makes the entry of a new product, and takes it away with its last code', () => {
  const place = { product: 'CARD', by: 'subproduct', key: 'X' } as const
  const config = withCode(CONFIG, place, { code: 'C1', values: {} })
  expect(config).toMatchObject({ products: { CARD: { by_subproduct: { X: 'C1' } } } })
  expect(withCode(config, place, null)).toEqual(CONFIG)
})

it('puts no amount into a product that has one code for all, or one for each plan', () => {
  const given = { code: 'X', values: {} }
  expect(withCode(CONFIG, { product: 'NOVA', by: 'amount', key: '1.00' }, given)).toBeUndefined()
  expect(withCode(CONFIG, { product: 'DATA', by: 'amount', key: '1.00' }, given)).toBeUndefined()
  expect(withCode(CONFIG, { product: 'PIN', by: 'product' }, given)).toBeUndefined()
})
