import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import type { OperatorAuthenticator } from '../../sessions/people/types.ts'
import { ApprovalResponse } from '../console/approvals.schemas.ts'
import { grantedOutput } from '../console/approvals.view.ts'
import { rolesFor } from '../console/roles.rules.ts'
import {
  NewOperatorBody,
  OperatorBody,
  OperatorListResponse,
  OperatorParameters,
  OperatorResponse,
  VouchBody,
} from './operators.schemas.ts'
import { addOperator, editOperator, listAllOperators, vouchFor } from './operators.service.ts'
import { operatorView } from './operators.view.ts'
import type { AccountsContext } from './resellers.service.ts'

const TAG = 'Operators'
const SECOND_ADMIN =
  '202: there is another admin who is a person of their own, and has to approve it; nothing is changed until then. The ' +
  'admins get a mail. Without such an admin it is done at once.'
const PATH = '/operator/v1/operators'

export function operatorOperatorOperations(
  authenticate: OperatorAuthenticator,
  context: AccountsContext,
): Operation[] {
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: { operationId: 'listOperators', summary: 'List the operators', tag: TAG },
      schemas: { responses: { 200: OperatorListResponse } },
      authenticate: authenticate(...rolesFor('operators.read')),
      async handle() {
        const operators = await listAllOperators(context)
        return { status: 200, body: { data: operators.map(operatorView), cursor: null, has_more: false } }
      },
    }),
    operation({
      method: 'POST',
      path: PATH,
      docs: {
        operationId: 'createOperator',
        summary: 'Let an operator in',
        description:
          'By an admin who is signed in. No password is given out: the operator is sent a mail with a link to choose ' +
          `one, and can ask for another by the password reset. ${SECOND_ADMIN}`,
        tag: TAG,
      },
      schemas: {
        body: NewOperatorBody,
        responses: { 201: OperatorResponse, 202: ApprovalResponse },
      },
      also: [409, 429],
      authenticate: authenticate(...rolesFor('operators.write')),
      async handle({ caller, body: { reason, ...input } }) {
        return grantedOutput(await addOperator(context, caller, input, reason), 201, operatorView)
      },
    }),
    operation({
      method: 'PATCH',
      path: `${PATH}/:id`,
      docs: {
        operationId: 'updateOperator',
        summary: 'Change what an operator may do, or keep one out',
        description:
          'By an admin who is signed in, and never of oneself. Letting in again, or a role that may do something which the ' +
          `present one may not, needs a second person. ${SECOND_ADMIN} Taking away never waits.`,
        tag: TAG,
      },
      schemas: {
        params: OperatorParameters,
        body: OperatorBody,
        responses: { 200: OperatorResponse, 202: ApprovalResponse },
      },
      also: [409],
      authenticate: authenticate(...rolesFor('operators.write')),
      async handle({ caller, params, body: { reason, ...changes } }) {
        return grantedOutput(
          await editOperator(context, caller, params.id, changes, reason),
          200,
          operatorView,
        )
      },
    }),
    operation({
      method: 'POST',
      path: `${PATH}/:id/vouch`,
      docs: {
        operationId: 'vouchForOperator',
        summary: 'Say that an operator is a person of their own',
        description:
          'By a second admin who is signed in and has not let the operator in, nor was let in by who did. Until then ' +
          'the operator is no second person for whoever let them in, nor for others whom they let in. Another role, or ' +
          'being let in again, takes it back.',
        tag: TAG,
      },
      schemas: {
        params: OperatorParameters,
        body: VouchBody,
        responses: { 200: OperatorResponse },
      },
      also: [409],
      authenticate: authenticate(...rolesFor('operators.write')),
      async handle({ caller, params, body }) {
        const operator = await vouchFor(context, caller, params.id, body.reason)
        return { status: 200, body: { data: operatorView(operator) } }
      },
    }),
  ]
}
