import { describe, expect, it } from 'vitest'
import {
  changedSettings,
  codesOf,
  isTestMode,
  packsFor,
  readValues,
  stepOf,
  withCode,
  withoutCode,
} from './rules.ts'

describe('the steps', () => {
  it('begin with the choice, and go on at the proofs once the provider exists', () => {
    expect([{}, { step: 'routes' }, { pack: 'ding' }, { pack: 'ding', step: 'choose' }].map(stepOf)).toEqual([
      'choose',
      'choose',
      'credentials',
      'choose',
    ])
    expect(
      [undefined, 'choose', 'odd', 'products'].map((step) => stepOf({ provider: 'ding', step })),
    ).toEqual(['prove', 'prove', 'prove', 'products'])
  })
})

describe('the codes of products', () => {
  const products = {
    NOVA: 'N1',
    KITA: { by_amount: { '10.00': 'K10', '30.00': { code: 'K', values: { value: '30' }, closed: true } } },
  }

  it('are listed with amount, values and what the list closed', () => {
    const line = { values: {}, isClosed: false }
    expect(codesOf(products)).toEqual([
      { product: 'NOVA', by: 'product', place: '', code: 'N1', ...line },
      { product: 'KITA', by: 'by_amount', place: '10.00', code: 'K10', ...line },
      {
        product: 'KITA',
        by: 'by_amount',
        place: '30.00',
        code: 'K',
        values: { value: '30' },
        isClosed: true,
      },
    ])
    expect(codesOf(undefined)).toEqual([])
  })

  it('keep the other amounts when one is added or taken away', () => {
    const added = withCode(products, { product: 'KITA', amount: '50.00', code: 'K50', values: {} })
    expect(Object.keys((added.KITA as { by_amount: object }).by_amount)).toEqual(['10.00', '30.00', '50.00'])
    const [, ten, thirty] = codesOf(products)
    expect(ten && withoutCode(products, ten)).toEqual({
      KITA: { by_amount: { '30.00': products.KITA.by_amount['30.00'] } },
    })
    const alone = { KITA: { by_amount: { '30.00': 'K' } } }
    expect(thirty && withoutCode(alone, thirty)).toEqual({ KITA: null })
    const valued = { product: 'NOVA', amount: '', code: 'N2', values: { unit: 'MYR' } }
    expect(withCode(products, valued)).toEqual({ NOVA: { code: 'N2', values: { unit: 'MYR' } } })
  })

  it('have further values only in lines of NAME=VALUE', () => {
    expect(readValues(' unit=MYR \n\nvalue=a=b')).toEqual({ unit: 'MYR', value: 'a=b' })
    expect(readValues('unit')).toBeUndefined()
  })
})

describe('the settings', () => {
  const setting = { name: 'base_url', label: '', help: '', usual: 'https://live', type: 'text' } as const
  const pack: Parameters<typeof changedSettings>[0] = {
    settings: [setting, { ...setting, name: 'username', usual: null }],
    test_mode: { by: 'address', says: '', settings: { base_url: 'https://test' } },
  }
  const filled = { values: { username: 'us' }, secrets: {}, isTest: true, reason: '' }

  it('are those of the test mode while it is on, and usual ones are not sent', () => {
    expect(changedSettings(pack, filled)).toEqual({ base_url: 'https://test', username: 'us' })
    expect(changedSettings(pack, { ...filled, isTest: false })).toEqual({ username: 'us' })
    expect([isTestMode(pack, { base_url: 'https://test' }), isTestMode(pack, {})]).toEqual([true, false])
  })
})

it('a supplier of many countries is found for each of them', () => {
  const pack = { pack: 'ding', name: 'Ding', summary: 'Top-ups', countries: ['*'], sells: ['data'] }
  const other = { ...pack, pack: 'iak', name: 'IAK', countries: ['ID'] }
  const found = (search: Record<string, string>) => packsFor([pack, other], search).map((each) => each.pack)
  expect([
    found({ country: 'MY' }),
    found({ country: 'ID', search: 'iak ' }),
    found({ sells: 'game' }),
  ]).toEqual([['ding'], ['iak'], []])
})
