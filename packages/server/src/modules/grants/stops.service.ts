import type { Tx } from '../../db/database.ts'
import { digestOf } from '../../lib/secrets/digests.ts'
import { revokeKeysOf } from '../accounts/keys.service.ts'
import { lockUsers } from '../accounts/public.sql.ts'
import { getReseller, getUserByName, updateReseller, updateUser } from '../accounts/service.ts'
import type { Approval, Approvals } from '../approvals/types.ts'
import { appendAudit } from '../audit/service.ts'
import type { AuditLog } from '../audit/types.ts'
import { admitAttempt } from '../auth/attempts.service.ts'
import { listInvitedBy } from '../sessions/passwords/invitations.service.ts'
import { invalidToken } from '../sessions/passwords/passwords.service.ts'
import { accountsIn } from './service.ts'
import { deleteOldStops, findStop, finishStop } from './stops.sql.ts'
import type { GrantWorld, StopOutcome } from './types.ts'

// The link that stops a grant.

export type StopContext = GrantWorld & {
  readonly log: AuditLog
  readonly approvals: Pick<Approvals, 'lock' | 'stop'>
}
/**
 * Stops a request, or undoes what it did, for whoever holds the link of a mail. It takes the lock under which requests are
 * decided, so a request that is approved at the same moment is either refused or undone. Used again, a link answers what
 * came of it and does nothing.
 */
export async function stopGrant(
  context: StopContext,
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
  context: StopContext,
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
async function undo(world: GrantWorld, tx: Tx, { command, kind, decision }: Approval): Promise<object> {
  const { id: resellerId, email } = await getReseller(tx, command.account ?? '')
  const own = accountsIn(tx, { world })
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
