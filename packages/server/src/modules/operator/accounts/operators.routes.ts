import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { listOperators } from '../../accounts/service.ts'
import { OPERATOR } from '../../accounts/users.codec.ts'
import { addOperator, editOperator, vouchFor } from '../../grants/operators.acts.ts'
import type { GrantWorld } from '../../grants/types.ts'
import type { OperatorStage } from '../kit/acts.service.ts'
import { operatorAct } from '../kit/acts.service.ts'
import { ApprovalResponse } from '../kit/approvals.codec.ts'
import { rolesFor } from '../kit/roles.rules.ts'
import { listOf } from '../kit/schemas.ts'

const TAG = 'Operators'
const SECOND_ADMIN =
  '202: there is another admin who is a person of their own, and has to approve it; nothing is changed until then. The ' +
  'admins get a mail. Without such an admin it is done at once.'
const PATH = '/operator/v1/operators'

export function operatorOperatorOperations(stage: OperatorStage<GrantWorld>): Operation[] {
  const { authenticate, log } = stage
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: { operationId: 'listOperators', summary: 'List the operators', tag: TAG },
      schemas: { responses: { 200: listOf(OPERATOR.schema) } },
      authenticate: authenticate(...rolesFor('operators.read')),
      async handle() {
        const operators = await listOperators(log.database)
        const data = operators.map((operator) => OPERATOR.encode(operator))
        return { status: 200, body: { data, cursor: null, has_more: false } }
      },
    }),
    operatorAct(stage, {
      act: addOperator,
      method: 'POST',
      path: PATH,
      permission: 'operators.write',
      docs: {
        operationId: 'createOperator',
        summary: 'Let an operator in',
        description:
          'By an admin who is signed in. No password is given out: the operator is sent a mail with a link to choose ' +
          `one, and can ask for another by the password reset. ${SECOND_ADMIN}`,
        tag: TAG,
      },
      body: 'New operator request',
      without: ['password'],
      status: 201,
      answer: OPERATOR.schema,
      asked: ApprovalResponse,
      also: [409, 429],
      view: ({ operator }) => OPERATOR.encode(operator),
    }),
    operatorAct(stage, {
      act: editOperator,
      method: 'PATCH',
      path: `${PATH}/:id`,
      permission: 'operators.write',
      docs: {
        operationId: 'updateOperator',
        summary: 'Change what an operator may do, or keep one out',
        description:
          'By an admin who is signed in, and never of oneself. Letting in again, or a role that may do something which the ' +
          `present one may not, needs a second person. ${SECOND_ADMIN} Taking away never waits.`,
        tag: TAG,
      },
      body: 'Change operator request',
      without: ['email'],
      answer: OPERATOR.schema,
      asked: ApprovalResponse,
      also: [409],
      view: (operator) => OPERATOR.encode(operator),
    }),
    operatorAct(stage, {
      act: vouchFor,
      method: 'POST',
      path: `${PATH}/:id/vouch`,
      permission: 'operators.write',
      docs: {
        operationId: 'vouchForOperator',
        summary: 'Say that an operator is a person of their own',
        description:
          'By a second admin who is signed in and has not let the operator in, nor was let in by who did. Until then ' +
          'the operator is no second person for whoever let them in, nor for others whom they let in. Another role, or ' +
          'being let in again, takes it back.',
        tag: TAG,
      },
      body: 'Reason request',
      without: ['email'],
      answer: OPERATOR.schema,
      also: [409],
      view: (operator) => OPERATOR.encode(operator),
    }),
  ]
}
