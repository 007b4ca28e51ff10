import type { Database } from '../db/database.ts'
import type { Vault } from '../db/vault.ts'
import type { Accounts } from '../modules/accounts/service.ts'
import { perform } from '../modules/acts/service.ts'
import type { Act } from '../modules/acts/types.ts'
import type { Approval, Approvals } from '../modules/approvals/types.ts'
import { createAuditLog } from '../modules/audit/service.ts'
import type { AuditLog } from '../modules/audit/types.ts'
import * as operators from '../modules/grants/operators.acts.ts'
import * as resellers from '../modules/grants/resellers.acts.ts'
import type { GrantWorld } from '../modules/grants/types.ts'
import * as users from '../modules/grants/users.acts.ts'
import { createOperatorApprovals } from '../modules/operator/approvals/service.ts'
import type { SessionsOptions } from '../modules/sessions/people/settings.types.ts'
import type { OperatorCaller } from '../modules/sessions/people/types.ts'
import type { TestApprovals } from './approvals.ts'
import { withDecisions } from './approvals.ts'
import { sessionsOf } from './sessions.ts'

/** Accounts, sessions and approvals of one database. */
export type GrantsBench = {
  readonly database: Database
  readonly accounts: Accounts
  readonly log: AuditLog
  readonly sessions: SessionsOptions
  readonly approvals: TestApprovals
}

export function contextOf(test: { readonly database: Database; readonly vault: Vault }): GrantsBench {
  const { database, vault } = test
  const log = createAuditLog({ database, vault })
  const sessions = sessionsOf(test, log)
  const approvals = withDecisions(createOperatorApprovals({ log, priceChangeMaxPercent: 20, sessions }))
  return { database, accounts: { database, vault, environment: 'staging' }, log, sessions, approvals }
}

/** Result of an act that may need a second person. */
export type Granted<T> = { readonly done: T } | { readonly asked: Approval }

type Values = Readonly<Record<string, unknown>>

/** Does an act as the back office does it. */
async function asOperator<Input, Result>(
  { log, sessions, approvals }: GrantsBench,
  act: Act<GrantWorld, Input, Result>,
  caller: OperatorCaller,
  input: Values,
  reason: string,
): Promise<Granted<Result>> {
  const ask = (_: unknown, request: Parameters<Approvals['request']>[1]) => approvals.request(caller, request)
  const outcome = await perform({ log, world: { sessions }, ask }, act, { caller, input, reason })
  if (outcome.kind === 'refused') throw outcome.error
  return outcome.kind === 'done' ? { done: outcome.result } : { asked: outcome.asked }
}

type Bench = GrantsBench
type By = OperatorCaller

export function addUser(bench: Bench, by: By, account: string, input: Values, reason: string) {
  return asOperator(bench, users.addUser, by, { account, ...input }, reason)
}

type UserPlace = { readonly account: string; readonly username: string }

export function editUser(bench: Bench, by: By, place: UserPlace, changes: Values, reason: string) {
  return asOperator(bench, users.editUser, by, { ...place, ...changes }, reason)
}

export function editReseller(bench: Bench, by: By, account: string, changes: Values, reason: string) {
  return asOperator(bench, resellers.editReseller, by, { account, ...changes }, reason)
}

export function addOperator(bench: Bench, by: By, input: Values, reason: string) {
  return asOperator(bench, operators.addOperator, by, input, reason)
}

export function editOperator(bench: Bench, by: By, id: string, changes: Values, reason: string) {
  return asOperator(bench, operators.editOperator, by, { id, ...changes }, reason)
}
