import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { SLIP_TEXT_MAX } from '../../deposits/slips.rules.ts'
import { slipHeaders } from '../../deposits/view.ts'
import type { PortalSettings } from '../access/types.ts'
import { bodyBytesMax } from './deposit-requests.rules.ts'
import {
  DepositRequestBody,
  DepositRequestParams,
  DepositRequestResponse,
  DepositRequestsParameters,
  DepositRequestsResponse,
  SlipFile,
} from './deposit-requests.schemas.ts'
import { get, list, report, slipOf, withdraw } from './deposit-requests.service.ts'
import { depositRequestView } from './deposit-requests.view.ts'

const TAG = 'Deposit requests'
const PATH = '/portal/v1/deposit-requests'

export function portalDepositRequestOperations(settings: PortalSettings): Operation[] {
  return [...readOperations(settings), ...writeOperations(settings)]
}

function readOperations(settings: PortalSettings): Operation[] {
  const { authenticate } = settings
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
        query: DepositRequestsParameters,
        responses: { 200: DepositRequestsResponse },
      },
      authenticate: authenticate('viewer'),
      async handle({ caller, query }) {
        const { items, cursor } = await list(settings, caller, query)
        const body = { data: items.map(depositRequestView), cursor, has_more: cursor !== null }
        return { status: 200, body }
      },
    }),
    operation({
      method: 'GET',
      path: `${PATH}/:id`,
      docs: { operationId: 'portalGetDepositRequest', summary: 'One of them', tag: TAG },
      schemas: { params: DepositRequestParams, responses: { 200: DepositRequestResponse } },
      authenticate: authenticate('viewer'),
      async handle({ caller, params }) {
        return { status: 200, body: { data: depositRequestView(await get(settings, caller, params.id)) } }
      },
    }),
    operation({
      method: 'GET',
      path: `${PATH}/:id/slip`,
      docs: { operationId: 'portalGetDepositSlip', summary: 'The slip of a transfer, as a file', tag: TAG },
      schemas: { params: DepositRequestParams, responses: { 200: SlipFile } },
      authenticate: authenticate('admin'),
      async handle({ caller, params }) {
        const request = await get(settings, caller, params.id)
        const body = await slipOf(settings, caller, params.id)
        return { status: 200, body, headers: slipHeaders(request) }
      },
    }),
  ]
}

function writeOperations(settings: PortalSettings): Operation[] {
  const { authenticate } = settings
  return [
    operation({
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
      schemas: { body: DepositRequestBody, responses: { 201: DepositRequestResponse } },
      bodyLimits: { bytesMax: bodyBytesMax(SLIP_TEXT_MAX) },
      authenticate: authenticate('admin'),
      async handle({ caller, body }) {
        const request = await report(settings, caller, body)
        return { status: 201, body: { data: depositRequestView(request) } }
      },
    }),
    operation({
      method: 'POST',
      path: `${PATH}/:id/withdraw`,
      docs: {
        operationId: 'portalWithdrawDeposit',
        summary: 'Withdraw a report that nobody has accepted',
        tag: TAG,
      },
      schemas: { params: DepositRequestParams, responses: { 200: DepositRequestResponse } },
      authenticate: authenticate('admin'),
      async handle({ caller, params }) {
        const request = await withdraw(settings, caller, params.id)
        return { status: 200, body: { data: depositRequestView(request) } }
      },
    }),
  ]
}
