import type { Tx } from '../../db/database.ts'
import type { Vault } from '../../db/vault.ts'
import { assert, RequestError } from '../../lib/errors.ts'
import { listOperators } from '../accounts/service.ts'
import type { Operator } from '../accounts/types.ts'
import { audited, readReason } from '../audit/service.ts'
import { partiesAmong } from './independence.service.ts'
import { read, readAll, seal, sealedOf, unseal } from './records.service.ts'
import { judge, loggedCommand, unknownApproval } from './rules.ts'
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
  ApprovalSettings,
  Approvals,
  NewApproval,
  PendingApproval,
} from './types.ts'

const TTL_MS = 72 * 3_600_000

/**
 * Creates the service for acts that one person alone may not do: one operator asks, another one approves, and
 * the approving commit executes the request. Each request is decided at most once, because the decider locks
 * its row.
 */
export function createApprovals(settings: ApprovalSettings): Approvals {
  const { log } = settings
  return {
    request: (caller, asked) => request(settings, caller, asked),
    world: settings,
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

/** Thrown when the same operator sends the same request twice: the second call returns the result of the first. */
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
