import type { Tx } from '../../../db/database.ts'
import type { Infer } from '../../../http/codec.ts'
import { invalidFields, RequestError } from '../../../lib/errors.ts'
import { formatMoney } from '../../../lib/money.ts'
import { maySetLimits } from '../../accounts/members.rules.ts'
import { replaceLevelLimitRows } from '../../accounts/public.sql.ts'
import { notFound } from '../../accounts/rules.ts'
import { getReseller, listUsers } from '../../accounts/service.ts'
import { act } from '../../acts/service.ts'
import type { By } from '../../acts/types.ts'
import { lockCatalog, requireCategories, requireKnownLevel } from '../../catalog/operators.service.ts'
import { holdProof } from '../../sessions/people/acts.service.ts'
import { isSignedIn } from '../../sessions/people/proof.service.ts'
import { LIMIT, LIMITS_INPUT, MEMBER_LIMITS_INPUT, OWN_LIMITS_INPUT } from './codec.ts'
import { asLimit, findLooser, isWider, limitKey, operatorLimits } from './rules.ts'
import { listLevelLimits, listLimits, listMemberLimits } from './service.ts'
import { listResellerLimits, lockLimits, replaceMemberLimits, replaceResellerLimits } from './sql.ts'
import type { Limit, LimitInUse, MemberLimit } from './types.ts'

/** Limits after a change: those that were set, and all that hold for the reseller; none are in force for a level. */
export type LimitsSet = { readonly limits: readonly Limit[]; readonly inForce: readonly LimitInUse[] }

/** Replaces the limits that a reseller sets itself. They may be lower than the operator's, never looser. */
export const setOwnLimits = act({
  name: 'limits.update',
  input: OWN_LIMITS_INPUT,
  async run(tx, { account, limits }, by: By<unknown>) {
    const { id, priceLevel } = await getReseller(tx, account)
    await lockLimits(tx, id)
    const before = await listResellerLimits(tx, id, 'reseller')
    await judgeChange(tx, before, limits, by)
    await requireCategories(tx, categoriesOf(limits))
    const theirs = await listResellerLimits(tx, id, 'operator')
    const looser = findLooser(limits, operatorLimits(theirs, await listLevelLimits(tx, priceLevel)))
    if (looser !== undefined) return { refuse: invalidFields({ limits: [looserText(looser)] }) }
    await replaceResellerLimits(tx, id, 'reseller', limits)
    return done({ kind: 'reseller', id: account }, before, limits, await inForce(tx, id))
  },
})

/** Replaces the limits of a member, by whoever may do all that the member may and more: nobody sets their own. */
export const setMemberLimits = act({
  name: 'member_limits.update',
  input: MEMBER_LIMITS_INPUT,
  async run(tx, { account, id, limits }, by: By<unknown>) {
    const reseller = await getReseller(tx, account)
    await lockLimits(tx, reseller.id)
    const users = await listUsers(tx, reseller.id)
    const member = users.find((user) => user.id === id)
    if (member === undefined) throw notFound('member')
    const setter = by.caller.kind === 'member' ? by.caller.userId : undefined
    const own = users.find((user) => user.id === setter)
    if (setter !== undefined && !maySetLimits(own, member)) return { refuse: mayNotSet() }
    const ofMember = async () =>
      (await listMemberLimits(tx, reseller.id)).filter(({ userId }) => userId === member.id)
    const before = await ofMember()
    await judgeChange(tx, before.map(asLimit), limits.map(asLimit), by)
    await replaceMemberLimits(tx, reseller.id, member.id, limits)
    const result = await ofMember()
    return {
      target: { kind: 'user', id: `${account}/${member.username}` },
      before: before.map(loggedOf),
      after: result.map(loggedOf),
      result: { member, limits: result },
    }
  },
})

function loggedOf({ period, payments, sum }: MemberLimit) {
  return { period, payments, sum: sum === null ? null : formatMoney(sum) }
}

function mayNotSet(): RequestError {
  return new RequestError({
    status: 403,
    code: 'insufficient_role',
    publicText: 'An owner sets the limits of managers, and nobody sets their own.',
  })
}

/** Replaces the limits that the operator sets for a reseller, or for each reseller of a level. */
export const setLimits = act({
  name: ({ level }: Infer<typeof LIMITS_INPUT>) => (level === undefined ? 'limits.set' : 'level_limits.set'),
  input: LIMITS_INPUT,
  async run(tx, { account, level, limits }, by: By<unknown>) {
    if (level !== undefined) return setForLevel(tx, level, limits, by)
    if (account === undefined) throw invalidFields({ account: ['is needed, or a level'] })
    const { id, priceLevel } = await getReseller(tx, account)
    await lockLimits(tx, id)
    const before = await listResellerLimits(tx, id, 'operator')
    const ofLevel = await listLevelLimits(tx, priceLevel)
    await judgeChange(tx, operatorLimits(before, ofLevel), operatorLimits(limits, ofLevel), by)
    await requireCategories(tx, categoriesOf(limits))
    await replaceResellerLimits(tx, id, 'operator', limits)
    return done({ kind: 'reseller', id: account }, before, limits, await inForce(tx, id))
  },
})

async function setForLevel(tx: Tx, level: string, limits: readonly Limit[], by: By<unknown>) {
  await lockCatalog(tx)
  await requireKnownLevel(tx, level)
  const before = await listLevelLimits(tx, level)
  await judgeChange(tx, before, limits, by)
  await requireCategories(tx, categoriesOf(limits))
  const rows = limits.map(({ scope, period, category, payments, sum }) => ({
    ...{ scope, period, category: category ?? '' },
    ...{ payments: payments === null ? null : BigInt(payments), face_value: sum },
  }))
  await replaceLevelLimitRows(tx, level, rows)
  return done({ kind: 'price_level', id: level }, before, limits, [])
}

/** Begins to count what the limits need in their own commit: no batch of payments waits for that. */
async function inForce(tx: Tx, resellerId: bigint): Promise<LimitInUse[]> {
  return listLimits(tx, resellerId)
}

/** A change that lets somebody spend more needs a fresh proof of who asks; one that narrows does not. */
async function judgeChange(
  tx: Tx,
  before: readonly Limit[],
  after: readonly Limit[],
  { caller }: By<unknown>,
): Promise<void> {
  if (isWider(before, after) && isSignedIn(caller)) await holdProof(tx, caller)
}

function categoriesOf(limits: readonly Limit[]): string[] {
  return limits.flatMap(({ category }) => (category === null ? [] : [category]))
}

function done(
  target: { kind: string; id: string },
  before: readonly Limit[],
  limits: readonly Limit[],
  inForce: readonly LimitInUse[],
) {
  const result: LimitsSet = { limits: [...limits].sort(byKey), inForce }
  return {
    target,
    before: before.map((each) => LIMIT.encode(each)),
    after: result.limits.map((each) => LIMIT.encode(each)),
    result,
  }
}

function byKey(one: Limit, other: Limit): number {
  return limitKey(one) < limitKey(other) ? -1 : 1
}

function looserText({ scope, period, category, payments, sum }: Limit): string {
  const most = [
    ...(payments === null ? [] : [`${payments} payments`]),
    ...(sum === null ? [] : [formatMoney(sum)]),
  ].join(' and ')
  const where = category === null ? '' : ` of ${category}`
  return `the operator's limit for each ${period} and ${scope}${where} is ${most}: yours may be lower, not higher`
}
