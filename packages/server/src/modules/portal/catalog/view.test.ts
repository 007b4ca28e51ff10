import { expect, it } from 'vitest'
import {
  PERCENTAGE,
  RINGGIT,
  sampleBase,
  sampleLevel,
  sampleOption,
} from '../../../testing/catalog/catalog-samples.ts'
import type { PricedLine } from '../../catalog/edit/overlay-preview.service.ts'
import { compileLevel, compileSnapshot } from '../../catalog/model/compile.rules.ts'
import { NO_OWN_VIEW } from '../../catalog/model/state.rules.ts'
import { marginOf, productDetailsView } from './view.ts'

function line(margin: bigint, isActive: boolean): PricedLine {
  const money = { denomination: 10n, cost: 10n, price: 10n + margin, rrp: 10n, hasLossRisk: margin < 0n }
  return { optionCode: 'A', label: 'A', ...money, margin, isActive }
}

it("a product's margin is that of what can be bought, and of one that is off, of what could be", () => {
  expect(marginOf([line(-5n, false), line(1n, true), line(3n, true), line(9n, false)])).toEqual({
    min: 1n,
    max: 3n,
  })
  expect(marginOf([line(-5n, false), line(9n, false)])).toEqual({ min: -5n, max: 9n })
  expect(marginOf([])).toBeNull()
})

it('a margin is that of all denominations, also where only the first 500 are shown', () => {
  const listed = Array.from({ length: 501 }, (_, index) =>
    sampleOption({
      code: `N${index}`,
      denomination: (index < 500 ? 10n : 200n) * RINGGIT,
      displayOrder: index,
    }),
  )
  const level = sampleLevel({ NOVA: PERCENTAGE })
  const compiled = compileLevel(sampleBase({ listed }), level, { base: '1', level: '1' })
  const snapshot = compileSnapshot(compiled, { levelCode: level.code, ...NO_OWN_VIEW })
  const nova = snapshot.products.get('NOVA')
  if (nova === undefined) throw new Error('the sample catalogue has NOVA')
  const { lines, margin } = productDetailsView(nova, undefined)
  expect(lines).toHaveLength(500)
  expect(Number(margin?.max)).toBe(20 * Number(margin?.min))
})
