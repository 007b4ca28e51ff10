import type { Database, Queryable } from '../../../db/database.ts'
import type { Amount } from '../../../lib/money.ts'
import { formatMoney } from '../../../lib/money.ts'
import type { LivePlans } from '../../../lib/numbers/plans.ts'
import { listLevelLimitRows } from '../../accounts/public.sql.ts'
import type { KeyCaps } from '../../accounts/types.ts'
import { customersOf } from '../../catalog/model/accounts.rules.ts'
import { REJECTIONS } from '../core/rejections.rules.ts'
import type { Decision, Judgement, Rejection } from '../core/types.ts'
import { limitRejection, reachedOf } from './rules.ts'
import {
  beginKeyTally,
  beginLimitTallies,
  countBack,
  endIdle,
  findReached,
  forgetCounts,
  listDrifted,
  listIdle,
  listLimitsInForce,
  listMemberLimitRows,
  listResellerLimits,
  listSpent,
  listUnfinished,
} from './sql.ts'
import type { Limit, LimitInUse, LimitSetter, MemberLimitInUse } from './types.ts'

/** Cost that the keys of a purpose have paid in the day and the month of GMT+8, and when these end; null: not counted yet. */
export type Spent = {
  readonly today: Amount | null
  readonly month: Amount | null
  readonly dayEndsAt: Date
  readonly monthEndsAt: Date
}

