import type { Queryable, Tx } from '../../db/database.ts'
import type { NumberPlan } from '../../lib/numbers/plans.ts'

/** Keeps plans from changing until the transaction ends. */
export async function lockPlans(tx: Tx): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('number plans', 0) # lock_mark())`)
}

export async function listPlanRows(connection: Queryable): Promise<NumberPlan[]> {
  const { rows } = await connection.query<{ plan: NumberPlan }>(
    'select plan from number_plans where plan is not null order by country',
  )
  return rows.map(({ plan }) => plan)
}

const READ_VERSION = {
  name: 'number_plans_version',
  text: 'select coalesce(max(version), 0) as version from number_plans',
}

/** Returns the number of the last change; 0: there was none. */
export async function readPlansVersion(connection: Queryable): Promise<bigint> {
  const { rows } = await connection.query<{ version: bigint }>(READ_VERSION)
  return rows[0]?.version ?? 0n
}

/** Puts the plan of a country; null: the service's own. The caller holds the lock. */
export async function putPlanRow(
  connection: Queryable,
  country: string,
  plan: NumberPlan | null,
): Promise<void> {
  await connection.query(
    `with latest as (select coalesce(max(version), 0) as version from number_plans)
     insert into number_plans (country, plan, version) select $1, $2::jsonb, version + 1 from latest
     on conflict (country) do update set plan = excluded.plan, version = excluded.version`,
    [country, plan === null ? null : JSON.stringify(plan)],
  )
}
