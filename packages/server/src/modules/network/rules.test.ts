import { expect, it } from 'vitest'
import { parseQuery } from '../../lib/input/forms.ts'
import type { NoticePeriod } from './notices.rules.ts'
import { nextState, readNetworkParameters } from './rules.ts'
import type { NetworkState } from './types.ts'

const NO_NOTICE: NoticePeriod = { isOn: false, sinceMs: null }

/** Maps each [time, state by the notices, fulfilled or not] to [interrupted, since]. */
function follow(
  ...steps: readonly (readonly [nowMs: number, byNotices: NoticePeriod, isFulfilled: boolean])[]
) {
  let state: NetworkState | undefined
  return steps.map(([nowMs, byNotices, isFulfilled]) => {
    state = nextState(state, byNotices, isFulfilled, nowMs)
    return [state.isInterrupted, state.sinceMs]
  })
}

it('a state that stays is the same one, since the same time', () => {
  const first = nextState(undefined, NO_NOTICE, true, 10)
  expect(first).toEqual({ isInterrupted: false, isNoticed: false, sinceMs: 10 })
  expect(nextState(first, NO_NOTICE, true, 99)).toBe(first)
})

it('a measurement changes the state when it is seen', () => {
  expect(
    follow([10, NO_NOTICE, true], [20, NO_NOTICE, false], [30, NO_NOTICE, false], [40, NO_NOTICE, true]),
  ).toEqual([
    [false, 10],
    [true, 20],
    [true, 20],
    [false, 40],
  ])
})

it('a notice changes it when the notice says, on whichever node and however late it is heard', () => {
  const on = { isOn: true, sinceMs: 15 }
  const over = { isOn: false, sinceMs: 35 }
  expect(follow([10, NO_NOTICE, true], [20, on, true], [40, over, true])).toEqual([
    [false, 10],
    [true, 15],
    [false, 35],
  ])
  expect(follow([40, over, true])).toEqual([[false, 35]])
  expect(follow([20, on, true])).toEqual([[true, 15]])
})

it('an interruption of both kinds is one: it begins with the first and ends with the last', () => {
  const on = { isOn: true, sinceMs: 25 }
  const over = { isOn: false, sinceMs: 35 }
  const steps = [
    [10, NO_NOTICE, true],
    [20, NO_NOTICE, false],
    [30, on, false],
    [40, over, false],
    [50, over, true],
  ] as const
  expect(follow(...steps)).toEqual([
    [false, 10],
    [true, 20],
    [true, 20],
    [true, 20],
    [false, 50],
  ])
  expect(
    follow([10, NO_NOTICE, true], [30, on, true], [32, on, false], [40, over, false], [50, over, true]),
  ).toEqual([
    [false, 10],
    [true, 25],
    [true, 25],
    [true, 25],
    [false, 50],
  ])
  expect(follow([10, NO_NOTICE, true], [30, on, false], [32, on, true], [40, over, true])).toEqual([
    [false, 10],
    [true, 25],
    [true, 25],
    [false, 35],
  ])
})

it.each(['', 'x=1', 'product=', 'product=A&product=B', `product=${'x'.repeat(201)}`])(
  '%j names no product',
  (query) => {
    expect(() => readNetworkParameters(parseQuery(query))).toThrow(
      expect.objectContaining({ status: 400, fields: { product: [expect.any(String)] } }),
    )
  },
)