/** Reads what capped keys have paid. Their payments are counted from then on: ask for no others. */
export async function spentByPurpose(
  database: Database,
  resellerId: bigint,
  purposeIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, Spent>> {
  if (purposeIds.length === 0) return new Map()
  await beginKeyTally(database, resellerId)
  const rows = await listSpent(database, resellerId, purposeIds)
  return new Map(
    rows.map(({ purpose_id: id, today, month, day_ends: dayEndsAt, month_ends: monthEndsAt }) => [
      id,
      { today, month, dayEndsAt, monthEndsAt },
    ]),
  )
}

/**
 * Lists the limits that hold for a reseller now. `accounts`: the readings of an account whose use is asked about.
 * Counting begins here, too: a level's limits hold for resellers that have not paid since.
 */
export async function listLimits(
  database: Queryable,
  resellerId: bigint,
  accounts: readonly string[] | null = null,
): Promise<LimitInUse[]> {
  await beginLimitTallies(database, resellerId)
  return listLimitsInForce(database, resellerId, accounts)
}

/** Lists the limits of a reseller's members with what is used of them. Counting begins here, as for other limits. */
export async function listMemberLimits(database: Queryable, resellerId: bigint): Promise<MemberLimitInUse[]> {
  await beginLimitTallies(database, resellerId)
  return listMemberLimitRows(database, resellerId)
}

export async function listLevelLimits(database: Queryable, levelCode: string): Promise<Limit[]> {
  const rows = await listLevelLimitRows(database, levelCode)
  return rows.map(({ scope, period, category, payments, face_value: sum }) => ({
    scope: scope as Limit['scope'],
    period: period as Limit['period'],
    category: category === '' ? null : category,
    payments: payments === null ? null : Number(payments),
    sum,
  }))
}

/** Reads the limits that one side set, and all that hold. */
export async function readLimits(database: Queryable, resellerId: bigint, setBy: LimitSetter) {
  const limits = await listResellerLimits(database, resellerId, setBy)
  return { limits, inForce: await listLimits(database, resellerId) }
}

/** Limits of callers of the reseller API. */
export type LimitReader = {
  /** `account`: written in any way; null: what each account uses is not asked about. */
  list(resellerId: bigint, account: string | null): Promise<LimitInUse[]>
}

export function createLimitReader({
  database,
  numbers,
}: {
  readonly database: Database
  readonly numbers?: LivePlans | undefined
}): LimitReader {
  return {
    list: (resellerId, account) =>
      listLimits(database, resellerId, account === null ? null : customersOf(account, numbers?.current)),
  }
}

const DRIFTED_MAX = 100

/** Lists what is counted otherwise than its payments say, for a proof of the ledger; null: for any reseller. */
export async function listDriftedCounts(connection: Queryable, resellerId: bigint | null) {
  const rows = await listDrifted(connection, resellerId, DRIFTED_MAX)
  return rows.map((row) => {
    const where = [row.kind, row.subject, row.day, row.category].filter((part) => part !== '').join(' ')
    const textOf = (payments: bigint, faceValue: Amount, cost: Amount) =>
      `${payments} payments of ${formatMoney(faceValue)} for ${formatMoney(cost)}`
    return {
      resellerId: row.reseller_id,
      expected: `${where}: ${textOf(row.expected_payments, row.expected_face_value, row.expected_cost)}`,
      found: textOf(row.payments, row.face_value, row.cost),
    }
  })
}

const STEP_MAX = 5_000
const TALLIES_MAX = 100

/** Counts the payments of the month of resellers that have got a limit or a cap, each step in a commit of its own. */
export async function countMonths(
  database: Queryable,
  isStopped: () => boolean,
  most = STEP_MAX,
): Promise<void> {
  for (const tally of await listUnfinished(database, TALLIES_MAX)) {
    while (!isStopped() && (await countBack(database, tally, most))) {
      // Payments of the reseller are taken between two steps.
    }
  }
}

/** Ends the counting that no limit and no cap asks for any more. */
export async function endIdleCounts(database: Queryable): Promise<void> {
  for (const resellerId of await listIdle(database, TALLIES_MAX)) await endIdle(database, resellerId)
}

/** Forgets what ended counts left, and months that no limit is about any more. */
export async function sweepCounts(database: Queryable, isStopped: () => boolean): Promise<void> {
  while (!isStopped() && (await forgetCounts(database, STEP_MAX)) === STEP_MAX) {
    // Each step is a transaction of its own: nothing waits for the whole sweep.
  }
}

/** Caller whose payment is judged and not taken. */
export type GaugedCaller = {
  readonly reseller: { readonly id: bigint }
  readonly purposeId?: bigint | undefined
  readonly memberId: string
  readonly caps?: KeyCaps | undefined
}

/** Judges a payment by limits and caps where its test account asks for a rejection that comes after them. */
export async function judgeBefore(
  database: Queryable,
  caller: GaugedCaller,
  account: string,
  judgement: Judgement,
): Promise<Judgement> {
  if (judgement.kind !== 'rejected' || judgement.behind === undefined) return judgement
  const { rejection, behind } = judgement
  // A limit has the same place and the same code.
  if (rejection.code === LIMIT_CODE) return judgement
  const reached = await judgeLimits(database, caller, behind.canonicalAccount ?? account, behind)
  return reached === undefined ? judgement : { kind: 'rejected', rejection: reached }
}

const LIMIT_CODE = REJECTIONS.limitReached.code

/** Judges a payment by limits and caps as its commit would, for a quote. */
export async function judgeLimits(
  database: Queryable,
  { reseller, purposeId, memberId, caps }: GaugedCaller,
  account: string,
  { category, faceValue, cost }: Pick<Decision, 'category' | 'faceValue' | 'cost'>,
): Promise<Rejection | undefined> {
  const { maxAmount = null, dailyCap = null, monthlyCap = null } = caps ?? {}
  await beginLimitTallies(database, reseller.id)
  if (dailyCap !== null || monthlyCap !== null) await beginKeyTally(database, reseller.id)
  const row = await findReached(database, {
    ...{ resellerId: reseller.id, account, category: category ?? null, faceValue, cost },
    ...{ purposeId: purposeId ?? null, memberId, dailyCap, monthlyCap },
  })
  const isOverAmount = maxAmount !== null && cost > maxAmount
  if (isOverAmount && (row === undefined || row.name.startsWith('Key'))) {
    return limitRejection(reachedOf({ name: 'Key_Amount_Cap', sum: String(maxAmount) }))
  }
  return row && limitRejection(reachedOf(row))
}
