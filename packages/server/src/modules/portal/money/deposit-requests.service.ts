import { dayOf } from '../../../lib/dates.ts'
import { readFields } from '../../../lib/input/fields.ts'
import { parseId } from '../../../lib/input/ids.ts'
import { formatMoney } from '../../../lib/money.ts'
import type { ReportInput } from '../../deposits/rules.ts'
import { readReport } from '../../deposits/rules.ts'
import {
  getRequest,
  listDepositRequests,
  openSlip,
  reportTransfer,
  withdrawRequest,
} from '../../deposits/service.ts'
import { readSlip } from '../../deposits/slips.rules.ts'
import type { DepositRequest } from '../../deposits/types.ts'
import type { MemberCaller } from '../../sessions/people/types.ts'
import { notFound } from '../access/access.service.ts'
import { logged } from '../access/log.service.ts'
import type { PortalSettings } from '../access/types.ts'
import { DEPOSIT_REQUEST_RULES } from './deposit-requests.rules.ts'

type Settings = Pick<PortalSettings, 'database' | 'vault' | 'sessions' | 'now'>

/** Reports a transfer. A report that was made before is answered with that one, and leaves no second line in the log. */
export async function report(
  settings: Settings,
  caller: MemberCaller,
  input: ReportInput & { readonly slip: string },
): Promise<DepositRequest> {
  const transfer = readReport(input, dayOf(settings.now().getTime()))
  const slip = readSlip(input.slip)
  const reporting = logged(settings, caller, 'deposit_request.report', async (tx) => {
    const { request, isRepeat } = await reportTransfer(tx, settings.vault, caller, transfer, slip)
    if (isRepeat) throw new Repeated(request)
    const after = {
      amount: formatMoney(request.amount),
      bank_reference: request.bankReference,
      slip: request.slip.kind,
    }
    return { target: targetOf(caller, request.id), before: null, after, result: request }
  })
  return reporting.catch((error: unknown) => {
    if (error instanceof Repeated) return error.request
    throw error
  })
}

class Repeated extends Error {
  readonly request: DepositRequest
  constructor(request: DepositRequest) {
    super('reported before')
    this.request = request
  }
}

export function withdraw(settings: Settings, caller: MemberCaller, id: string): Promise<DepositRequest> {
  const number = readRequestId(id)
  return logged(settings, caller, 'deposit_request.withdraw', async (tx) => {
    const { before, after } = await withdrawRequest(tx, number, caller.reseller.id)
    return {
      target: targetOf(caller, number),
      before: { state: before.state },
      after: { state: after.state },
      result: after,
    }
  })
}

type ListQuery = { readonly [name in keyof typeof DEPOSIT_REQUEST_RULES]?: string | undefined }

export async function list({ database }: Settings, { reseller }: MemberCaller, query: ListQuery) {
  const { limit, cursor, state } = readFields(DEPOSIT_REQUEST_RULES, query)
  const found = await listDepositRequests(database, {
    resellerId: reseller.id,
    state,
    beforeId: cursor,
    limit: limit + 1,
  })
  const items = found.slice(0, limit)
  const last = items.at(-1)
  return { items, cursor: found.length > limit && last !== undefined ? String(last.id) : null }
}

export function get({ database }: Settings, { reseller }: MemberCaller, id: string): Promise<DepositRequest> {
  return getRequest(database, readRequestId(id), reseller.id)
}

export function slipOf(
  { database, vault }: Settings,
  { reseller }: MemberCaller,
  id: string,
): Promise<Buffer> {
  return openSlip(database, vault, readRequestId(id), reseller.id)
}

function readRequestId(id: string): bigint {
  const read = parseId(id)
  if (read === undefined) throw notFound('deposit request')
  return read
}

function targetOf({ reseller }: MemberCaller, id: bigint) {
  return { kind: 'deposit_request', id: `${reseller.account}/${id}` }
}
