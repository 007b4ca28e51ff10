import { expect, it } from 'vitest'
import { createScriptedProvider, SUCCEEDED, UNKNOWN } from '../../../testing/providers/scripted-provider.ts'
import type { Obstacle, RouteNote } from './routing.types.ts'
import { routeText } from './routing.view.ts'

const C = createScriptedProvider(SUCCEEDED, UNKNOWN, { code: 'c' })
const passed = (provider: string, obstacle: Obstacle) => ({ provider, obstacle })
const chosen = (note: RouteNote | null) => routeText({ kind: 'chosen', provider: C, note })

it('the first choice, and a product without routes, leave no sentence', () => {
  expect(chosen(null)).toBeNull()
  expect(routeText({ kind: 'none' })).toBeNull()
  expect(routeText({ kind: 'closed', passedOver: [] })).toBeNull()
})

it('the sentence about a choice names it, everybody who was passed over, and the way it was picked', () => {
  const passedOver = [passed('a', 'interrupted'), passed('b', 'tried')]
  expect(chosen({ passedOver, pick: null })).toBe('c: a is interrupted; b was tried')
  expect(chosen({ passedOver: [], pick: { by: 'weight', among: ['a', 'c'] } })).toBe(
    'c: drawn by weight of a, c',
  )
  expect(chosen({ passedOver: [passed('b', 'tried')], pick: { by: 'cost', among: ['a', 'c'] } })).toBe(
    'c: b was tried; the cheapest of a, c',
  )
})

it('the sentence about a closed product has a reason for each provider', () => {
  const passedOver = [passed('a', 'closed_now'), passed('shelf', 'stock_not_reserved')]
  expect(routeText({ kind: 'closed', passedOver })).toBe(
    'a is closed at this hour; shelf sells from stock that had to be reserved',
  )
})
