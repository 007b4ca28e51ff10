import { createHash } from 'node:crypto'
import type { Queryable, Tx } from '../../db/database.ts'
import type { Vault } from '../../db/vault.ts'
import { withFreshKeys } from '../../db/vault.ts'
import { assert, RequestError } from '../../lib/errors.ts'
import { formatMoney } from '../../lib/money.ts'
import { findResellerWithId } from '../accounts/public.sql.ts'
import { listOperators } from '../accounts/service.ts'
import { raiseAlert } from '../alerts/core/service.ts'
import type { Posted } from '../wallet/balance/service.ts'
import { ALERT_KIND, OPEN_MAX, PER_DAY_MAX, refuseMove, slipContext, unknownRequest } from './rules.ts'
import {
  clearReportAlert,
  countReports,
  findRequest,
  findSameReport,
  findSealedSlip,
  insertRequest,
  listRequests,
  lockReports,
  lockRequest,
  moveRequest,
  takeId,
} from './sql.ts'
import type { DepositFilter, DepositRequest, ReportedTransfer, Slip } from './types.ts'

/** Member who reports a transfer. */
export type Reporter = {
  readonly userId: bigint
  readonly username: string
  readonly reseller: { readonly id: bigint; readonly account: string }
}

export type Report = { readonly request: DepositRequest; readonly isRepeat: boolean }

/**
 * Records a transfer that a reseller reports, with its slip. The same report with the same slip is found again instead:
 * a client that lost the answer sends it once more.
 */
export async function reportTransfer(
  tx: Tx,
  vault: Vault,
  { userId, username, reseller }: Reporter,
  transfer: ReportedTransfer,
  slip: Slip,
): Promise<Report> {
  await lockReports(tx, reseller.id)
  const slipDigest = createHash('sha256').update(slip.bytes).digest()
  const earlier = await findSameReport(tx, reseller.id, transfer, slipDigest)
  if (earlier !== undefined) return { request: await getRequest(tx, earlier, reseller.id), isRepeat: true }
  const { open, today } = await countReports(tx, reseller.id)
  if (open >= OPEN_MAX || today >= PER_DAY_MAX) throw tooMany()
  const id = await takeId(tx)
  await insertRequest(tx, {
    ...transfer,
    id,
    resellerId: reseller.id,
    reportedBy: userId,
    reporter: username,
    slipKind: slip.kind,
    slipBytes: slip.bytes.length,
    slipDigest,
    sealedSlip: vault.seal(slipContext(reseller.id, id), slip.bytes),
  })
  const text =
    `Reseller ${reseller.account} reports a transfer of MYR ${formatMoney(transfer.amount)}: ` +
    `deposit request ${id} waits for finance.`
  await raiseAlert(tx, { kind: ALERT_KIND, subject: String(id), text })
  return { request: await getRequest(tx, id, reseller.id), isRepeat: false }
}

function tooMany(): RequestError {
  return new RequestError({
    status: 409,
    code: 'too_many_deposit_requests',
    publicText: `At most ${OPEN_MAX} deposit requests wait at once, and ${PER_DAY_MAX} are reported in a day.`,
  })
}

/** Reads a request. With a reseller, another reseller's is unknown. */
export async function getRequest(
  connection: Queryable,
  id: bigint,
  resellerId: bigint | null,
): Promise<DepositRequest> {
  const found = await findRequest(connection, id, resellerId)
  if (found === undefined) throw unknownRequest()
  return found
}

/** Lists the newest first. */
export function listDepositRequests(connection: Queryable, filter: DepositFilter): Promise<DepositRequest[]> {
  return listRequests(connection, filter)
}

/** Request with the names that operators know. */
export type NamedRequest = {
  readonly request: DepositRequest
  readonly reseller: { readonly account: string; readonly name: string }
  readonly decidedBy: string | null
  readonly sameReference: readonly { readonly id: bigint; readonly account: string }[]
}

