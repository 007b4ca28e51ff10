import type { Database, Queryable, Tx } from '../../db/database.ts'
import type { Vault } from '../../db/vault.ts'
import { withFreshKeys } from '../../db/vault.ts'
import { assert, RequestError } from '../../lib/errors.ts'
import { listOperators } from '../accounts/service.ts'
import type { Operator, OperatorRole } from '../accounts/types.ts'
import { audited, readReason, withoutSecrets } from '../audit/service.ts'
import type { AuditLog, Done } from '../audit/types.ts'
import { areIndependent } from './independence.service.ts'
import type { Parties, Verdict } from './rules.ts'
import { judge, loggedCommand, mayNotDecide, unknownApproval } from './rules.ts'
import type { ApprovalRow } from './sql.ts'
import {
  findApproval,
  insertApproval,
  listApprovals,
  listPendingOf,
  lockApproval,
  lockRequests,
  takeId,
  updateDecision,
} from './sql.ts'
import type {
  Approval,
  ApprovalOperator,
  ApprovalRequest,
  ApprovalScope,
  Approvals,
  Executor,
  NewApproval,
  PendingApproval,
} from './types.ts'

const TTL_MS = 72 * 3_600_000

export type ApprovalSettings = {
  readonly log: AuditLog
  readonly executors: Readonly<Record<string, Executor>>
  /** Tells whether a role may decide; asked with the operator's role in the deciding commit. */
  readonly mayDecide: (role: OperatorRole) => boolean
  /**
   * Tells whether a role may make a request of this kind; asked again for the requester before the request is
   * executed.
   */
  readonly mayRequest: (role: OperatorRole, kind: string) => boolean
  /** Time until a pending request expires. */
  readonly ttlMs?: number
}

/**
 * Creates the service for acts that one person alone may not do: one operator asks, another one approves, and
 * the approving commit executes the request. Each request is decided at most once, because the decider locks
 * its row.
 */
export function createApprovals(settings: ApprovalSettings): Approvals {
  const { log } = settings
  return {
    request: (caller, asked) => request(settings, caller, asked),
    approve: (caller, id, reason) => decide(settings, caller, id, 'approved', reason),
    refuse: (caller, id, reason) => decide(settings, caller, id, 'refused', reason),
    withdraw: (caller, id, reason) => decide(settings, caller, id, 'withdrawn', reason),
    async get(id, scope = null) {
      const row = await findApproval(log.database, id)
      if (row === undefined || !isInScope(row, scope)) throw unknownApproval()
      return read(log.database, log.vault, row)
    },
    async list(filter) {
      const rows = await listApprovals(log.database, filter)
      const emails = await listEmails(log.database)
      return Promise.all(rows.map((row) => open(log.vault, row, emails)))
    },
    listPending: (caller, page) => listPending(settings, caller, page),
  }
}

async function listPending(
  settings: ApprovalSettings,
  caller: ApprovalOperator,
  { scope, limit }: { readonly scope: ApprovalScope | null; readonly limit: number },
): Promise<PendingApproval[]> {
  const { database, vault } = settings.log
  const filter = { scope, state: 'pending', kind: null, beforeId: null, limit } as const
  const rows = await listApprovals(database, filter)
  if (rows.length === 0) return []
  const operators = await listOperators(database)
  const emails = new Map(operators.map(({ id, email }) => [id, email]))
  const approvals = await Promise.all(rows.map((row) => open(vault, row, emails)))
  return approvals.map((approval) => ({
    ...approval,
    isOwn: approval.requestedBy.id === caller.operatorId,
    mayDecide: canDecide(settings, operators, approval, caller),
  }))
}

/** Tells whether the operator could at least refuse the request now. */
function canDecide(
  settings: ApprovalSettings,
  operators: readonly Operator[],
  approval: Approval,
  caller: ApprovalOperator,
): boolean {
  try {
    const parties = partiesAmong(settings, operators, approval, caller, 'refused')
    return judge(approval, caller, parties, 'refused') === 'decide'
  } catch (error) {
    if (error instanceof RequestError) return false
    throw error
  }
}

