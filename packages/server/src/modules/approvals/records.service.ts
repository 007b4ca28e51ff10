import type { Queryable } from '../../db/database.ts'
import type { Vault } from '../../db/vault.ts'
import { withFreshKeys } from '../../db/vault.ts'
import { assert } from '../../lib/errors.ts'
import { listOperators, listUsers } from '../accounts/service.ts'
import type { ApprovalRow } from './sql.ts'
import type { Approval, ApprovalRequest, DeciderName } from './types.ts'

// A request is sealed as one piece, and read with the names of the people in it.

export type Sealed = Omit<ApprovalRequest, 'resellerId'> & {
  readonly requestedBy: string
  readonly resellerId?: string
}

const contextOf = (id: bigint) => `approval:${id}`

export function sealedOf(
  { kind, target, command, reason, resellerId }: ApprovalRequest,
  requestedBy: bigint,
): Sealed {
  const sealed = { kind, target, command, reason, requestedBy: String(requestedBy) }
  return resellerId === undefined ? sealed : { ...sealed, resellerId: String(resellerId) }
}

export function seal(vault: Vault, id: bigint, requestedBy: bigint, asked: ApprovalRequest): Buffer {
  return vault.seal(contextOf(id), Buffer.from(JSON.stringify(sealedOf(asked, requestedBy)), 'utf8'))
}

export function unseal(vault: Vault, { id, sealed_request: sealed }: ApprovalRow): Promise<Sealed> {
  return withFreshKeys(vault, () => JSON.parse(vault.open(contextOf(id), sealed).toString('utf8')) as Sealed)
}

export async function read(connection: Queryable, vault: Vault, row: ApprovalRow): Promise<Approval> {
  return open(connection, vault, row, await listEmails(connection))
}

export async function readAll(
  connection: Queryable,
  vault: Vault,
  rows: readonly ApprovalRow[],
): Promise<Approval[]> {
  const emails = await listEmails(connection)
  return Promise.all(rows.map((row) => open(connection, vault, row, emails)))
}

type Emails = ReadonlyMap<bigint, string>

async function open(
  connection: Queryable,
  vault: Vault,
  row: ApprovalRow,
  emails: Emails,
): Promise<Approval> {
  const { requestedBy, resellerId: reseller, ...asked } = await unseal(vault, row)
  const resellerId = reseller === undefined ? undefined : BigInt(reseller)
  // The row's plain columns may have been changed; the sealed values count.
  assert(
    BigInt(requestedBy) === row.requested_by &&
      asked.kind === row.kind &&
      (resellerId ?? null) === row.reseller_id,
    `approval ${row.id} was changed`,
  )
  const by = row.decided_at === null ? undefined : await deciderNamed(connection, row, emails)
  return {
    ...asked,
    ...(resellerId === undefined ? {} : { resellerId }),
    id: row.id,
    state: row.state,
    requestedBy: { id: row.requested_by, email: emails.get(row.requested_by) ?? '' },
    requestedAt: row.requested_at,
    expiresAt: row.expires_at,
    decision:
      by === undefined || row.decided_at === null
        ? null
        : { by, at: row.decided_at, reason: row.decision_reason ?? '', outcome: row.outcome },
  }
}

async function deciderNamed(
  connection: Queryable,
  {
    reseller_id: resellerId,
    decided_by: operator,
    decided_by_user: member,
    decided_by_link: link,
  }: ApprovalRow,
  emails: Emails,
): Promise<DeciderName> {
  if (operator !== null) return { kind: 'operator', id: operator, name: emails.get(operator) ?? '' }
  if (link !== null) return { kind: 'link', id: null, name: link }
  assert(member !== null && resellerId !== null, 'a decided request has a decider')
  const name = (await listUsers(connection, resellerId)).find(({ id }) => id === member)?.username ?? ''
  return { kind: 'member', id: member, name }
}

/** Lists all emails: operators are few, and are never deleted. */
async function listEmails(connection: Queryable): Promise<Emails> {
  return new Map((await listOperators(connection)).map(({ id, email }) => [id, email]))
}
