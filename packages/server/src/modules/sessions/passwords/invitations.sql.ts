import type { Queryable, Tx } from '../../../db/database.ts'
import { assert } from '../../../lib/errors.ts'
import type { UserRole } from '../../accounts/types.ts'
import type { Invitation, InvitationState } from '../people/invitations.types.ts'

const INVITATION = `id, email, role, created_at, expires_at,
  case when accepted_at is not null then 'accepted' when revoked_at is not null then 'revoked'
       when expires_at <= clock_timestamp() then 'expired' else 'open' end as state`

type InvitationRow = {
  id: bigint
  email: string
  role: UserRole
  created_at: Date
  expires_at: Date
  state: InvitationState
}

function invitationOf(row: InvitationRow): Invitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    state: row.state,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}

export type NewInvitation = {
  readonly resellerId: bigint
  readonly digest: Buffer
  readonly email: string
  readonly role: UserRole
  readonly invitedBy: bigint
  readonly lifetimeSeconds: number
}

export async function insertInvitation(tx: Tx, values: NewInvitation): Promise<Invitation> {
  const { rows } = await tx.query<InvitationRow>(
    `insert into invitations (reseller_id, digest, email, role, invited_by, expires_at)
     values ($1, $2, $3, $4, $5, clock_timestamp() + make_interval(secs => $6)) returning ${INVITATION}`,
    [values.resellerId, values.digest, values.email, values.role, values.invitedBy, values.lifetimeSeconds],
  )
  assert(rows[0] !== undefined, 'an insert with returning gives its row')
  return invitationOf(rows[0])
}

/** Serializes invitations of one account, and those to one address, until the transaction ends. */
export async function lockInvitations(tx: Tx, resellerId: bigint, email: string): Promise<void> {
  for (const name of [`invitations:${resellerId}`, `invitations:${email.toLowerCase()}`]) {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0) # lock_mark())', [name])
  }
}

export type InvitationCounts = {
  readonly open: number
  /** Invitations of the account within a day, in any state. */
  readonly ofReseller: number
  /** Invitations to the address within a day, by any account. */
  readonly ofAddress: number
}

export async function countInvitations(tx: Tx, resellerId: bigint, email: string): Promise<InvitationCounts> {
  const { rows } = await tx.query<{ open: number; of_reseller: number; of_address: number }>(
    `select
       (select count(*)::integer from invitations
         where reseller_id = $1 and accepted_at is null and revoked_at is null
           and expires_at > clock_timestamp()) as open,
       (select count(*)::integer from invitations
         where reseller_id = $1 and created_at > clock_timestamp() - interval '1 day') as of_reseller,
       (select count(*)::integer from invitations
         where lower(email) = lower($2) and created_at > clock_timestamp() - interval '1 day') as of_address`,
    [resellerId, email],
  )
  const [row] = rows
  assert(row !== undefined, 'a select without a table gives a row')
  return { open: row.open, ofReseller: row.of_reseller, ofAddress: row.of_address }
}

/** Deletes at most `limit` invitations that expired more than 30 days ago. */
export async function deleteOldInvitations(connection: Queryable, limit: number): Promise<number> {
  const { rowCount } = await connection.query(
    `delete from invitations where (reseller_id, id) in (
       select reseller_id, id from invitations
        where expires_at < statement_timestamp() - interval '30 days' order by expires_at limit $1)`,
    [limit],
  )
  return rowCount
}

/** Lists the newest first. */
export async function listInvitationRows(
  connection: Queryable,
  resellerId: bigint,
  limit: number,
): Promise<Invitation[]> {
  const { rows } = await connection.query<InvitationRow>(
    `select ${INVITATION} from invitations where reseller_id = $1 order by created_at desc, id desc limit $2`,
    [resellerId, limit],
  )
  return rows.map(invitationOf)
}

/** undefined: no such invitation is open. */
export async function revokeInvitationRow(
  tx: Tx,
  resellerId: bigint,
  id: bigint,
): Promise<Invitation | undefined> {
  const { rows } = await tx.query<InvitationRow>(
    `update invitations set revoked_at = statement_timestamp()
      where reseller_id = $1 and id = $2 and accepted_at is null and revoked_at is null
        and expires_at > statement_timestamp()
      returning ${INVITATION}`,
    [resellerId, id],
  )
  return rows[0] && invitationOf(rows[0])
}

export type TakenInvitation = {
  readonly resellerId: bigint
  readonly id: bigint
  readonly email: string
  readonly role: UserRole
}

/**
 * Takes an open invitation whose inviter may still invite. It is then accepted, unless the transaction is rolled back.
 * undefined: there is none.
 */
export async function takeInvitation(tx: Tx, digest: Buffer): Promise<TakenInvitation | undefined> {
  const { rows } = await tx.query<{ reseller_id: bigint; id: bigint; email: string; role: UserRole }>(
    `update invitations i set accepted_at = statement_timestamp()
      where i.digest = $1 and i.accepted_at is null and i.revoked_at is null
        and i.expires_at > statement_timestamp()
        and exists (select from people p
                     where p.kind = 'member' and p.reseller_id = i.reseller_id and p.id = i.invited_by
                       and p.is_active and p.role = 'admin')
      returning i.reseller_id, i.id, i.email, i.role`,
    [digest],
  )
  const row = rows[0]
  return row && { resellerId: row.reseller_id, id: row.id, email: row.email, role: row.role }
}

export async function markAccepted(
  tx: Tx,
  { resellerId, id }: TakenInvitation,
  userId: bigint,
): Promise<void> {
  await tx.query('update invitations set accepted_by = $3 where reseller_id = $1 and id = $2', [
    resellerId,
    id,
    userId,
  ])
}

/** Lists these users, and everybody who was invited since then by them, or by somebody whom they invited. */
export async function listInvitedSince(
  tx: Tx,
  resellerId: bigint,
  { userId, since }: { readonly userId: bigint; readonly since: Date },
): Promise<bigint[]> {
  const { rows } = await tx.query<{ id: bigint }>(
    `with recursive invited as (
       select $2::bigint as id
       union
       select i.accepted_by from invitations i join invited by on i.invited_by = by.id
        where i.reseller_id = $1 and i.accepted_by is not null and i.accepted_at >= $3
     ) select id from invited order by id`,
    [resellerId, userId, since],
  )
  return rows.map(({ id }) => id)
}
