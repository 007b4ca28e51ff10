import { describe, expect, it } from 'vitest'
import { sampleBase, sampleProduct } from '../../../testing/catalog/catalog-samples.ts'
import { EMPTY_STATE } from '../../catalog/model/state.rules.ts'
import type { Product } from '../../catalog/model/types.ts'
import type { CatalogContext } from './catalog.service.ts'
import { listProducts } from './catalog.service.ts'

/** Makes a catalogue of the products A, B, C and D, of which some are inactive. */
function catalogWithout(...inactive: readonly string[]) {
  const products = ['A', 'B', 'C', 'D'].map((code) =>
    sampleProduct({ code, isActive: !inactive.includes(code) }),
  )
  const state = { ...EMPTY_STATE, base: sampleBase({ products, listed: [] }) }
  return { catalog: { state: () => state } } as unknown as CatalogContext
}

const codesOf = (items: readonly Product[]) => items.map(({ code }) => code)

describe('pages of products', () => {
  const query = { is_active: 'true', limit: '2' }

  it('a page of products goes on behind a product that is not wanted any more', () => {
    const [, first] = listProducts(catalogWithout(), query)
    expect([codesOf(first.items), first.cursor]).toEqual([['A', 'B'], 'B'])
    const [, second] = listProducts(catalogWithout('B'), { ...query, cursor: 'B' })
    expect([codesOf(second.items), second.cursor]).toEqual([['C', 'D'], null])
  })

  it('a page of products behind an unknown cursor is empty', () => {
    const [, page] = listProducts(catalogWithout(), { ...query, cursor: 'X' })
    expect(page).toEqual({ items: [], cursor: null })
  })
})
