import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { AloneLimits } from '../kit/types.ts'
import { mayDecideAlone } from './alone.rules.ts'

const HOUR = 1
const DAY = 24 * HOUR
const WEEK = 7 * DAY

type Act = {
  readonly operator: number
  readonly reseller: number
  readonly cost: bigint
  readonly at: number
}

const acts = fc.array(
  fc.record({
    operator: fc.integer({ min: 0, max: 2 }),
    reseller: fc.integer({ min: 0, max: 2 }),
    cost: fc.bigInt({ min: 1n, max: 120n }),
    at: fc.integer({ min: 0, max: 20 * DAY }),
  }),
  { maxLength: 80 },
)

const limits: AloneLimits = { each: 100n, day: 300n, week: 700n }

function sum(done: readonly Act[], at: number, hours: number, isOwn: (act: Act) => boolean): bigint {
  return done
    .filter((act) => isOwn(act) && act.at > at - hours && act.at <= at)
    .reduce((total, { cost }) => total + cost, 0n)
}

it('decisions of one operator and about one reseller never pass a limit in any 24 hours or 7 days, and none that fits is refused', () => {
  fc.assert(
    fc.property(acts, (asked) => {
      const done: Act[] = []
      for (const act of asked.toSorted((a, b) => a.at - b.at)) {
        const of = (hours: number, isOwn: (other: Act) => boolean) => sum(done, act.at, hours, isOwn)
        const isSameOperator = ({ operator }: Act) => operator === act.operator
        const isSameReseller = ({ reseller }: Act) => reseller === act.reseller
        const sums = {
          operatorDay: of(DAY, isSameOperator),
          operatorWeek: of(WEEK, isSameOperator),
          resellerDay: of(DAY, isSameReseller),
          resellerWeek: of(WEEK, isSameReseller),
        }
        const may = mayDecideAlone(act.cost, limits, sums)
        const isNear =
          act.cost > limits.each ||
          [sums.operatorDay, sums.resellerDay].some((each) => each + act.cost > limits.day) ||
          [sums.operatorWeek, sums.resellerWeek].some((each) => each + act.cost > limits.week)
        expect(may).toBe(!isNear)
        if (may) done.push(act)
      }
      for (const { at } of done) {
        for (const key of ['operator', 'reseller'] as const) {
          for (const id of [0, 1, 2]) {
            const isOwn = (act: Act) => act[key] === id
            expect(sum(done, at, DAY, isOwn) <= limits.day).toBe(true)
            expect(sum(done, at, WEEK, isOwn) <= limits.week).toBe(true)
          }
        }
      }
    }),
  )
})
