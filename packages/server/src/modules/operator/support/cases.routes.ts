import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import type { OperatorAuthenticator } from '../../sessions/people/types.ts'
import { approvalView } from '../console/approvals.view.ts'
import { pageView } from '../console/pages.rules.ts'
import { rolesFor } from '../console/roles.rules.ts'
import type { MoneyContext } from '../console/types.ts'
import {
  CaseApprovalBody,
  CaseListParameters,
  CaseListResponse,
  CaseMessageBody,
  CaseParameters,
  CaseResponse,
  TakeCaseBody,
} from './cases.schemas.ts'
import {
  approveVoidForOperators,
  getCaseForOperators,
  listCasesForOperators,
  stepCase,
} from './cases.service.ts'
import { operatorCaseReportView, operatorCaseView } from './cases.view.ts'
import { ResolutionRequestedResponse } from './payments.schemas.ts'

const TAG = 'Cases'
const PATH = '/operator/v1/cases'

export function operatorCaseOperations(
  authenticate: OperatorAuthenticator,
  context: MoneyContext,
): Operation[] {
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: {
        operationId: 'listAllCases',
        summary: 'Disputes and voids of all resellers, by age or by due time',
        tag: TAG,
      },
      schemas: {
        query: CaseListParameters,
        responses: { 200: CaseListResponse },
      },
      authenticate: authenticate(...rolesFor('cases.read')),
      async handle({ query }) {
        return { status: 200, body: pageView(await listCasesForOperators(context, query), operatorCaseView) }
      },
    }),
    operation({
      method: 'GET',
      path: `${PATH}/:number`,
      docs: { operationId: 'getAnyCase', summary: 'A case with its messages', tag: TAG },
      schemas: {
        params: CaseParameters,
        responses: { 200: CaseResponse },
      },
      authenticate: authenticate(...rolesFor('cases.read')),
      async handle({ params }) {
        const report = await getCaseForOperators(context, params.number)
        return { status: 200, body: { data: operatorCaseReportView(report) } }
      },
    }),
    takeOperation(authenticate, context),
    messageOperation(authenticate, context, 'message'),
    messageOperation(authenticate, context, 'refuse'),
    messageOperation(authenticate, context, 'resolve'),
    approveOperation(authenticate, context),
  ]
}

function takeOperation(authenticate: OperatorAuthenticator, context: MoneyContext): Operation {
  return operation({
    method: 'POST',
    path: `${PATH}/:number/take`,
    docs: { operationId: 'takeCase', summary: 'Work on an open case; its reseller is told', tag: TAG },
    schemas: { params: CaseParameters, body: TakeCaseBody, responses: { 200: CaseResponse } },
    also: [409],
    authenticate: authenticate(...rolesFor('cases.write')),
    async handle({ caller, params, body }) {
      const report = await stepCase(context, caller, params.number, 'take', { text: '', reason: body.reason })
      context.onCommitted()
      return { status: 200, body: { data: operatorCaseReportView(report) } }
    },
  })
}

const MESSAGES = {
  message: { operationId: 'writeCaseMessage', summary: 'Say something to the reseller about a case' },
  refuse: {
    operationId: 'refuseCase',
    summary: 'Refuse a case, with the reason',
    description: 'Refuse a void only when the biller has refused it: a later approval refunds nothing.',
  },
  resolve: { operationId: 'resolveCase', summary: 'Resolve a dispute, with what was found out' },
} as const

function messageOperation(
  authenticate: OperatorAuthenticator,
  context: MoneyContext,
  step: keyof typeof MESSAGES,
): Operation {
  return operation({
    method: 'POST',
    path: `${PATH}/:number/${step}`,
    docs: { ...MESSAGES[step], tag: TAG },
    schemas: { params: CaseParameters, body: CaseMessageBody, responses: { 200: CaseResponse } },
    also: [409],
    authenticate: authenticate(...rolesFor('cases.write')),
    async handle({ caller, params, body: { message, reason = message } }) {
      const report = await stepCase(context, caller, params.number, step, { text: message, reason })
      context.onCommitted()
      return { status: 200, body: { data: operatorCaseReportView(report) } }
    },
  })
}

function approveOperation(authenticate: OperatorAuthenticator, context: MoneyContext): Operation {
  return operation({
    method: 'POST',
    path: `${PATH}/:number/approve`,
    docs: {
      operationId: 'approveCase',
      summary: 'The biller approved a void: refund it and resolve the case',
      description:
        'Refund, payment, case and callback are one commit. It cannot be taken back. Above a set cost, or above set ' +
        'sums of what one operator decided alone, and of what was decided so for one reseller, a second operator has to approve it.',
      tag: TAG,
    },
    schemas: {
      params: CaseParameters,
      body: CaseApprovalBody,
      responses: { 200: CaseResponse, 202: ResolutionRequestedResponse },
    },
    also: [409],
    authenticate: authenticate(...rolesFor('cases.write')),
    async handle({ caller, params, body: { evidence, reason } }) {
      const decision = await approveVoidForOperators(context, caller, params.number, {
        text: evidence,
        reason,
      })
      if (decision.kind === 'requested') {
        return { status: 202, body: { data: approvalView(decision.approval) } }
      }
      context.onCommitted()
      return { status: 200, body: { data: operatorCaseReportView(decision.result) } }
    },
  })
}
