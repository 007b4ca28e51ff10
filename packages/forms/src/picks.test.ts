import { describe, expect, it } from 'vitest'
import { findProducts, groupsOf, markHits } from './picks.ts'
import type { FormCatalog } from './types.ts'

const CATALOG = {
  last_updated: '',
  tree: {
    groups: [
      {
        id: 'M',
        name: 'Mobile',
        icon_url: '',
        categories: [{ id: 'R', name: 'Reload', product_codes: ['KITA', 'GONE'] }],
      },
      {
        id: 'G',
        name: 'Games',
        icon_url: '',
        categories: [{ id: 'C', name: 'Credit', product_codes: ['NAGA'] }],
      },
    ],
  },
  products: { KITA: { code: 'KITA', name: 'Kita Prepaid' }, NAGA: { code: 'NAGA', name: 'Naga Kingdom' } },
} as unknown as FormCatalog

describe('picking a product', () => {
  it('goes by group and category, and leaves out products that are not there', () => {
    expect(groupsOf(CATALOG)[0]?.categories[0]?.products.map(({ code }) => code)).toEqual(['KITA'])
  })

  it('finds by name, code, category and group, all words together', () => {
    const find = (search: string) => findProducts(CATALOG, search).map(({ code }) => code)
    expect([find('kita'), find('NAGA'), find('reload pre'), find('games'), find('kita games')]).toEqual([
      ['KITA'],
      ['NAGA'],
      ['KITA'],
      ['NAGA'],
      [],
    ])
  })

  it('marks what was searched for', () => {
    expect(markHits('Air Damai', 'dam')).toEqual([
      { text: 'Air ', isHit: false },
      { text: 'Dam', isHit: true },
      { text: 'ai', isHit: false },
    ])
    expect(markHits('Air', '')).toEqual([{ text: 'Air', isHit: false }])
  })
})
