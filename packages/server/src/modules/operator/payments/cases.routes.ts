import { Type } from 'typebox'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { documentedAs, parameter } from '../../../http/parameters.ts'
import { CASE_ACTS } from '../../cases/acts.ts'
import { RESELLER_CASE, RESELLER_CASE_DETAILS } from '../../cases/operators.codec.ts'
import { CASE_FIELDS, getAnyCase } from '../../cases/operators.service.ts'
import type { OperatorAuthenticator } from '../../sessions/people/types.ts'
import { operatorAct } from '../kit/acts.service.ts'
import { pageView } from '../kit/pages.rules.ts'
import { rolesFor } from '../kit/roles.rules.ts'
import { dataOf, listOf, PAGE_PARAMETERS } from '../kit/schemas.ts'
import type { MoneyContext } from '../kit/types.ts'
import { approveVoid } from './acts.ts'
import { LIST_RULES, listCasesForOperators } from './cases.service.ts'
import { ResolutionRequestedResponse } from './payments.codec.ts'

const TAG = 'Cases'
const PATH = '/operator/v1/cases'

const CaseParameters = Type.Object({ number: documentedAs(CASE_FIELDS.number, Type.String()) })
const CaseResponse = dataOf(RESELLER_CASE_DETAILS.schema)

const CaseListParameters = Type.Object({
  account: parameter(LIST_RULES.account, "The reseller's account number"),
  state: parameter(CASE_FIELDS.state, 'Cases in this state alone'),
  kind: parameter(CASE_FIELDS.kind, 'Cases of this kind alone'),
  order: parameter(
    CASE_FIELDS.order,
    'newest: all cases, the newest first. due: cases that are not closed, the one that is due first in front',
  ),
  ...PAGE_PARAMETERS,
})

export function operatorCaseOperations(
  authenticate: OperatorAuthenticator,
  context: MoneyContext,
): Operation[] {
  const stage = { authenticate, log: context.log, approvals: context.approvals, world: undefined }
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
        responses: { 200: listOf(RESELLER_CASE.schema) },
      },
      authenticate: authenticate(...rolesFor('cases.read')),
      async handle({ query }) {
        return {
          status: 200,
          body: pageView(await listCasesForOperators(context, query), RESELLER_CASE.encode),
        }
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
        const report = await getAnyCase(context, params.number)
        return { status: 200, body: { data: RESELLER_CASE_DETAILS.encode(report) } }
      },
    }),
    operatorAct(stage, {
      act: CASE_ACTS.take,
      method: 'POST',
      path: `${PATH}/:number/take`,
      permission: 'cases.write',
      docs: { operationId: 'takeCase', summary: 'Work on an open case; its reseller is told', tag: TAG },
      body: 'Reason request',
      ...ANSWER,
      onDone: context.onCommitted,
    }),
    ...MESSAGES.map(([step, docs]) =>
      operatorAct(stage, {
        act: CASE_ACTS[step],
        method: 'POST',
        path: `${PATH}/:number/${step}`,
        permission: 'cases.write',
        docs: { ...docs, tag: TAG },
        body: 'Case message request',
        usualReason: 'message',
        ...ANSWER,
        onDone: context.onCommitted,
      }),
    ),
    operatorAct(
      { ...stage, world: context },
      {
        act: approveVoid,
        method: 'POST',
        path: `${PATH}/:number/approve`,
        permission: 'cases.write',
        docs: {
          operationId: 'approveCase',
          summary: 'The biller approved a void: refund it and resolve the case',
          description:
            'Refund, payment, case and callback are one commit. It cannot be taken back. Above a set cost, or above set ' +
            'sums of what one operator decided alone, and of what was decided so for one reseller, a second operator has to approve it.',
          tag: TAG,
        },
        body: 'Approve case request',
        without: ['reference'],
        asked: ResolutionRequestedResponse,
        ...ANSWER,
        onDone: context.onCommitted,
      },
    ),
  ]
}

const ANSWER = {
  answer: RESELLER_CASE_DETAILS.schema,
  also: [409],
  view: RESELLER_CASE_DETAILS.encode,
} as const

const MESSAGES = [
  ['message', { operationId: 'writeCaseMessage', summary: 'Say something to the reseller about a case' }],
  [
    'refuse',
    {
      operationId: 'refuseCase',
      summary: 'Refuse a case, with the reason',
      description: 'Refuse a void only when the biller has refused it: a later approval refunds nothing.',
    },
  ],
  ['resolve', { operationId: 'resolveCase', summary: 'Resolve a dispute, with what was found out' }],
] as const
