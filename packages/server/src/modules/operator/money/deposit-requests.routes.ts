import { Type } from 'typebox'
import { resource } from '../../../http/codec.ts'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { parameter } from '../../../http/parameters.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { formatDay } from '../../../lib/dates.ts'
import { invalidFields } from '../../../lib/errors.ts'
import { oneOf, readFields } from '../../../lib/input/fields.ts'
import { parseId } from '../../../lib/input/ids.ts'
import { optional } from '../../../lib/input/parameters.ts'
import { formatMoney } from '../../../lib/money.ts'
import { findReseller } from '../../accounts/public.sql.ts'
import { resellerNotFound } from '../../accounts/service.ts'
import { creditDeposit, refuseDeposit } from '../../deposits/acts.ts'
import type { NamedRequest } from '../../deposits/service.ts'
import { getRequest, listDepositRequests, openSlip, withNames } from '../../deposits/service.ts'
import type { DepositRequest } from '../../deposits/types.ts'
import { DEPOSIT_STATES, SLIP_KINDS } from '../../deposits/types.ts'
import { SlipFile, slipHeaders } from '../../deposits/view.ts'
import type { OperatorStage } from '../kit/acts.service.ts'
import { operatorAct } from '../kit/acts.service.ts'
import { ApprovalResponse } from '../kit/approvals.codec.ts'
import { PAGE_RULES, pageOf, plainText, unknown } from '../kit/pages.rules.ts'
import { rolesFor } from '../kit/roles.rules.ts'
import { dataOf, Id, Instant, listOf, PAGE_PARAMETERS } from '../kit/schemas.ts'
import type { MoneyContext } from '../kit/types.ts'

const TAG = 'Deposit requests'
const PATH = '/operator/v1/deposit-requests'

const LIST_RULES = {
  ...PAGE_RULES,
  state: optional(oneOf(DEPOSIT_STATES), null),
  account: optional(plainText(40), null),
}

const DEPOSIT_REQUEST = resource<NamedRequest>()('Reported deposit', {
  id: [Type.String(), ({ request }) => String(request.id)],
  state: [
    enumOf(DEPOSIT_STATES, 'accepted: a second operator has not decided yet; credited: in the wallet'),
    ({ request }) => request.state,
  ],
  reseller: [Type.Object({ account: Type.String(), name: Type.String() }), ({ reseller }) => reseller],
  amount: [Type.String({ description: 'Ringgit' }), ({ request }) => formatMoney(request.amount)],
  transferred_on: [
    Type.String({ description: 'yyyy-MM-dd' }),
    ({ request }) => formatDay(request.transferredOn),
  ],
  bank_reference: [Type.String(), ({ request }) => request.bankReference],
  note: [Type.String(), ({ request }) => request.note],
  slip: [
    Type.Object({ kind: enumOf(SLIP_KINDS), bytes: Type.Integer() }),
    ({ request: { slip } }) => ({ kind: slip.kind, bytes: slip.size }),
  ],
  reported_by: [Type.String({ description: "The member's username" }), ({ request }) => request.reporter],
  reported_at: [Instant, ({ request }) => request.reportedAt.toISOString()],
  changed_at: [Instant, ({ request }) => request.changedAt.toISOString()],
  decided_by: [orNull(Type.String(), 'Operator who accepted or refused it'), ({ decidedBy }) => decidedBy],
  approval_id: [
    orNull(Type.String(), 'Change that a second operator has to approve'),
    ({ request: { approvalId } }) => (approvalId === null ? null : String(approvalId)),
  ],
  refusal: [
    orNull(Type.String(), 'Why it was refused; the reseller sees it'),
    ({ request: { refusal } }) => (refusal === '' ? null : refusal),
  ],
  entry_number: [
    orNull(Type.String(), "The wallet's entry, once credited"),
    ({ request: { entrySequence } }) => (entrySequence === null ? null : String(entrySequence)),
  ],
  same_reference: [
    Type.Array(Type.Object({ id: Type.String(), account: Type.String() }), {
      description: 'Other requests with the same reference of the bank that are open or credited: look twice',
    }),
    ({ sameReference }) => sameReference.map(({ id, account }) => ({ id: String(id), account })),
  ],
})

type Context = Pick<MoneyContext, 'database' | 'vault'>

