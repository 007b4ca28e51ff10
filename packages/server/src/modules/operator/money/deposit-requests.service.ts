import { readAfterCommit } from '../../../db/after-commit.ts'
import type { Queryable } from '../../../db/database.ts'
import { assert, invalidFields } from '../../../lib/errors.ts'
import { readFields } from '../../../lib/input/fields.ts'
import { parseId } from '../../../lib/input/ids.ts'
import { formatMoney } from '../../../lib/money.ts'
import { findReseller, findResellerWithId } from '../../accounts/public.sql.ts'
import { listOperators, resellerNotFound } from '../../accounts/service.ts'
import type { Approval, Executor } from '../../approvals/types.ts'
import { audited, readReason } from '../../audit/service.ts'
import {
  acceptRequest,
  creditRequest,
  getRequest,
  listDepositRequests,
  openSlip,
  refuseRequest,
} from '../../deposits/service.ts'
import type { DepositRequest } from '../../deposits/types.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import { deposit, holdWallet } from '../../wallet/balance/service.ts'
import type { Page } from '../console/pages.rules.ts'
import { pageOf, unknown } from '../console/pages.rules.ts'
import type { MoneyContext } from '../console/types.ts'
import { ACCEPT_RULES, DEPOSIT_LIST_RULES } from './deposit-requests.rules.ts'
import { POSTING_RULES, postedBefore } from './money.rules.ts'
import { OWN_REFERENCES } from './money.service.ts'

export type ListedReseller = { readonly account: string; readonly name: string }

/** Request with the names that operators know. */
export type OperatorDepositRequest = {
  readonly request: DepositRequest
  readonly reseller: ListedReseller
  readonly decidedBy: string | null
  readonly sameReference: readonly { readonly id: bigint; readonly account: string }[]
}

export type DepositListQuery = { readonly [name in keyof typeof DEPOSIT_LIST_RULES]?: string | undefined }

export async function listForOperators(
  { database }: Pick<MoneyContext, 'database'>,
  query: DepositListQuery,
): Promise<Page<OperatorDepositRequest>> {
  const { limit, cursor, state, account } = readFields(DEPOSIT_LIST_RULES, query)
  const reseller = account === null ? undefined : await findReseller(database, account)
  if (account !== null && reseller === undefined) {
    throw invalidFields({ account: [(await resellerNotFound(database, account)).publicText] })
  }
  const found = await listDepositRequests(database, {
    resellerId: reseller?.id ?? null,
    state,
    beforeId: cursor === null ? null : (parseId(cursor) ?? 0n),
    limit: limit + 1,
  })
  const { items, cursor: next } = pageOf(found, limit, ({ id }) => String(id))
  return { items: await named(database, items), cursor: next }
}

export async function getForOperators(
  { database }: Pick<MoneyContext, 'database'>,
  id: string,
): Promise<OperatorDepositRequest> {
  const [found] = await named(database, [await getRequest(database, readRequestId(id), null)])
  assert(found !== undefined, 'one request has one name')
  return found
}

export function slipForOperators({ database, vault }: MoneyContext, id: string): Promise<Buffer> {
  return openSlip(database, vault, readRequestId(id), null)
}

function readRequestId(id: string): bigint {
  const read = parseId(id)
  if (read === undefined) throw unknown('deposit request')
  return read
}

async function named(
  connection: Queryable,
  requests: readonly DepositRequest[],
): Promise<OperatorDepositRequest[]> {
  const ids = requests.flatMap(({ resellerId, sameReference }) => [
    resellerId,
    ...sameReference.map((each) => each.resellerId),
  ])
  const resellers = new Map<bigint, ListedReseller>()
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

// ── Decisions ──

export type AcceptInput = {
  readonly reference?: string | undefined
  readonly remarks?: string | undefined
}

/**
 * Accepts a request: it becomes a request for a deposit, which a second operator approves. The bank's reference is the
 * entry's, so that a deposit that was posted by hand before is not posted again.
 */
export async function acceptForOperators(
  { database, approvals }: Pick<MoneyContext, 'database' | 'approvals'>,
  caller: OperatorCaller,
  id: string,
  input: AcceptInput,
  reason: unknown,
): Promise<Approval> {
  const given = readFields(ACCEPT_RULES, input)
  const request = await getRequest(database, readRequestId(id), null)
  const reseller = await findResellerWithId(database, request.resellerId)
  assert(reseller !== undefined, 'resellers are kept')
  const reference = given.reference ?? request.bankReference
  if (reference.startsWith(OWN_REFERENCES)) {
    throw invalidFields({ reference: [`must not begin with ${OWN_REFERENCES}, as those of approvals do`] })
  }
  return approvals.request(caller, {
    kind: 'deposit_request',
    target: { kind: 'wallet', id: reseller.account },
    command: {
      deposit_request: String(request.id),
      account: reseller.account,
      amount: formatMoney(request.amount),
      remarks: given.remarks ?? `Bank transfer ${request.bankReference}`,
      reference,
    },
    reason,
    isRepeatable: true,
    alongside: (tx, approvalId) =>
      acceptRequest(tx, request.id, { operatorId: caller.operatorId, approvalId }),
  })
}

/** Executes an accepted request. The wallet is locked first, as everywhere. */
export const depositRequestExecutor: Executor = async (tx, _database, { id: approvalId, command }) => {
  const { account, deposit_request: number } = command
  assert(typeof account === 'string' && typeof number === 'string', 'a command names account and request')
  const { amount, remarks, reference } = readFields(POSTING_RULES.deposit, command)
  assert(reference !== null, 'every posting has a reference')
  const { resellerId } = await getRequest(tx, BigInt(number), null)
  await holdWallet(tx, resellerId)
  const { posted } = await creditRequest(tx, BigInt(number), approvalId, async (request) => {
    assert(request.amount === amount, 'a request keeps its amount')
    return deposit(tx, { resellerId, amount, remarks, reference })
  })
  if (posted.isRepeat) throw postedBefore(reference, amount, posted.sequence)
  const after = {
    deposit_request: number,
    entry: String(posted.sequence),
    amount: formatMoney(amount),
    balance: formatMoney(posted.balanceAfter),
  }
  return {
    target: { kind: 'wallet', id: account },
    before: { balance: formatMoney(posted.balanceAfter - amount) },
    after,
    result: after,
  }
}

export async function refuseForOperators(
  context: Pick<MoneyContext, 'database' | 'log'>,
  caller: OperatorCaller,
  id: string,
  givenReason: unknown,
): Promise<OperatorDepositRequest> {
  const number = readRequestId(id)
  const reason = readReason(givenReason)
  const act = { caller, action: 'deposit_request.refuse', reason }
  await audited(context.log, act, async (tx) => {
    const moved = await refuseRequest(tx, number, { operatorId: caller.operatorId, reason })
    return {
      target: { kind: 'deposit_request', id: String(number) },
      before: { state: moved.before.state },
      after: { state: moved.after.state },
      result: undefined,
    }
  })
  return readAfterCommit(() => getForOperators(context, id))
}
