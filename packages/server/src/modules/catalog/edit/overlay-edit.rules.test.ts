import { expect, it } from 'vitest'
import { overlayProduct, RINGGIT, sampleOverlay } from '../../../testing/catalog/catalog-samples.ts'
import { editedOptions, editedProducts } from './overlay-edit.rules.ts'

const key = (n: number) => ({ productCode: 'NOVA', fieldId: 'amount', code: `N${n}` })

it('fields that an edit leaves out stay as the reseller has them', () => {
  const overlay = sampleOverlay({
    options: [{ ...key(1), isEnabled: false, rrp: 12n * RINGGIT }],
    products: [overlayProduct({ code: 'NOVA', displayName: 'Nova ku', isEnabled: false })],
  })
  const edits = [1, 2].map((n) => ({ key: key(n), edit: { isEnabled: true } }))
  expect(editedOptions(overlay, edits)).toEqual([
    { ...key(1), isEnabled: true, rrp: 12n * RINGGIT },
    { ...key(2), isEnabled: true, rrp: null },
  ])
  expect(editedProducts(overlay, [{ code: 'NOVA', edit: { isEnabled: true } }])).toMatchObject([
    { code: 'NOVA', displayName: 'Nova ku', isEnabled: true },
  ])
})

it('each present option is looked at a few times, however many are edited', () => {
  let looks = 0
  const options = Array.from({ length: 300 }, (_, n) => ({
    ...key(n),
    isEnabled: true,
    rrp: null,
    get productCode() {
      looks += 1
      return 'NOVA'
    },
  }))
  const edits = options.map((_, n) => ({ key: key(n), edit: { isEnabled: false } }))
  expect(editedOptions(sampleOverlay({ options }), edits)).toHaveLength(300)
  expect(looks).toBeLessThanOrEqual(3 * 300)
})
