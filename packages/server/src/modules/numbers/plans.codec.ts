import { Type } from 'typebox'
import { Check } from 'typebox/value'
import type { Infer } from '../../http/codec.ts'
import { input, member, resource } from '../../http/codec.ts'
import { enumOf } from '../../http/schemas.ts'
import type { Rule } from '../../lib/input/fields.ts'
import { NUMBER_KINDS } from '../../lib/numbers/plans.ts'
import type { PlanInForce, PlanWire } from './types.ts'

const text = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, ...(description !== undefined && { description }) })

const OPERATOR_CODE = { pattern: '^[A-Z0-9_]{1,20}$' }
const DIGITS = Type.Integer({ minimum: 4, maximum: 15 })

const OPERATOR = Type.Object({
  code: Type.String(OPERATOR_CODE),
  name: text(60),
  aliases: Type.Array(text(60), { maxItems: 20, description: 'Further names by which suppliers know it' }),
  products: Type.Array(text(50), { maxItems: 200, description: 'Codes of the products for its numbers' }),
})

const RANGE = Type.Object({
  prefix: Type.String({
    pattern: '^[0-9]{1,10}$',
    description: 'First digits within the country, without the trunk digit; the longest prefix decides',
  }),
  kind: enumOf(NUMBER_KINDS),
  digits_min: { ...DIGITS, description: 'Digits of the whole number within the country' },
  digits_max: { ...DIGITS, description: 'At most so many' },
  operator: Type.Union([Type.String(OPERATOR_CODE), Type.Null()], {
    description: 'Code of the operator that got the numbers; null: not known',
  }),
})

const PLAN_MEMBERS = {
  country: Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166' }),
  trunk: Type.String({
    pattern: '^[0-9]?$',
    description: 'Digit that is dialled first within the country; empty: none',
  }),
  source: text(300, 'Source of the plan'),
  as_of: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'Day on which it was true' }),
  operators: Type.Array(OPERATOR, { maxItems: 200, description: 'Operators that the ranges name' }),
  ranges: Type.Array(RANGE, {
    maxItems: 5_000,
    description: 'Empty: the country has the plan again that the service knows by itself',
  }),
}
const PLAN = Type.Object(PLAN_MEMBERS, { title: 'Number plan' })

const COUNTRIES_MAX = 50
const PLANS = Type.Array(PLAN, {
  minItems: 1,
  maxItems: COUNTRIES_MAX,
  description: 'One for each country that gets another',
})

const PLANS_RULE: Rule<readonly PlanWire[]> = {
  message: `must be a list of up to ${COUNTRIES_MAX} plans, each of the documented form`,
  schema: { type: 'array' },
  read: (value) => (Check(PLANS, value) ? value : undefined),
}

export const PLANS_INPUT = input({ plans: member(PLANS_RULE, { schema: PLANS }) })
export type PlansInput = Infer<typeof PLANS_INPUT>

export const PLAN_VIEW = resource<PlanInForce>()('Number plan in force', {
  country: [PLAN_MEMBERS.country, ({ plan }) => plan.country],
  trunk: [PLAN_MEMBERS.trunk, ({ plan }) => plan.trunk],
  source: [PLAN_MEMBERS.source, ({ plan }) => plan.source],
  as_of: [PLAN_MEMBERS.as_of, ({ plan }) => plan.asOf],
  operators: [
    PLAN_MEMBERS.operators,
    ({ plan }) =>
      plan.operators.map(({ code, name, aliases = [], products }) => ({
        code,
        name,
        aliases: [...aliases],
        products: [...products],
      })),
  ],
  ranges: [
    PLAN_MEMBERS.ranges,
    ({ plan }) =>
      plan.ranges.map(({ prefix, kind, digitsMin, digitsMax, operator }) => ({
        prefix,
        kind,
        digits_min: digitsMin,
        digits_max: digitsMax,
        operator,
      })),
  ],
  is_own: [
    Type.Boolean({ description: 'false: it is the plan that the service knows by itself' }),
    ({ isOwn }) => isOwn,
  ],
})
