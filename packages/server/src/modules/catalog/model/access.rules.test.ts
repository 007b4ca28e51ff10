import { expect, it } from 'vitest'
import { coversProduct } from './access.rules.ts'

const BASE = {
  categories: [
    { code: 'RELOAD', groupCode: 'MOBILE', name: '', iconUrl: '', displayOrder: 0, isActive: true },
    { code: 'WATER', groupCode: 'BILLS', name: '', iconUrl: '', displayOrder: 0, isActive: true },
  ],
}

it.each([
  [['NOVA'], true],
  [['RELOAD'], true],
  [['MOBILE'], true],
  [['KITA', 'WATER', 'BILLS'], false],
  [[''], false],
])('the codes %j name a product of their own, of their categories and groups: %s', (codes, isCovered) => {
  expect(coversProduct(new Set(codes), 'NOVA', { categoryCode: 'RELOAD' }, BASE)).toBe(isCovered)
})

it('a product that does not exist is named by its own code alone', () => {
  expect(coversProduct(new Set(['NOPE']), 'NOPE', undefined, BASE)).toBe(true)
  expect(coversProduct(new Set(['MOBILE', '']), 'NOPE', undefined, BASE)).toBe(false)
})
