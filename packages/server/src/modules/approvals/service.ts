import type { Database, Queryable, Tx } from '../../db/database.ts'
import type { Vault } from '../../db/vault.ts'
import { assert, RequestError } from '../../lib/errors.ts'
import { lockUsers } from '../accounts/public.sql.ts'
import { listOperators, listUsers } from '../accounts/service.ts'
import type { Operator, OperatorRole } from '../accounts/types.ts'
import { audited, readReason, withoutSecrets } from '../audit/service.ts'
import type { AuditLog, Done } from '../audit/types.ts'
import { areIndependent } from './independence.service.ts'
import { read, readAll, seal, sealedOf, unseal } from './records.service.ts'
import type { Parties, Verdict } from './rules.ts'
import { judge, judgeByMember, loggedCommand, mayNotDecide, unknownApproval } from './rules.ts'
import type { ApprovalRow } from './sql.ts'
import {
  findApproval,
  insertApproval,
  listApprovals,
  listApprovalsOfReseller,
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
  Decider,
  DeciderName,
  Executor,
  Hold,
  NewApproval,
  PendingApproval,
} from './types.ts'

const TTL_MS = 72 * 3_600_000

export type ApprovalSettings = {
  readonly log: AuditLog
  readonly executors: Readonly<Record<string, Executor>>
  /** Tells whether a role may decide requests of this kind; asked with the operator's role in the deciding commit. */
  readonly mayDecide: (role: OperatorRole, kind: string) => boolean
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
    approve: (caller, id, reason, hold) =>
      decide(settings, caller, { id, verdict: 'approved', reason, hold }),
    refuse: (caller, id, reason, hold) => decide(settings, caller, { id, verdict: 'refused', reason, hold }),
    withdraw: (caller, id, reason, hold) =>
      decide(settings, caller, { id, verdict: 'withdrawn', reason, hold }),
    async get(id, scope = null) {
      const row = await findApproval(log.database, id)
      if (row === undefined || !isInScope(row, scope)) throw unknownApproval()
      return read(log.database, log.vault, row)
    },
    async list(filter) {
      const rows = await listApprovals(log.database, filter)
      return readAll(log.database, log.vault, rows)
    },
    async listOfReseller(resellerId, limit) {
      const rows = await listApprovalsOfReseller(log.database, resellerId, limit)
      return readAll(log.database, log.vault, rows)
    },
    async lock(tx, id) {
      const row = await lockApproval(tx, id)
      if (row === undefined) throw unknownApproval()
      return read(tx, log.vault, row)
    },
    async stop(tx, { id, state }, address, reason) {
      assert(state === 'pending', 'the caller has locked a pending request')
      const by = { kind: 'link', id: null, name: address } as const
      return read(
        tx,
        log.vault,
        await updateDecision(tx, id, { state: 'refused', by, reason, outcome: null }),
      )
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
  return (await readAll(database, vault, rows)).map((approval) => ({
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
  const { kind, target, command, resellerId } = asked
  assert(executors[kind] !== undefined, `somebody carries out what is asked for: ${kind}`)
  const reason = readReason(asked.reason)
  const request = audited(log, { caller, action: `${kind}.request`, reason }, async (tx, database) => {
    if (asked.isRepeatable === true) {
      const earlier = await findEqual(tx, log.vault, caller, {
        kind,
        target,
        command,
        reason,
        resellerId,
      })
      if (earlier !== undefined) throw new Repeated(await read(database, log.vault, earlier))
    }
    const id = await takeId(tx)
    const whole = { kind, target, command, reason, resellerId }
    const sealedRequest = seal(log.vault, id, caller.operatorId, whole)
    const row = await insertApproval(tx, {
      id,
      kind,
      targetKind: target.kind,
      target: target.id,
      requestedBy: caller.operatorId,
      sealedRequest,
      resellerId: resellerId ?? null,
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
  const wanted = sealedOf(asked, operatorId)
  for (const row of await listPendingOf(tx, { kind, target: target.id, requestedBy: operatorId })) {
    if (JSON.stringify(await unseal(vault, row)) === JSON.stringify(wanted)) return row
  }
  return undefined
}

const ACTIONS = { approved: 'approve', refused: 'refuse', withdrawn: 'withdraw' } as const

type Judgement = {
  readonly id: bigint
  readonly verdict: Verdict
  readonly reason: unknown
  readonly hold?: Hold | undefined
}

async function decide(
  settings: ApprovalSettings,
  caller: Decider,
  { id, verdict, reason: given, hold }: Judgement,
): Promise<Approval> {
  const { log } = settings
  const reason = readReason(given)
  const found = await findApproval(log.database, id)
  if (found === undefined) throw unknownApproval()
  // A refusal here writes no row in the log. The request is judged again under the lock.
  const before = await read(log.database, log.vault, found)
  const judged = (connection: Queryable, approval: Approval) =>
    judgeCaller(settings, connection, approval, caller, verdict)
  if ((await judged(log.database, before)) === 'repeat') return before
  const act = { caller, action: `${before.kind}.${ACTIONS[verdict]}`, reason }
  return audited(log, act, async (tx, database) => {
    await hold?.(tx, before)
    await lockUsersOf(tx, before)
    const locked = await lockApproval(tx, id)
    assert(locked !== undefined, 'approvals are kept')
    const approval = await read(database, log.vault, locked)
    if ((await judged(tx, approval)) === 'repeat') throw new Repeated(approval)
    const by = deciderOf(caller)
    const execution = () => execute(settings, tx, database, { ...approval, approvedBy: by })
    const done = verdict === 'approved' ? await execution() : nothing(approval)
    const outcome = withoutSecrets(done.result)
    const row = await updateDecision(tx, id, { state: verdict, by, reason, outcome })
    return { ...withApproval(approval, done), result: await read(database, log.vault, row) }
  }).catch(approvalOf)
}

/** Locks the users before a request about a reseller: the session of a member who decides is held by the same lock. */
async function lockUsersOf(tx: Tx, { resellerId }: Pick<Approval, 'resellerId'>): Promise<void> {
  if (resellerId !== undefined) await lockUsers(tx)
}

function deciderOf(caller: Decider): DeciderName {
  return caller.kind === 'operator'
    ? { kind: 'operator', id: caller.operatorId, name: caller.email }
    : { kind: 'member', id: caller.userId, name: caller.username }
}

async function judgeCaller(
  settings: ApprovalSettings,
  connection: Queryable,
  approval: Approval,
  caller: Decider,
  verdict: Verdict,
): Promise<'decide' | 'repeat'> {
  if (caller.kind === 'operator') {
    return judge(approval, caller, await getParties(settings, connection, approval, caller, verdict), verdict)
  }
  assert(verdict !== 'withdrawn', 'operators alone withdraw requests')
  const requester = requesterAmong(settings, await listOperators(connection), approval)
  const members = await listUsers(connection, caller.reseller.id)
  const member = members.find(({ id }) => id === caller.userId)
  return judgeByMember(approval, caller, member, requester, verdict)
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
  settings: ApprovalSettings,
  all: readonly Operator[],
  approval: Approval,
  { operatorId }: ApprovalOperator,
  verdict: Verdict,
): Parties {
  const decider = all.find(({ id }) => id === operatorId)
  const mayDecide = verdict === 'withdrawn' || (decider && settings.mayDecide(decider.role, approval.kind))
  if (decider?.status !== 'active' || !mayDecide) throw mayNotDecide()
  const requester = all.find(({ id }) => id === approval.requestedBy.id)
  return {
    decider,
    isIndependent: requester !== undefined && areIndependent(requester, decider, all),
    ...requesterAmong(settings, all, approval),
  }
}

function requesterAmong(
  { mayRequest }: ApprovalSettings,
  all: readonly Operator[],
  { kind, requestedBy, requestedAt }: Approval,
): Pick<Parties, 'isRequesterGone' | 'isRequesterChanged'> {
  const requester = all.find(({ id }) => id === requestedBy.id)
  return {
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
  approval: Approval & { readonly approvedBy: DeciderName },
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
