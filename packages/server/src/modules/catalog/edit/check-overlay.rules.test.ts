import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RATE_ONE } from '../../../lib/rates.ts'
import {
  bases,
  levels,
  moneyProduct,
  overlayProduct,
  overlays,
  RINGGIT,
  sampleBase,
  sampleOverlay,
} from '../../../testing/catalog/catalog-samples.ts'
import type { Overlay, OverlayCategory, OverlayGroup, OverlayOption, OverlayProduct } from '../model/types.ts'
import { checkBase, checkLevel } from './check.rules.ts'
import { checkOverlay } from './check-overlay.rules.ts'

const base = sampleBase()

function problemPaths(change: Partial<Overlay>, of = base) {
  return checkOverlay(of, sampleOverlay(change)).map(
    ({ resource, id, field }) => `${resource} ${id} ${field}`,
  )
}

const group = (change: Partial<OverlayGroup>): OverlayGroup => ({
  code: 'OWN',
  isOwn: true,
  name: 'Mine',
  iconUrl: null,
  displayOrder: null,
  ...change,
})
const category = (change: Partial<OverlayCategory>): OverlayCategory => ({
  ...group({ code: 'MINE' }),
  groupCode: 'OWN',
  ...change,
})
const option = (change: Partial<OverlayOption>): OverlayOption => ({
  productCode: 'NOVA',
  fieldId: 'amount',
  code: 'N10',
  isEnabled: true,
  rrp: null,
  ...change,
})

it('a sound overlay has no problems', () => {
  expect(
    problemPaths({
      groups: [group({}), group({ code: 'MOBILE', isOwn: false, name: null })],
      categories: [category({}), category({ code: 'PREPAID', isOwn: false, name: 'Reloads' })],
      products: [overlayProduct({ categoryCode: 'MINE', displayName: 'Mine', minAmount: RINGGIT })],
      options: [option({ isEnabled: false, rrp: 11n * RINGGIT })],
    }),
  ).toEqual([])
})

it('only the first of many unknown codes get a hint, so that a long list of them is checked as fast as a sound one', () => {
  const products = Array.from({ length: 2_000 }, (_, index) => overlayProduct({ code: `NOV${index}` }))
  const problems = checkOverlay(base, sampleOverlay({ products }))
  expect(problems.length).toBeGreaterThanOrEqual(1_000)
  expect(problems.filter(({ text }) => text.includes('did you mean')).length).toBeLessThanOrEqual(20)
})

describe('groups and categories', () => {
  it.each<[string, Partial<OverlayGroup>]>([
    ['code', { code: 'A B' }],
    ['code', { isOwn: false }],
    ['code', { code: 'MOBILE' }],
    ['name', { name: null }],
    ['name', { name: '' }],
    ['iconUrl', { iconUrl: 'ftp://img.example/a.png' }],
    ['displayOrder', { displayOrder: -1 }],
  ])('a wrong %s of a group is found: %o', (field, change) =>
    expect(problemPaths({ groups: [group(change)] })).toEqual([`groups ${group(change).code} ${field}`]),
  )

  it.each<[string, Partial<OverlayCategory>]>([
    ['groupCode', { groupCode: null }],
    ['groupCode', { groupCode: 'GONE' }],
    ['code', { isOwn: false }],
    ['code', { code: 'PREPAID' }],
  ])('a wrong %s of a category is found: %o', (field, change) =>
    expect(problemPaths({ groups: [group({})], categories: [category(change)] })).toEqual([
      `categories ${category(change).code} ${field}`,
    ]),
  )

  it('repeated and endless ones are found', () => {
    expect(problemPaths({ groups: [group({}), group({})] })).toEqual(['groups OWN code'])
    const many = Array.from({ length: 201 }, (_, index) => group({ code: `G${index}` }))
    expect(problemPaths({ groups: many })).toEqual(['groups  '])
  })
})

describe('products', () => {
  it.each<[string, Partial<OverlayProduct>]>([
    ['code', { code: 'GONE' }],
    ['categoryCode', { categoryCode: 'GONE' }],
    ['displayName', { displayName: '' }],
    ['imageUrl', { imageUrl: 'http://img.example/a.png' }],
    ['displayOrder', { displayOrder: 0.5 }],
    ['minAmount', { minAmount: 2n * RINGGIT, maxAmount: RINGGIT }],
    ['minAmount', { minAmount: 0n }],
    ['adjustment.value', { adjustment: { type: 'percentage', value: 0n } }],
    ['adjustment.value', { adjustment: { type: 'percentage', value: 10n * RATE_ONE + 1n } }],
    ['adjustment.value', { adjustment: { type: 'fixed', value: 10_001n * RINGGIT } }],
    ['adjustment.value', { adjustment: { type: 'fixed', value: -10_001n * RINGGIT } }],
  ])('a wrong %s is found: %o', (field, change) => {
    const product = overlayProduct(change)
    expect(problemPaths({ products: [product] })).toEqual([`products ${product.code} ${field}`])
  })

  it('limits that would widen those of the base are found', () => {
    const kita = sampleBase({ products: [moneyProduct()], listed: [] })
    const limits = (minAmount: bigint | null, maxAmount: bigint | null) =>
      problemPaths({ products: [overlayProduct({ code: 'KITA', minAmount, maxAmount })] }, kita)
    expect(limits(5n * RINGGIT, 500n * RINGGIT)).toEqual([])
    expect(limits(4n * RINGGIT, 501n * RINGGIT)).toEqual([
      'products KITA minAmount',
      'products KITA maxAmount',
    ])
  })

  it('repeated ones are found', () =>
    expect(problemPaths({ products: [overlayProduct(), overlayProduct()] })).toEqual(['products NOVA code']))
})

describe('options', () => {
  it.each<[string, Partial<OverlayOption>]>([
    ['code', { code: 'GONE' }],
    ['code', { fieldId: 'gone' }],
    ['code', { productCode: 'GONE' }],
    ['rrp', { rrp: 0n }],
  ])('a wrong %s is found: %o', (field, change) => {
    const { productCode, fieldId, code } = option(change)
    expect(problemPaths({ options: [option(change)] })).toEqual([
      `options ${productCode}:${fieldId}:${code} ${field}`,
    ])
  })

  it('repeated ones are found', () =>
    expect(problemPaths({ options: [option({}), option({})] })).toEqual(['options NOVA:amount:N10 code']))
})

it('no catalogue, level or overlay, however wrong, makes a check throw', () => {
  fc.assert(
    fc.property(bases, levels, overlays, (someBase, level, overlay) => {
      expect(Array.isArray(checkBase(someBase))).toBe(true)
      expect(Array.isArray(checkLevel(someBase, level))).toBe(true)
      expect(Array.isArray(checkOverlay(someBase, overlay))).toBe(true)
    }),
    { numRuns: 100 },
  )
})
