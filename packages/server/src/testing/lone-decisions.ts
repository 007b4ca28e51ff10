import type { Database } from '../db/database.ts'
import { KNOWN_NUMBERS } from '../lib/numbers/known-plans.ts'
import { perform } from '../modules/acts/service.ts'
import type { Act, Outcome } from '../modules/acts/types.ts'
import type { Approval } from '../modules/approvals/types.ts'
import { createAuditLog } from '../modules/audit/service.ts'
import { createOperatorApprovals } from '../modules/operator/approvals/service.ts'
import { askedOf } from '../modules/operator/kit/acts.service.ts'
import type { AloneLimits, MoneyContext } from '../modules/operator/kit/types.ts'
import type { DecisionWorld } from '../modules/operator/payments/alone.service.ts'
import type { OperatorCaller } from '../modules/sessions/people/types.ts'
import { newApprover } from './approvals.ts'
import type { CasesBench } from './cases.ts'
import { openVoid } from './cases.ts'
import { sessionsOf } from './sessions.ts'

/** Cost of each payment, as the bench makes them. */
export const COST = 10_000n

/** Limits for payments of that cost, as numbers of them. */
export const limitsOf = (day: bigint, week = day): AloneLimits => ({
  each: COST,
  day: day * COST,
  week: week * COST,
})

let operators = 0

export async function newOperator(bench: CasesBench): Promise<OperatorCaller> {
  operators += 1
  const made = await newApprover(bench, `operator${operators}`)
  await bench.database.query("update operators set role = 'admin' where id = $1", [made.operatorId])
  return { ...made, name: 'Operator', role: 'admin' }
}

/** Makes what operations on payments and cases depend on. */
export function contextOf(
  bench: CasesBench,
  aloneLimits: AloneLimits,
  database: Database = bench.database,
): MoneyContext {
  const log = createAuditLog({ database, vault: bench.vault })
  return {
    database,
    vault: bench.vault,
    environment: 'production',
    log,
    approvals: createOperatorApprovals({ log, priceChangeMaxPercent: 20, sessions: sessionsOf(bench, log) }),
    cases: bench.casesAt('production'),
    deliveryLog: { database } as never,
    aloneLimits,
    numbers: { current: KNOWN_NUMBERS },
    nowMs: Date.now,
    onCommitted: () => {},
    onProblem: () => {},
  }
}

/** Decides as the operation of the back office does. */
export function decideAs<Input, Result>(
  context: MoneyContext,
  caller: OperatorCaller,
  act: Act<DecisionWorld, Input, Result>,
  input: Readonly<Record<string, unknown>>,
): Promise<Outcome<Result, Approval>> {
  const stage = { log: context.log, world: context, ask: askedOf(context.approvals) }
  return perform(stage, act, { caller, input, reason: 'asked' })
}

export async function newVoid(bench: CasesBench, resellerId: bigint): Promise<string> {
  return openVoid(bench.casesAt('production'), await bench.succeed(resellerId))
}

export async function countLone(
  { database }: CasesBench,
  column: 'operator_id' | 'reseller_id',
  id: bigint,
): Promise<number> {
  return (await database.query(`select from lone_decisions where ${column} = $1`, [id])).rowCount
}