export function operatorDepositRequestOperations(
  stage: OperatorStage<unknown>,
  context: Context,
): Operation[] {
  return [...readOperations(stage, context), ...decisionOperations(stage)]
}

function readOperations({ authenticate }: OperatorStage<unknown>, { database, vault }: Context): Operation[] {
  const params = Type.Object({ id: Id })
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: {
        operationId: 'listDepositRequests',
        summary: 'Bank transfers that resellers report, newest first',
        tag: TAG,
      },
      schemas: {
        query: Type.Object({
          state: parameter(LIST_RULES.state, 'Requests in this state alone'),
          account: parameter(LIST_RULES.account, 'Requests of this reseller alone'),
          ...PAGE_PARAMETERS,
        }),
        responses: { 200: listOf(DEPOSIT_REQUEST.schema) },
      },
      authenticate: authenticate(...rolesFor('money.read')),
      async handle({ query }) {
        const { limit, cursor, state, account } = readFields(LIST_RULES, query)
        const beforeId = cursor === null ? null : (parseId(cursor) ?? 0n)
        const resellerId = account === null ? null : await resellerIdOf(database, account)
        const filter = { resellerId, state, beforeId, limit: limit + 1 }
        const found = await listDepositRequests(database, filter)
        const { items, cursor: next } = pageOf(found, limit, ({ id }) => String(id))
        const data = (await withNames(database, items)).map((each) => DEPOSIT_REQUEST.encode(each))
        return { status: 200, body: { data, cursor: next, has_more: next !== null } }
      },
    }),
    operation({
      method: 'GET',
      path: `${PATH}/:id`,
      docs: { operationId: 'getDepositRequest', summary: 'One of them', tag: TAG },
      schemas: { params, responses: { 200: dataOf(DEPOSIT_REQUEST.schema) } },
      authenticate: authenticate(...rolesFor('money.read')),
      async handle({ params: { id } }) {
        const [found] = await withNames(database, [await find(database, id)])
        if (found === undefined) throw unknown('deposit request')
        return { status: 200, body: { data: DEPOSIT_REQUEST.encode(found) } }
      },
    }),
    operation({
      method: 'GET',
      path: `${PATH}/:id/slip`,
      docs: { operationId: 'getDepositRequestSlip', summary: 'The slip of a transfer, as a file', tag: TAG },
      schemas: { params, responses: { 200: SlipFile } },
      authenticate: authenticate(...rolesFor('money.read')),
      async handle({ params: { id } }) {
        const request = await find(database, id)
        const body = await openSlip(database, vault, request.id, null)
        return { status: 200, body, headers: slipHeaders(request) }
      },
    }),
  ]
}

async function resellerIdOf(database: Context['database'], account: string): Promise<bigint> {
  const reseller = await findReseller(database, account)
  if (reseller !== undefined) return reseller.id
  throw invalidFields({ account: [(await resellerNotFound(database, account)).publicText] })
}

async function find(database: Context['database'], id: string): Promise<DepositRequest> {
  const read = parseId(id)
  if (read === undefined) throw unknown('deposit request')
  return getRequest(database, read, null)
}

function decisionOperations(stage: OperatorStage<unknown>): Operation[] {
  return [
    operatorAct(stage, {
      act: creditDeposit,
      method: 'POST',
      path: `${PATH}/:id/accept`,
      permission: 'money.write',
      docs: {
        operationId: 'acceptDepositRequest',
        summary: 'Ask for the deposit that a reseller reports',
        description:
          'Nothing moves until another operator approves it; see `/operator/v1/approvals`. If the approval is refused, ' +
          'withdrawn or runs out, the transfer is reported again. Sent again by the same operator it answers the same.',
        tag: TAG,
      },
      body: 'Accept deposit request',
      without: ['amount'],
      asked: ApprovalResponse,
      also: [409],
    }),
    operatorAct(stage, {
      act: refuseDeposit,
      method: 'POST',
      path: `${PATH}/:id/refuse`,
      permission: 'money.write',
      docs: {
        operationId: 'refuseDepositRequest',
        summary: 'Refuse a reported transfer; the reseller sees why',
        tag: TAG,
      },
      body: 'Reason request',
      answer: DEPOSIT_REQUEST.schema,
      also: [409],
      view: (request) => DEPOSIT_REQUEST.encode(request),
    }),
  ]
}
