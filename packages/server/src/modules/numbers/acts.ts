import { act } from '../acts/service.ts'
import { PLANS_INPUT } from './plans.codec.ts'
import { plansOf } from './plans.rules.ts'
import { listPlans } from './plans.service.ts'
import { lockPlans, putPlanRow } from './plans.sql.ts'
import type { PlanInForce } from './types.ts'

/** Puts plans of countries; those that are not named stay. */
export const setNumberPlans = act({
  name: 'number_plan.set',
  input: PLANS_INPUT,
  lock: lockPlans,
  async run(tx, { plans }) {
    const given = plansOf(plans)
    const isNamed = ({ plan }: PlanInForce) => given.some(({ country }) => country === plan.country)
    const before = (await listPlans(tx)).filter(isNamed)
    for (const plan of given) await putPlanRow(tx, plan.country, plan.ranges.length === 0 ? null : plan)
    const result = await listPlans(tx)
    const target = { kind: 'number_plan', id: given.map(({ country }) => country).join(' ') }
    return { target, before: before.map(outlineOf), after: result.filter(isNamed).map(outlineOf), result }
  },
})

/** Outline of a plan for the audit log: the whole may have thousands of ranges. */
function outlineOf({ plan, isOwn }: PlanInForce) {
  const { country, source, asOf, operators, ranges } = plan
  return { country, source, as_of: asOf, is_own: isOwn, operators: operators.length, ranges: ranges.length }
}
