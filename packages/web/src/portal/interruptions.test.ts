import { expect, it } from 'vitest'
import type { NetworkStatus, OverviewResponse } from '../api/portal.generated.ts'
import { isOverviewOld, isStatusOld } from './interruptions.ts'

const KITA = { product: 'KITA', name: 'Kita', since: '2026-11-16T08:00:00.000Z' }
const NOVA = { ...KITA, product: 'NOVA' }

it('an overview is old when other products are interrupted, or one since another time', () => {
  const overview = { data: { interruptions: [KITA] } } as unknown as OverviewResponse
  const isOld = (...interruptions: (typeof KITA)[]) => isOverviewOld(overview, { interruptions })
  expect(isOld(KITA)).toBe(false)
  expect([isOld(), isOld(NOVA), isOld(KITA, NOVA)]).toEqual([true, true, true])
  expect(isOld({ ...KITA, since: '2026-11-16T09:00:00.000Z' })).toBe(true)
})

it.each([
  ['Healthy', [NOVA], false],
  ['Healthy', [KITA], true],
  ['Interruption', [NOVA], true],
  ['Interruption', [KITA, NOVA], false],
] as const)('a product that is %s is read again only when it has changed', (status, told, expected) => {
  const known = { data: { product_code: 'KITA', network_status: status } } as NetworkStatus
  expect(isStatusOld(known, { interruptions: [...told] })).toBe(expected)
})
