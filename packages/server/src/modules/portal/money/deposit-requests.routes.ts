import { Type } from 'typebox'
import { resource } from '../../../http/codec.ts'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { documentedAs, parameter } from '../../../http/parameters.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { formatDay } from '../../../lib/dates.ts'
import { oneOf, readFields } from '../../../lib/input/fields.ts'
import { ID, parseId } from '../../../lib/input/ids.ts'
import { optional } from '../../../lib/input/parameters.ts'
import { formatMoney } from '../../../lib/money.ts'
import { reportDeposit, withdrawDeposit } from '../../deposits/acts.ts'
import { getRequest, listDepositRequests, openSlip } from '../../deposits/service.ts'
import { SLIP_TEXT_MAX } from '../../deposits/slips.rules.ts'
import type { DepositRequest } from '../../deposits/types.ts'
import { DEPOSIT_STATES, SLIP_KINDS } from '../../deposits/types.ts'
import { SlipFile, slipHeaders } from '../../deposits/view.ts'
import type { MemberCaller } from '../../sessions/people/types.ts'
import { notFound } from '../access/access.service.ts'
import { memberAct } from '../access/acts.service.ts'
import { PAGE_RULES } from '../access/parameters.rules.ts'
import { Day, dataOf, Instant, Money, PAGE, pageOf } from '../access/schemas.ts'
import type { PortalSettings } from '../access/types.ts'

const TAG = 'Deposit requests'
const PATH = '/portal/v1/deposit-requests'
/** Members of a body beside the slip. */
const FIELDS_BYTES = 8 * 1024

const LIST_RULES = { ...PAGE_RULES, state: optional(oneOf(DEPOSIT_STATES), null) }

/** Request as its reseller sees it. Who decided, and requests of other resellers, are not theirs to know. */
const DEPOSIT_REPORT = resource<DepositRequest>()('Deposit report', {
  id: [Type.String(), ({ id }) => String(id)],
  state: [enumOf(DEPOSIT_STATES), ({ state }) => state],
  amount: [Money, ({ amount }) => formatMoney(amount)],
  transferred_on: [Day, ({ transferredOn }) => formatDay(transferredOn)],
  bank_reference: [Type.String(), ({ bankReference }) => bankReference],
  note: [Type.String(), ({ note }) => note],
  slip: [
    Type.Object({ kind: enumOf(SLIP_KINDS), bytes: Type.Integer() }),
    ({ slip }) => ({ kind: slip.kind, bytes: slip.size }),
  ],
  reported_by: [Type.String({ description: 'Username' }), ({ reporter }) => reporter],
  reported_at: [Instant, ({ reportedAt }) => reportedAt.toISOString()],
  changed_at: [Instant, ({ changedAt }) => changedAt.toISOString()],
  refusal: [orNull(Type.String(), 'Why it was refused'), ({ refusal }) => (refusal === '' ? null : refusal)],
  entry_number: [
    orNull(Type.String(), 'Entry of the statement, once credited'),
    ({ entrySequence }) => (entrySequence === null ? null : String(entrySequence)),
  ],
  warnings: [
    Type.Array(
      Type.Object({
        code: enumOf(['same_bank_reference']),
        message: Type.String(),
        requests: Type.Array(Type.String(), { description: 'Ids of the other requests' }),
      }),
    ),
    warningsOf,
  ],
})

function warningsOf({ resellerId, sameReference }: DepositRequest) {
  const own = sameReference.filter((each) => each.resellerId === resellerId).map(({ id }) => String(id))
  if (own.length === 0) return []
  const message = `The same bank reference was reported before (${own.join(', ')}). A transfer is credited once.`
  return [{ code: 'same_bank_reference' as const, message, requests: own }]
}

export function portalDepositRequestOperations(settings: PortalSettings): Operation[] {
  return [...readOperations(settings), ...writeOperations(settings)]
}

function readOperations({ authenticate, database, vault }: PortalSettings): Operation[] {
  const params = Type.Object({
    id: documentedAs(ID, Type.String({ description: 'The id of a deposit request' })),
  })
  const find = ({ reseller }: MemberCaller, id: string) => {
    const read = parseId(id)
    if (read === undefined) throw notFound('deposit request')
    return getRequest(database, read, reseller.id)
  }
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: {
        operationId: 'portalListDepositRequests',
        summary: 'Bank transfers that were reported, newest first',
        tag: TAG,
      },
      schemas: {
        query: Type.Object({ state: parameter(LIST_RULES.state, 'Requests in this state alone'), ...PAGE }),
        responses: { 200: pageOf(DEPOSIT_REPORT.schema) },
      },
      authenticate: authenticate('deposits.read'),
      async handle({ caller: { reseller }, query }) {
        const { limit, cursor: beforeId, state } = readFields(LIST_RULES, query)
        const filter = { resellerId: reseller.id, state, beforeId, limit: limit + 1 }
        const found = await listDepositRequests(database, filter)
        const items = found.slice(0, limit)
        const last = items.at(-1)
        const cursor = found.length > limit && last !== undefined ? String(last.id) : null
        const data = items.map((each) => DEPOSIT_REPORT.encode(each))
        return { status: 200, body: { data, cursor, has_more: cursor !== null } }
      },
    }),
    operation({
      method: 'GET',
      path: `${PATH}/:id`,
      docs: { operationId: 'portalGetDepositRequest', summary: 'One of them', tag: TAG },
      schemas: { params, responses: { 200: dataOf(DEPOSIT_REPORT.schema) } },
      authenticate: authenticate('deposits.read'),
      async handle({ caller, params: { id } }) {
        return { status: 200, body: { data: DEPOSIT_REPORT.encode(await find(caller, id)) } }
      },
    }),
    operation({
      method: 'GET',
      path: `${PATH}/:id/slip`,
      docs: { operationId: 'portalGetDepositSlip', summary: 'The slip of a transfer, as a file', tag: TAG },
      schemas: { params, responses: { 200: SlipFile } },
      authenticate: authenticate('deposits.write'),
      async handle({ caller, params: { id } }) {
        const request = await find(caller, id)
        const body = await openSlip(database, vault, request.id, caller.reseller.id)
        return { status: 200, body, headers: slipHeaders(request) }
      },
    }),
  ]
}

function writeOperations(settings: PortalSettings): Operation[] {
  const { authenticate, log } = settings
  const stage = { authenticate, log, world: settings }
  const shown = {
    permission: 'deposits.write',
    answer: DEPOSIT_REPORT.schema,
    view: (request: DepositRequest) => DEPOSIT_REPORT.encode(request),
  } as const
  return [
    memberAct(stage, {
      ...shown,
      act: reportDeposit,
      method: 'POST',
      path: PATH,
      docs: {
        operationId: 'portalReportDeposit',
        summary: 'Report a bank transfer with its slip',
        description:
          'Finance compares it with the bank, and two people put it into the wallet. The same report with the same slip ' +
          'again is the first one.',
        tag: TAG,
      },
      body: 'Report deposit request',
      bodyLimits: { bytesMax: SLIP_TEXT_MAX + FIELDS_BYTES },
      status: 201,
    }),
    memberAct(stage, {
      ...shown,
      act: withdrawDeposit,
      method: 'POST',
      path: `${PATH}/:id/withdraw`,
      docs: {
        operationId: 'portalWithdrawDeposit',
        summary: 'Withdraw a report that nobody has accepted',
        tag: TAG,
      },
      hasBody: false,
    }),
  ]
}
