import { createOperator } from '../modules/accounts/service.ts'
import { performAlone } from '../modules/acts/service.ts'
import { DECISION_ACTS } from '../modules/approvals/acts.ts'
import type {
  Approval,
  ApprovalOperator,
  Approvals,
  Decider,
  DecisionWorld,
  Executor,
} from '../modules/approvals/types.ts'
import { listAudit } from '../modules/audit/service.ts'
import type { AuditLog } from '../modules/audit/types.ts'
import type { TestDatabase } from './database.ts'

/** Records the command and returns what it did. A command with `fails` throws. */
export const act: Executor = async (tx, _database, { id, command }) => {
  await tx.query('insert into acts (approval_id, what) values ($1, $2)', [id, command.what])
  if (command.fails !== null) throw new Error('it cannot be done')
  return {
    target: { kind: 'thing', id: 'x' },
    before: { was: 1 },
    after: { is: 2 },
    result: { did: command.what },
  }
}

/** Makes a signed-in operator of finance. `by` created the operator; by default it was done at the machine. */
export async function newApprover(
  test: TestDatabase,
  name: string,
  by?: ApprovalOperator,
): Promise<ApprovalOperator> {
  const email = `${name}@example.com`
  const made = { email, name, role: 'finance', password: 'correct horse battery' } as const
  const accounts = { ...test, environment: 'staging' } as const
  const { id: operatorId } = await createOperator(accounts, made, by?.operatorId ?? null)
  return { kind: 'operator', operatorId, email, via: 'session', credentialId: '1', address: '::1' }
}

/** Lists what was audited about acts, newest first. */
export function listActs(log: AuditLog, limit: number): ReturnType<typeof listAudit> {
  return listAudit(log, {
    actor: null,
    action: 'act',
    targetKind: null,
    target: null,
    fromMs: null,
    untilMs: null,
    beforeSequence: null,
    limit,
  })
}

/** Lists the audited actions about an approval, oldest first. */
export async function actionsAbout(log: AuditLog, { id }: Approval): Promise<string[]> {
  const rows = await listActs(log, 1_000)
  const own = rows.filter(
    ({ after }) => (JSON.parse(after ?? '{}') as { approval?: string }).approval === String(id),
  )
  return own.map(({ action }) => action).reverse()
}

/** Approvals with their decisions as functions. */
export type TestApprovals = Approvals & Readonly<Record<keyof typeof DECISION_ACTS, Decide>>

type Decide = (
  caller: Decider,
  id: bigint,
  reason: unknown,
  hold?: DecisionWorld['hold'],
) => Promise<Approval>

/** Adds the decisions, each of which does its act as the faces do. */
export function withDecisions(approvals: Approvals): TestApprovals {
  const decision =
    (declared: (typeof DECISION_ACTS)['approve']): Decide =>
    (caller, id, reason, hold) => {
      const world = { ...approvals.world, ...(hold !== undefined && { hold }) }
      return performAlone({ log: world.log, world }, declared, { caller, input: { id: String(id) }, reason })
    }
  const { approve, refuse, withdraw } = DECISION_ACTS
  return { ...approvals, approve: decision(approve), refuse: decision(refuse), withdraw: decision(withdraw) }
}
