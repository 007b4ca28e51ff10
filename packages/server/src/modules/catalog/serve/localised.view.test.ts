import { expect, it } from 'vitest'
import { demoCatalog } from '../../../demo/catalog/catalog.ts'
import { CATALOG_LANGUAGES, sayIn } from '../texts/rules.ts'
import { localisedCatalog, localisedItem } from './localised.view.ts'
import type { CatalogWire } from './schemas.ts'

type Given = Parameters<typeof localisedCatalog>
type Place = Given[2]

const place = (say: Place['say']): Place => ({
  base: { groups: [{ code: 'G', name: 'Mobile' }], categories: [{ code: 'C', name: 'Bills' }] } as never,
  say,
})

const SNAPSHOT = { products: new Map([['P', { product: { name: 'Games' } }]]) } as unknown as Given[1]

function wire(names: { group: string; category: string; product: string }): CatalogWire {
  const group = { id: 'G', name: names.group, categories: [{ id: 'C', name: names.category }] }
  const fields = [{ label: 'Plan', placeholder: '', validation: { pattern: '^x$', message: 'Own words' } }]
  const products = { P: { name: names.product, note: null, fields } }
  return { tree: { groups: [group] }, products } as unknown as CatalogWire
}

it('a name of the catalogue is translated, and a name that the reseller gave never', () => {
  const say = sayIn('ms')
  const base = localisedCatalog(
    wire({ group: 'Mobile', category: 'Bills', product: 'Games' }),
    SNAPSHOT,
    place(say),
  )
  expect(base.tree).toEqual(wire({ group: 'Telefon bimbit', category: 'Bil', product: '' }).tree)
  expect(base.products.P?.name).toBe('Permainan')
  const renamed = wire({ group: 'Games', category: 'Mobile', product: 'Bills' })
  const shown = localisedCatalog(renamed, SNAPSHOT, place(say))
  expect(shown.tree).toEqual(renamed.tree)
  expect(shown.products.P?.name).toBe('Bills')
  expect(shown.products.P?.fields[0]).toMatchObject({ label: 'Pelan', validation: { message: 'Own words' } })
})

it("the operator's own words win over those that catalogues share, as long as they are not taken back", () => {
  const own = new Map([
    [
      'ms',
      new Map([
        ['Games', 'Main'],
        ['Plan', null],
        ['Own words', 'Kata sendiri'],
      ]),
    ],
  ] as const)
  const say = sayIn('ms', own)
  expect(['Games', 'Plan', 'Own words', 'Bills', 'Nobody knows it'].map(say)).toEqual([
    'Main',
    'Pelan',
    'Kata sendiri',
    'Bil',
    'Nobody knows it',
  ])
  expect(sayIn('zh', own)('Games')).toBe(sayIn('zh')('Games'))
})

it('an option keeps its numbers and its code, and says its label and its references', () => {
  const item = { code: 'Plan', label: 'Plan', ref1_label: 'Bill number', denomination: 5 }
  expect(localisedItem(item, sayIn('zh'))).toEqual({
    code: 'Plan',
    label: '套餐',
    ref1_label: '账单号码',
    denomination: 5,
  })
})

it('every text of the demo, but for names of products and plans, has its words in each language', () => {
  const { products, groups, categories } = demoCatalog()
  const texts = products.flatMap(({ note, fields }) => [
    note ?? '',
    ...fields.flatMap(({ label, placeholder, validation }) => [label, placeholder, validation.message ?? '']),
  ])
  const names = [...groups, ...categories].map(({ name }) => name)
  const worded = [...new Set([...texts, ...names])].filter((text) => /[a-z]{3}/.test(text) && !/@/.test(text))
  expect(worded.length).toBeGreaterThan(60)
  const same = new Set(['Gas', 'eSIM'])
  for (const language of CATALOG_LANGUAGES) {
    const say = sayIn(language)
    expect(
      worded.filter((text) => say(text) === text && !same.has(text)),
      language,
    ).toEqual([])
  }
})
