import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { slipHeaders } from '../../deposits/view.ts'
import type { OperatorAuthenticator } from '../../sessions/people/types.ts'
import { ApprovalResponse, DecisionBody } from '../console/approvals.schemas.ts'
import { approvalView } from '../console/approvals.view.ts'
import { pageView } from '../console/pages.rules.ts'
import { rolesFor } from '../console/roles.rules.ts'
import type { MoneyContext } from '../console/types.ts'
import {
  AcceptBody,
  DepositRequestListParameters,
  DepositRequestListResponse,
  DepositRequestParameters,
  DepositRequestResponse,
  SlipFile,
} from './deposit-requests.schemas.ts'
import {
  acceptForOperators,
  getForOperators,
  listForOperators,
  refuseForOperators,
  slipForOperators,
} from './deposit-requests.service.ts'
import { depositRequestView } from './deposit-requests.view.ts'

const TAG = 'Deposit requests'
const PATH = '/operator/v1/deposit-requests'

export function operatorDepositRequestOperations(
  authenticate: OperatorAuthenticator,
  context: MoneyContext,
): Operation[] {
  return [...readOperations(authenticate, context), ...decisionOperations(authenticate, context)]
}

function readOperations(authenticate: OperatorAuthenticator, context: MoneyContext): Operation[] {
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
        query: DepositRequestListParameters,
        responses: { 200: DepositRequestListResponse },
      },
      authenticate: authenticate(...rolesFor('money.read')),
      async handle({ query }) {
        return { status: 200, body: pageView(await listForOperators(context, query), depositRequestView) }
      },
    }),
    operation({
      method: 'GET',
      path: `${PATH}/:id`,
      docs: { operationId: 'getDepositRequest', summary: 'One of them', tag: TAG },
      schemas: {
        params: DepositRequestParameters,
        responses: { 200: DepositRequestResponse },
      },
      authenticate: authenticate(...rolesFor('money.read')),
      async handle({ params }) {
        return { status: 200, body: { data: depositRequestView(await getForOperators(context, params.id)) } }
      },
    }),
    operation({
      method: 'GET',
      path: `${PATH}/:id/slip`,
      docs: { operationId: 'getDepositRequestSlip', summary: 'The slip of a transfer, as a file', tag: TAG },
      schemas: { params: DepositRequestParameters, responses: { 200: SlipFile } },
      authenticate: authenticate(...rolesFor('money.read')),
      async handle({ params }) {
        const { request } = await getForOperators(context, params.id)
        const body = await slipForOperators(context, params.id)
        return { status: 200, body, headers: slipHeaders(request) }
      },
    }),
  ]
}

function decisionOperations(authenticate: OperatorAuthenticator, context: MoneyContext): Operation[] {
  return [
    operation({
      method: 'POST',
      path: `${PATH}/:id/accept`,
      docs: {
        operationId: 'acceptDepositRequest',
        summary: 'Ask for the deposit that a reseller reports',
        description:
          'Nothing moves until another operator approves it; see `/operator/v1/approvals`. If the approval is refused, ' +
          'withdrawn or runs out, the transfer is reported again. Sent again by the same operator it answers the same.',
        tag: TAG,
      },
      schemas: {
        params: DepositRequestParameters,
        body: AcceptBody,
        responses: { 202: ApprovalResponse },
      },
      also: [409],
      authenticate: authenticate(...rolesFor('money.write')),
      async handle({ caller, params, body: { reason, ...input } }) {
        const approval = await acceptForOperators(context, caller, params.id, input, reason)
        return { status: 202, body: { data: approvalView(approval) } }
      },
    }),
    operation({
      method: 'POST',
      path: `${PATH}/:id/refuse`,
      docs: {
        operationId: 'refuseDepositRequest',
        summary: 'Refuse a reported transfer; the reseller sees why',
        tag: TAG,
      },
      schemas: {
        params: DepositRequestParameters,
        body: DecisionBody,
        responses: { 200: DepositRequestResponse },
      },
      also: [409],
      authenticate: authenticate(...rolesFor('money.write')),
      async handle({ caller, params, body }) {
        const refused = await refuseForOperators(context, caller, params.id, body.reason)
        return { status: 200, body: { data: depositRequestView(refused) } }
      },
    }),
  ]
}