export async function withNames(
  connection: Queryable,
  requests: readonly DepositRequest[],
): Promise<NamedRequest[]> {
  const ids = requests.flatMap(({ resellerId, sameReference }) => [
    resellerId,
    ...sameReference.map((each) => each.resellerId),
  ])
  const resellers = new Map<bigint, NamedRequest['reseller']>()
  for (const id of new Set(ids)) {
    const found = await findResellerWithId(connection, id)
    if (found !== undefined) resellers.set(id, { account: found.account, name: found.name })
  }
  const emails = new Map((await listOperators(connection)).map(({ id, email }) => [id, email]))
  const resellerOf = (id: bigint) => resellers.get(id) ?? { account: '', name: '' }
  return requests.map((request) => ({
    request,
    reseller: resellerOf(request.resellerId),
    decidedBy: request.decidedBy === null ? null : (emails.get(request.decidedBy) ?? null),
    sameReference: request.sameReference.map(({ id, resellerId }) => ({
      id,
      account: resellerOf(resellerId).account,
    })),
  }))
}

/** Opens the slip of a request. */
export async function openSlip(
  connection: Queryable,
  vault: Vault,
  id: bigint,
  resellerId: bigint | null,
): Promise<Buffer> {
  const found = await findSealedSlip(connection, id, resellerId)
  if (found === undefined) throw unknownRequest()
  return withFreshKeys(vault, () => vault.open(slipContext(found.resellerId, id), found.sealed))
}

// ── Changes of state, each under the lock of the row ──

/** Change of a request, for the log. */
export type Moved = { readonly before: DepositRequest; readonly after: DepositRequest }

export async function withdrawRequest(tx: Tx, id: bigint, resellerId: bigint): Promise<Moved> {
  const before = await lockFor(tx, id, resellerId, 'withdrawn')
  await moveRequest(tx, before, { state: 'withdrawn' })
  return end(tx, before)
}

export async function refuseRequest(
  tx: Tx,
  id: bigint,
  { operatorId, reason }: { readonly operatorId: bigint; readonly reason: string },
): Promise<Moved> {
  const before = await lockFor(tx, id, null, 'refused')
  await moveRequest(tx, before, { state: 'refused', decidedBy: operatorId, refusal: reason })
  return end(tx, before)
}

/** Binds a request to the approval that asks for its deposit. The alert stays until the money is in the wallet. */
export async function acceptRequest(
  tx: Tx,
  id: bigint,
  { operatorId, approvalId }: { readonly operatorId: bigint; readonly approvalId: bigint },
): Promise<void> {
  const before = await lockFor(tx, id, null, 'accepted')
  await moveRequest(tx, before, { state: 'accepted', approvalId, decidedBy: operatorId })
}

/**
 * Credits a request in the commit of its approval. `post` moves the money. Only the approval that the request waits for
 * can credit it, so it is credited once.
 */
export async function creditRequest(
  tx: Tx,
  id: bigint,
  approvalId: bigint,
  post: (request: DepositRequest) => Promise<Posted>,
): Promise<{ readonly posted: Posted; readonly request: DepositRequest }> {
  const before = await lockFor(tx, id, null, 'credited')
  if (before.approvalId !== approvalId) refuseMove('reported', 'credited')
  const posted = await post(before)
  await moveRequest(tx, before, { state: 'credited', approvalId, entrySequence: posted.sequence })
  const { after } = await end(tx, before)
  return { posted, request: after }
}

async function lockFor(
  tx: Tx,
  id: bigint,
  resellerId: bigint | null,
  to: DepositRequest['state'],
): Promise<DepositRequest> {
  const locked = await lockRequest(tx, id, resellerId)
  if (locked === undefined) throw unknownRequest()
  refuseMove(locked.state, to)
  return locked
}

async function end(tx: Tx, before: DepositRequest): Promise<Moved> {
  await clearReportAlert(tx, before.id)
  const after = await findRequest(tx, before.id, before.resellerId)
  assert(after !== undefined, 'requests are kept')
  return { before, after }
}
