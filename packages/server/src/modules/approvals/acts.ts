import type { Database, Queryable, Tx } from '../../db/database.ts'
import { input, member } from '../../http/codec.ts'
import { assert } from '../../lib/errors.ts'
import { ID } from '../../lib/input/ids.ts'
import { lockUsers } from '../accounts/public.sql.ts'
import { listOperators, listUsers } from '../accounts/service.ts'
import { act } from '../acts/service.ts'
import type { By } from '../acts/types.ts'
import { withoutSecrets } from '../audit/service.ts'
import type { AuditCaller, Done } from '../audit/types.ts'
import { partiesAmong, requesterAmong } from './independence.service.ts'
import { read } from './records.service.ts'
import { judge, judgeByMember, unknownApproval } from './rules.ts'
import { findApproval, lockApproval, updateDecision } from './sql.ts'
import type { Approval, ApprovalSettings, Decider, DeciderName, DecisionWorld, Verdict } from './types.ts'

const OF_APPROVAL = input({
  id: member(ID, { identifies: 'approval', option: { value: 'NUMBER', help: 'the approval' } }),
})

/**
 * Declares a decision. Its action in the log is that of what was asked for: `deposit.approve`. Given again by the same
 * person it answers what came of it, and does nothing.
 */
function decisionAct(action: string, verdict: Verdict) {
  return act({
    async name({ id }, { log }: DecisionWorld) {
      const found = await findApproval(log.database, id)
      if (found === undefined) throw unknownApproval()
      return `${found.kind}.${action}`
    },
    input: OF_APPROVAL,
    async run(tx, { id }, { caller, reason, database, world }: By<DecisionWorld>) {
      assert(isDecider(caller), 'operators and members decide')
      const judged = (approval: Approval) => judgeCaller(world, tx, approval, caller, verdict)
      const found = await findApproval(tx, id)
      assert(found !== undefined, 'approvals are kept')
      // A decision that was made before needs no proof, and no row is locked for it. It is judged again under the lock.
      const before = await read(database, world.log.vault, found)
      if ((await judged(before)) === 'repeat') return { unchanged: before }
      await world.hold?.(tx, before, caller, verdict)
      await lockUsersOf(tx, before)
      const locked = await lockApproval(tx, id)
      assert(locked !== undefined, 'approvals are kept')
      const approval = await read(database, world.log.vault, locked)
      if ((await judged(approval)) === 'repeat') return { unchanged: approval }
      const by = deciderOf(caller)
      const execution = () => execute(world, tx, database, { ...approval, approvedBy: by })
      const done = verdict === 'approved' ? await execution() : nothing(approval)
      const outcome = withoutSecrets(done.result)
      const row = await updateDecision(tx, id, { state: verdict, by, reason, outcome })
      return { ...withApproval(approval, done), result: await read(database, world.log.vault, row) }
    },
  })
}

/** Decisions on requests that need a second person. Approving one carries it out in the same commit. */
export const DECISION_ACTS = {
  approve: decisionAct('approve', 'approved'),
  refuse: decisionAct('refuse', 'refused'),
  /** Only the requester may. */
  withdraw: decisionAct('withdraw', 'withdrawn'),
}

function isDecider(caller: AuditCaller): caller is Decider {
  return caller.kind === 'operator' || (caller.kind === 'member' && 'reseller' in caller)
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

/** Reads the people again: since the request came in, one may have been disabled or given another role. */
async function judgeCaller(
  settings: ApprovalSettings,
  connection: Queryable,
  approval: Approval,
  caller: Decider,
  verdict: Verdict,
): Promise<'decide' | 'repeat'> {
  const operators = await listOperators(connection)
  if (caller.kind === 'operator') {
    return judge(approval, caller, partiesAmong(settings, operators, approval, caller, verdict), verdict)
  }
  assert(verdict !== 'withdrawn', 'operators alone withdraw requests')
  const requester = requesterAmong(settings, operators, approval)
  const members = await listUsers(connection, caller.reseller.id)
  const self = members.find(({ id }) => id === caller.userId)
  return judgeByMember(approval, caller, self, requester, verdict)
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
