import { expect, it } from 'vitest'
import { DEMO_PLAN } from '../../demo/numbers.ts'
import { RequestError } from '../../lib/errors.ts'
import { KNOWN_PLANS } from '../../lib/numbers/known-plans.ts'
import { PLAN_VIEW, PLANS_INPUT } from './plans.codec.ts'
import { plansOf } from './plans.rules.ts'
import type { PlanWire } from './types.ts'

const wireOf = (plan: (typeof KNOWN_PLANS)[number]): PlanWire => {
  const { is_own: _, ...wire } = PLAN_VIEW.encode({ plan, isOwn: true })
  return wire
}

function problemsOf(changes: Partial<PlanWire>): string[] {
  try {
    plansOf([{ ...wireOf(DEMO_PLAN), ...changes }])
    return []
  } catch (error) {
    return error instanceof RequestError ? Object.keys(error.fields ?? {}) : [String(error)]
  }
}

it('a plan that was exported is the same when it is imported', () => {
  for (const plan of [...KNOWN_PLANS, DEMO_PLAN]) {
    const { plans } = PLANS_INPUT.read({ plans: [wireOf(plan)] })
    const operators = plan.operators.map((each) => ({ aliases: [], ...each }))
    expect(plansOf(plans)).toEqual([{ ...plan, operators }])
  }
})

it('a plan is refused with every part that contradicts another', () => {
  const range = { prefix: '12', kind: 'mobile', digits_min: 9, digits_max: 9, operator: 'NOVA' } as const
  expect(problemsOf({})).toEqual([])
  expect(problemsOf({ country: 'XX' })).toEqual(['plans.0.country'])
  expect(problemsOf({ ranges: [range, { ...range, digits_max: 10 }] })).toEqual(['plans.0.ranges.1.prefix'])
  expect(problemsOf({ ranges: [{ ...range, operator: 'NOBODY' }] })).toEqual(['plans.0.ranges.0.operator'])
  expect(problemsOf({ ranges: [{ ...range, digits_min: 10 }] })).toEqual(['plans.0.ranges.0.digits_max'])
  expect(() => PLANS_INPUT.read({ plans: [{ country: 'MY' }] })).toThrow()
})
