import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { input, member, optionalMember, resource } from '../../../http/codec.ts'
import { enumOf, Instant, orNull } from '../../../http/schemas.ts'
import { PRICE_LEVEL } from '../../../lib/input/codes.ts'
import type { Rule } from '../../../lib/input/fields.ts'
import { ID } from '../../../lib/input/ids.ts'
import { AMOUNT_MAX, formatMoney, MONEY_PATTERN, parseMoney } from '../../../lib/money.ts'
import { OF_RESELLER } from '../../accounts/resellers.codec.ts'
import { limitKey } from './rules.ts'
import type { Limit, LimitInUse, MemberLimit, MemberLimitInUse } from './types.ts'
import { LIMIT_PERIODS, LIMIT_SCOPES, LIMIT_SETTERS } from './types.ts'

const ENTRIES_MAX = 200
const PAYMENTS_MAX = 1_000_000_000

const SCOPE = enumOf(LIMIT_SCOPES, 'account: for each account that is paid for')
const PERIOD = enumOf(LIMIT_PERIODS, 'Days and months are of GMT+8')
const CATEGORY = orNull(
  Type.String({ minLength: 1, maxLength: 50 }),
  'Category of the base catalogue; null: all together',
)
const PAYMENTS = orNull(
  Type.Integer({ minimum: 0, maximum: PAYMENTS_MAX }),
  'Number of payments; 0 lets nothing pass, null any number',
)
const SUM = orNull(
  Type.String({ pattern: MONEY_PATTERN }),
  'Sum of face values in ringgit; 0 lets nothing pass, null any sum',
)

const ENTRY = Type.Object(
  {
    scope: SCOPE,
    period: PERIOD,
    category: Type.Optional(CATEGORY),
    payments: Type.Optional(PAYMENTS),
    sum: Type.Optional(SUM),
  },
  // A misspelt member must not make a limit that is wider than it looks.
  { title: 'New limit', additionalProperties: false },
)
const ENTRIES = Type.Array(ENTRY, {
  maxItems: ENTRIES_MAX,
  description: 'The whole list: what is not in it ends',
})

const LIMITS: Rule<readonly Limit[]> = {
  message: `must be a list of up to ${ENTRIES_MAX} limits of the documented form, each once and with payments or sum`,
  schema: { type: 'array' },
  read: (value) => (Check(ENTRIES, value) ? readLimits(value) : undefined),
}

function readLimits(entries: readonly EntryWire[]): readonly Limit[] | undefined {
  const limits: Limit[] = []
  for (const { scope, period, category = null, payments = null, sum = null } of entries) {
    const amount = sum === null ? null : parseMoney(sum)
    if (amount === undefined || (amount === null && payments === null)) return undefined
    if (amount !== null && amount > AMOUNT_MAX) return undefined
    limits.push({ scope, period, category, payments, sum: amount })
  }
  return new Set(limits.map(limitKey)).size === limits.length ? limits : undefined
}

type EntryWire = Pick<Limit, 'scope' | 'period'> & {
  readonly category?: string | null
  readonly payments?: number | null
  readonly sum?: string | null
}

const LIMITS_MEMBER = member(LIMITS, { schema: ENTRIES })

/** Limits that a reseller sets itself. */
export const OWN_LIMITS_INPUT = input({ account: OF_RESELLER, limits: LIMITS_MEMBER })

const MEMBER_ENTRY = Type.Object(
  { period: PERIOD, payments: Type.Optional(PAYMENTS), sum: Type.Optional(SUM) },
  { title: 'New limit of a member', additionalProperties: false },
)
const MEMBER_ENTRIES = Type.Array(MEMBER_ENTRY, {
  maxItems: LIMIT_PERIODS.length,
  description: 'The whole list: what is not in it ends',
})

const MEMBER_LIMITS: Rule<readonly MemberLimit[]> = {
  message: 'must be a list of limits of the documented form, one for each period and with payments or sum',
  schema: { type: 'array' },
  read(value) {
    if (!Check(MEMBER_ENTRIES, value)) return undefined
    return readLimits(value.map((each) => ({ ...each, scope: 'reseller' })))?.map(
      ({ period, payments, sum }) => ({ period, payments, sum }),
    )
  },
}

export const MEMBER_LIMITS_INPUT = input({
  account: OF_RESELLER,
  id: member(ID, { identifies: 'member' }),
  limits: member(MEMBER_LIMITS, { schema: MEMBER_ENTRIES }),
})

export const MEMBER_LIMIT = resource<MemberLimitInUse>()('Limit of a member', {
  period: [PERIOD, ({ period }) => period],
  payments: [PAYMENTS, ({ payments }) => payments],
  sum: [SUM, ({ sum }) => moneyOf(sum)],
  used_payments: [
    orNull(Type.Integer(), 'Payments that count now; null: they are being counted'),
    ({ used }) => used?.payments ?? null,
  ],
  used_sum: [
    orNull(Type.String(), 'Sum of their face values; null as used_payments'),
    ({ used }) => moneyOf(used?.sum ?? null),
  ],
  resets_at: [Instant, ({ resetsAt }) => resetsAt.toISOString()],
})

/** Limits of the operator, for a reseller or a level. */
export const LIMITS_INPUT = input({
  account: { ...OF_RESELLER, isOptional: true, rule: OF_RESELLER.rule as Rule<string | undefined> },
  level: optionalMember(PRICE_LEVEL, {
    identifies: 'price level',
    description: 'Code of the price level',
    option: { value: 'CODE', help: 'name of a price list, for each of its resellers' },
  }),
  limits: LIMITS_MEMBER,
})

export const LIMIT = resource<Limit>()('Limit', {
  scope: [SCOPE, ({ scope }) => scope],
  period: [PERIOD, ({ period }) => period],
  category: [CATEGORY, ({ category }) => category],
  payments: [PAYMENTS, ({ payments }) => payments],
  sum: [SUM, ({ sum }) => moneyOf(sum)],
})

function moneyOf(sum: bigint | null): string | null {
  return sum === null ? null : formatMoney(sum)
}

export const LIMIT_IN_USE = resource<LimitInUse>()('Limit in force', {
  scope: [SCOPE, ({ scope }) => scope],
  period: [PERIOD, ({ period }) => period],
  category: [CATEGORY, ({ category }) => category],
  payments: [PAYMENTS, ({ payments }) => payments],
  sum: [SUM, ({ sum }) => moneyOf(sum)],
  used_payments: [
    orNull(Type.Integer(), 'Payments that count now; null: ask with an account, or they are being counted'),
    ({ used }) => used?.payments ?? null,
  ],
  used_sum: [
    orNull(Type.String(), 'Sum of their face values; null as used_payments'),
    ({ used }) => moneyOf(used?.sum ?? null),
  ],
  resets_at: [Instant, ({ resetsAt }) => resetsAt.toISOString()],
  set_by: [enumOf(LIMIT_SETTERS, 'reseller: by the account itself'), ({ setBy }) => setBy],
})

/** Limits that one side set, and all that hold. */
export const LIMITS_VIEW = resource<{ limits: readonly Limit[]; inForce: readonly LimitInUse[] }>()(
  'Limits of an account',
  {
    limits: [
      Type.Array(LIMIT.schema, { description: 'Limits that can be set here' }),
      ({ limits }) => limits.map((each) => LIMIT.encode(each)),
    ],
    in_force: [
      Type.Array(LIMIT_IN_USE.schema, { description: 'All that hold, whoever set them' }),
      ({ inForce }) => inForce.map((each) => LIMIT_IN_USE.encode(each)),
    ],
  },
)