function isInScope({ kind, requested_by: by }: ApprovalRow, scope: ApprovalScope | null): boolean {
  return scope === null || scope.kinds.includes(kind) || scope.operatorId === by
}

async function request(
  { log, executors, ttlMs = TTL_MS }: ApprovalSettings,
  caller: ApprovalOperator,
  asked: NewApproval,
): Promise<Approval> {
  const { kind, target, command } = asked
  assert(executors[kind] !== undefined, `somebody carries out what is asked for: ${kind}`)
  const reason = readReason(asked.reason)
  const request = audited(log, { caller, action: `${kind}.request`, reason }, async (tx, database) => {
    if (asked.isRepeatable === true) {
      const earlier = await findEqual(tx, log.vault, caller, { kind, target, command, reason })
      if (earlier !== undefined) throw new Repeated(await read(database, log.vault, earlier))
    }
    const id = await takeId(tx)
    const sealedRequest = seal(log.vault, id, caller.operatorId, { kind, target, command, reason })
    const row = await insertApproval(tx, {
      id,
      kind,
      targetKind: target.kind,
      target: target.id,
      requestedBy: caller.operatorId,
      sealedRequest,
      ttlMs,
    })
    await asked.alongside?.(tx, id)
    const approval = await read(database, log.vault, row)
    return { target, before: null, after: { approval: id, ...loggedCommand(command) }, result: approval }
  })
  return request.catch(approvalOf)
}

async function findEqual(
  tx: Tx,
  vault: Vault,
  { operatorId }: ApprovalOperator,
  asked: ApprovalRequest,
): Promise<ApprovalRow | undefined> {
  await lockRequests(tx, operatorId)
  const { kind, target } = asked
  const wanted: Sealed = { ...asked, requestedBy: String(operatorId) }
  for (const row of await listPendingOf(tx, { kind, target: target.id, requestedBy: operatorId })) {
    if (JSON.stringify(await unseal(vault, row)) === JSON.stringify(wanted)) return row
  }
  return undefined
}

const ACTIONS = { approved: 'approve', refused: 'refuse', withdrawn: 'withdraw' } as const

async function decide(
  settings: ApprovalSettings,
  caller: ApprovalOperator,
  id: bigint,
  verdict: Verdict,
  givenReason: unknown,
): Promise<Approval> {
  const { log } = settings
  const reason = readReason(givenReason)
  const found = await findApproval(log.database, id)
  if (found === undefined) throw unknownApproval()
  // A refusal here writes no row in the log. The request is judged again under the lock.
  const before = await read(log.database, log.vault, found)
  const judged = async (connection: Queryable, approval: Approval) =>
    judge(approval, caller, await getParties(settings, connection, approval, caller, verdict), verdict)
  if ((await judged(log.database, before)) === 'repeat') return before
  const act = { caller, action: `${before.kind}.${ACTIONS[verdict]}`, reason }
  return audited(log, act, async (tx, database) => {
    const locked = await lockApproval(tx, id)
    assert(locked !== undefined, 'approvals are kept')
    const approval = await read(database, log.vault, locked)
    if ((await judged(tx, approval)) === 'repeat') throw new Repeated(approval)
    const done = verdict === 'approved' ? await execute(settings, tx, database, approval) : nothing(approval)
    const outcome = withoutSecrets(done.result)
    const row = await updateDecision(tx, id, { state: verdict, by: caller.operatorId, reason, outcome })
    return { ...withApproval(approval, done), result: await read(database, log.vault, row) }
  }).catch(approvalOf)
}

/** Reads the operators again: since the request came in, one may have been disabled or given another role. */
async function getParties(
  settings: ApprovalSettings,
  connection: Queryable,
  approval: Approval,
  caller: ApprovalOperator,
  verdict: Verdict,
): Promise<Parties> {
  return partiesAmong(settings, await listOperators(connection), approval, caller, verdict)
}

