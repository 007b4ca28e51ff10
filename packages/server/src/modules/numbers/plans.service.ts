import type { Database, Queryable, Tx } from '../../db/database.ts'
import { KNOWN_NUMBERS, KNOWN_PLANS } from '../../lib/numbers/known-plans.ts'
import type { LivePlans, NumberPlan, NumberPlans } from '../../lib/numbers/plans.ts'
import { compilePlans } from '../../lib/numbers/plans.ts'
import { repeat } from '../../lib/repeat.ts'
import { listPlanRows, lockPlans, putPlanRow, readPlansVersion } from './plans.sql.ts'
import type { PlanInForce } from './types.ts'

/** Lists the plans in force, by country. */
export async function listPlans(connection: Queryable): Promise<PlanInForce[]> {
  const own = await listPlanRows(connection)
  const given = new Set(own.map(({ country }) => country))
  return [
    ...KNOWN_PLANS.filter(({ country }) => !given.has(country)).map((plan) => ({ plan, isOwn: false })),
    ...own.map((plan) => ({ plan, isOwn: true })),
  ].sort((a, b) => (a.plan.country < b.plan.country ? -1 : 1))
}

/** Reads the plans in force, prepared for looking numbers up. */
export async function readNumbers(connection: Queryable): Promise<NumberPlans> {
  return compilePlans((await listPlans(connection)).map(({ plan }) => plan))
}

/** Puts a plan that nobody has to answer for, such as the demo's. */
export async function putPlan(tx: Tx, plan: NumberPlan): Promise<void> {
  await lockPlans(tx)
  await putPlanRow(tx, plan.country, plan)
}

export type OpenNumberPlans = LivePlans & {
  /** Reads the plans now instead of at the next look. */
  refresh(): Promise<void>
  close(): Promise<void>
}

const LOOK_MS = 2_000

/** Opens the plans, which every node takes over within seconds after a change. */
export async function openNumberPlans({
  database,
  onProblem,
  everyMs = LOOK_MS,
}: {
  readonly database: Database
  readonly onProblem: (text: string, error: unknown) => void
  readonly everyMs?: number
}): Promise<OpenNumberPlans> {
  let current: NumberPlans = KNOWN_NUMBERS
  let seen = 0n
  const refresh = async () => {
    const version = await readPlansVersion(database)
    if (version === seen) return
    current = await readNumbers(database)
    seen = version
  }
  await refresh()
  const looks = repeat(everyMs, refresh, (error) => onProblem('the number plans cannot be read', error))
  return {
    get current() {
      return current
    },
    refresh,
    close: () => looks.stop(),
  }
}
