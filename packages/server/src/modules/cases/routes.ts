import { parseJsonBody } from '../../http/body.ts'
import type { IncomingRequest, Operation } from '../../http/operation.ts'
import { operation } from '../../http/operation.ts'
import { RequestError } from '../../lib/errors.ts'
import type { Authenticator } from '../auth/service.ts'
import { readCaseFilter } from './listing.rules.ts'
import { readSupportRequest, unreadableRequest } from './rules.ts'
import {
  CaseListParameters,
  CaseListResponse,
  CaseParameters,
  CaseResponse,
  DisputeBody,
  SupportResponse,
  VoidBody,
} from './schemas.ts'
import type { Cases } from './service.ts'
import type { CaseKind } from './types.ts'
import { caseListView, caseReportView, supportView } from './view.ts'

const TAG = 'Support'

export function caseOperations(authenticate: Authenticator, cases: Cases): Operation[] {
  return [
    supportOperation(authenticate, cases, 'dispute'),
    supportOperation(authenticate, cases, 'void'),
    operation({
      method: 'GET',
      path: '/v2/cases',
      docs: {
        operationId: 'listCases',
        summary: 'Disputes and voids of this account, newest first',
        tag: TAG,
      },
      schemas: {
        query: CaseListParameters,
        responses: { 200: CaseListResponse },
      },
      authenticate: authenticate('read'),
      async handle({ caller, query }) {
        const page = await cases.list(caller.reseller.id, readCaseFilter(query))
        return { status: 200, body: caseListView(page) }
      },
    }),
    operation({
      method: 'GET',
      path: '/v2/cases/:number',
      docs: { operationId: 'getCase', summary: 'A dispute or void with its messages', tag: TAG },
      schemas: {
        params: CaseParameters,
        responses: { 200: CaseResponse },
      },
      authenticate: authenticate('read'),
      async handle({ caller, params }) {
        const report = await cases.get(caller.reseller.id, params.number)
        return { status: 200, body: { data: caseReportView(report) } }
      },
    }),
  ]
}

const DOCS = {
  dispute: {
    path: '/v2/transactions/check',
    operationId: 'disputeTransaction',
    summary: 'Report an issue with a successful payment',
    description:
      "Opens a case. One open case at a time for each payment; the account's registered address is always copied. " +
      'Every 400 names the reason under `trxid`, also for a refid. In staging the case stays open and nothing is mailed.',
    body: DisputeBody,
  },
  void: {
    path: '/v2/transactions/void',
    operationId: 'voidTransaction',
    summary: 'Ask for a successful payment to be taken back',
    description:
      'Opens a case; the biller decides. When it approves, the cost is refunded to the wallet, the payment becomes ' +
      'Failed with statusCode 53 and remarks Refund, and a callback says so. Only for products that are refundable. ' +
      'In staging a void is decided for the accounts 60123454001 (approved) and 60123454002 (refused) alone.',
    body: VoidBody,
  },
} as const

function supportOperation(authenticate: Authenticator, cases: Cases, kind: CaseKind): Operation {
  const { path, body, ...docs } = DOCS[kind]
  return operation({
    method: 'POST',
    path,
    docs: { ...docs, tag: TAG },
    schemas: {
      body,
      responses: { 200: SupportResponse },
    },
    authenticate: authenticate('support'),
    ownBody: 'json',
    async handle({ caller, request }) {
      const asked = readSupportRequest(kind, readBody(request))
      const result = await cases.open(kind, caller, { ...asked, requestId: request.id })
      return { status: 200, body: supportView(result) }
    },
  })
}

/** Reads a body of any content type. One that is not JSON is refused in the error format of these operations. */
function readBody(request: IncomingRequest): unknown {
  try {
    return parseJsonBody(undefined, request.body)
  } catch (error) {
    if (error instanceof RequestError && error.status === 400) throw unreadableRequest(error.publicText)
    throw error
  }
}