function partiesAmong(
  { mayDecide, mayRequest }: ApprovalSettings,
  all: readonly Operator[],
  { kind, requestedBy, requestedAt }: Approval,
  { operatorId }: ApprovalOperator,
  verdict: Verdict,
): Parties {
  const decider = all.find(({ id }) => id === operatorId)
  if (decider?.status !== 'active' || (verdict !== 'withdrawn' && !mayDecide(decider.role))) {
    throw mayNotDecide()
  }
  const requester = all.find(({ id }) => id === requestedBy.id)
  return {
    decider,
    isIndependent: requester !== undefined && areIndependent(requester, decider, all),
    isRequesterGone: requester?.status !== 'active' || !mayRequest(requester.role, kind),
    isRequesterChanged: requester !== undefined && requester.empoweredAt > requestedAt,
  }
}

/**
 * Thrown when the same operator sends the same request or decision twice: the second call returns the result of
 * the first.
 */
class Repeated extends Error {
  readonly approval: Approval
  constructor(approval: Approval) {
    super('done before')
    this.approval = approval
  }
}

function approvalOf(error: unknown): Approval {
  if (error instanceof Repeated) return error.approval
  throw error
}

function execute(
  { executors }: ApprovalSettings,
  tx: Tx,
  database: Database,
  approval: Approval,
): Promise<Done<unknown>> {
  const executor = executors[approval.kind]
  assert(executor !== undefined, `somebody carries out what is approved: ${approval.kind}`)
  return executor(tx, database, approval)
}

function nothing({ target }: Approval): Done<unknown> {
  return { target, before: null, after: null, result: null }
}

function withApproval({ id, requestedBy }: Approval, { target, before, after }: Done<unknown>) {
  const about = { approval: id, requested_by: requestedBy.email }
  return { target, before, after: after === null ? about : { ...about, result: after } }
}

// ── Sealed content ──

type Sealed = ApprovalRequest & { readonly requestedBy: string }

const contextOf = (id: bigint) => `approval:${id}`

function seal(vault: Vault, id: bigint, requestedBy: bigint, asked: ApprovalRequest): Buffer {
  const sealed: Sealed = { ...asked, requestedBy: String(requestedBy) }
  return vault.seal(contextOf(id), Buffer.from(JSON.stringify(sealed), 'utf8'))
}

function unseal(vault: Vault, { id, sealed_request: sealed }: ApprovalRow): Promise<Sealed> {
  return withFreshKeys(vault, () => JSON.parse(vault.open(contextOf(id), sealed).toString('utf8')) as Sealed)
}

async function read(connection: Queryable, vault: Vault, row: ApprovalRow): Promise<Approval> {
  return open(vault, row, await listEmails(connection))
}

async function open(vault: Vault, row: ApprovalRow, emails: ReadonlyMap<bigint, string>): Promise<Approval> {
  const { requestedBy, ...asked } = await unseal(vault, row)
  const name = (id: bigint) => ({ id, email: emails.get(id) ?? '' })
  // The row's plain columns may have been changed; the sealed values count.
  assert(
    BigInt(requestedBy) === row.requested_by && asked.kind === row.kind,
    `approval ${row.id} was changed`,
  )
  return {
    ...asked,
    id: row.id,
    state: row.state,
    requestedBy: name(row.requested_by),
    requestedAt: row.requested_at,
    expiresAt: row.expires_at,
    decision:
      row.decided_by === null || row.decided_at === null
        ? null
        : {
            by: name(row.decided_by),
            at: row.decided_at,
            reason: row.decision_reason ?? '',
            outcome: row.outcome,
          },
  }
}

/** Lists all emails: operators are few, and are never deleted. */
async function listEmails(connection: Queryable): Promise<ReadonlyMap<bigint, string>> {
  return new Map((await listOperators(connection)).map(({ id, email }) => [id, email]))
}
