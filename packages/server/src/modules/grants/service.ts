import type { Tx } from '../../db/database.ts'
import { digestOf } from '../../lib/secrets/digests.ts'
import { revokeKeysOf } from '../accounts/keys.service.ts'
import { lockUsers } from '../accounts/public.sql.ts'
import { getReseller, getUserByName, updateReseller, updateUser, within } from '../accounts/service.ts'
import type { Operator } from '../accounts/types.ts'
import { areIndependent } from '../approvals/independence.service.ts'
import type { Approval, Approvals } from '../approvals/types.ts'
import { appendAudit } from '../audit/service.ts'
import type { AuditLog, Target } from '../audit/types.ts'
import { admitAttempt } from '../auth/attempts.service.ts'
import { listInvitedBy } from '../sessions/passwords/invitations.service.ts'
import { invalidToken } from '../sessions/passwords/passwords.service.ts'
import { holdSession } from '../sessions/people/proof.service.ts'
import type { OperatorCaller } from '../sessions/people/types.ts'
import { SecondPersonNeeded } from './guard.service.ts'
import { mailAsked } from './notices.service.ts'
import { requireSessionToGrant } from './rules.ts'
import { deleteOldStops, findStop, finishStop } from './stops.sql.ts'
import type { Grant, GrantContext, Granted, GrantKind, StopOutcome } from './types.ts'

export type ApprovingContext = GrantContext & {
  readonly log: AuditLog
  readonly approvals: Approvals
}

export type AskedGrant = Grant & { readonly kind: GrantKind; readonly target: Target }

/**
 * Does the work, which throws `SecondPersonNeeded` in its commit when one operator alone may not do it; then asks for an
 * approval. So every fault of the request is found before a second person looks at it.
 */
export async function grantOrAsk<T>(
  context: ApprovingContext,
  caller: OperatorCaller,
  {
    reason,
    work,
    grantOf,
  }: {
    readonly reason: string
    readonly work: () => Promise<T>
    readonly grantOf: () => Promise<AskedGrant> | AskedGrant
  },
): Promise<Granted<T>> {
  try {
    return { done: await work() }
  } catch (error) {
    if (!(error instanceof SecondPersonNeeded)) throw error
  }
  requireSessionToGrant(caller)
  const { kind, target, command, company } = await grantOf()
  const approval = await context.approvals.request(caller, {
    kind,
    target,
    command,
    reason,
    resellerId: company?.id,
    isRepeatable: true,
    alongside: async (tx, id) => {
      await holdSession(context.sessions, tx, caller)
      const asked = { grant: { kind, command, company }, by: caller.email, reason }
      await mailAsked(context, tx, id, asked)
    },
  })
  return { asked: approval }
}

/**
 * Tells whether there is another admin who could approve: a person of their own beside the caller. Without one, a single
 * admin lets operators in alone, and none of them is a second person. Call it under the lock of operators.
 */
export function hasSecondAdmin(
  { sessions }: Pick<GrantContext, 'sessions'>,
  caller: Operator,
  all: readonly Operator[],
): boolean {
  const refusesDemo = sessions.config.environment === 'production'
  return all.some(
    (each) =>
      each.role === 'admin' &&
      each.status === 'active' &&
      !(each.demo && refusesDemo) &&
      areIndependent(caller, each, all),
  )
}

// ── The link that stops a grant ──

/**
 * Stops a request, or undoes what it did, for whoever holds the link of a mail. It takes the lock under which requests are
 * decided, so a request that is approved at the same moment is either refused or undone. Used again, a link answers what
 * came of it and does nothing.
 */
export async function stopGrant(
  context: ApprovingContext,
  { token, address }: { readonly token: string; readonly address: string },
): Promise<StopOutcome> {
  const { database } = context.log
  await admitAttempt(database, address)
  const digest = digestOf(token)
  return database.transaction(async (tx) => {
    const found = await findStop(tx, digest)
    if (found === undefined) throw invalidToken()
    // The order of a decision: the users first, then the request.
    await lockUsers(tx)
    const approval = await context.approvals.lock(tx, found.approvalId)
    const stop = await findStop(tx, digest)
    if (stop === undefined) throw invalidToken()
    if (stop.outcome !== null) return stop.outcome
    const outcome = await stopOrUndo(context, tx, approval, stop.recipient)
    await finishStop(tx, digest, outcome)
    return outcome
  })
}

async function stopOrUndo(
  context: ApprovingContext,
  tx: Tx,
  approval: Approval,
  recipient: string,
): Promise<StopOutcome> {
  const reason = `by the link in the mail to ${recipient}`
  const note = (before: unknown, after: object) =>
    appendAudit(
      tx,
      context.log,
      { caller: { kind: 'system', name: recipient }, action: `${approval.kind}.stop`, reason },
      { target: approval.target, before, after: { approval: String(approval.id), ...after } },
    )
  if (approval.state === 'pending') {
    await context.approvals.stop(tx, approval, recipient, reason)
    await note(null, { state: 'refused' })
    return 'refused'
  }
  if (approval.state !== 'approved') return 'nothing'
  await note(null, { undone: await undo(context, tx, approval) })
  return 'undone'
}

/** Undoes a grant: the login that it made or widened is disabled, with all that came of it since. */
async function undo(
  { accounts }: GrantContext,
  tx: Tx,
  { command, kind, decision }: Approval,
): Promise<object> {
  const { id: resellerId, email } = await getReseller(tx, command.account ?? '')
  const own = within(tx, accounts)
  if (kind === 'reseller_email') {
    if (email === command.email && command.from)
      await updateReseller(own, resellerId, { email: command.from })
    return { email: command.from }
  }
  const user = await getUserByName(tx, resellerId, command.username ?? '')
  const since = decision?.at ?? user.createdAt
  const userIds = await listInvitedBy(tx, resellerId, { userId: user.id, since })
  for (const id of userIds) await updateUser(own, resellerId, id, { status: 'disabled' })
  const keys = await revokeKeysOf(own, resellerId, { userIds, since })
  return { disabled: userIds.length, keys_revoked: keys }
}

const DELETED_AT_ONCE_MAX = 1_000

/** Deletes links that can no longer be used. */
export async function sweepStops({ database }: Pick<AuditLog, 'database'>): Promise<void> {
  while ((await deleteOldStops(database, DELETED_AT_ONCE_MAX)) === DELETED_AT_ONCE_MAX);
}
