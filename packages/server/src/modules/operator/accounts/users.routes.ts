import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { getReseller, listUsers } from '../../accounts/service.ts'
import { USER } from '../../accounts/users.codec.ts'
import type { GrantWorld } from '../../grants/types.ts'
import { addUser, editUser } from '../../grants/users.acts.ts'
import type { OperatorStage } from '../kit/acts.service.ts'
import { operatorAct } from '../kit/acts.service.ts'
import { ApprovalResponse } from '../kit/approvals.codec.ts'
import { rolesFor } from '../kit/roles.rules.ts'
import { listOf, ResellerParameters, SECOND_PERSON } from '../kit/schemas.ts'

const TAG = 'Resellers'
const PATH = '/operator/v1/resellers/:account/users'

export function operatorUserOperations(stage: OperatorStage<GrantWorld>): Operation[] {
  const { authenticate, log } = stage
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: { operationId: 'listResellerUsers', summary: 'The people of a reseller', tag: TAG },
      schemas: { params: ResellerParameters, responses: { 200: listOf(USER.schema) } },
      authenticate: authenticate(...rolesFor('users.read')),
      async handle({ params }) {
        const { id } = await getReseller(log.database, params.account)
        const users = await listUsers(log.database, id)
        const data = users.map((user) => USER.encode(user))
        return { status: 200, body: { data, cursor: null, has_more: false } }
      },
    }),
    operatorAct(stage, {
      act: addUser,
      method: 'POST',
      path: PATH,
      permission: 'users.write',
      docs: {
        operationId: 'createResellerUser',
        summary: 'Let a person of a reseller in',
        description:
          'No password is given out: the user is sent a mail with a link to choose one, and can ask for another by the ' +
          `password reset of the portal. ${SECOND_PERSON}`,
        tag: TAG,
      },
      body: 'New user request',
      without: ['password'],
      status: 201,
      answer: USER.schema,
      asked: ApprovalResponse,
      also: [409, 429],
      view: ({ user }) => USER.encode(user),
    }),
    operatorAct(stage, {
      act: editUser,
      method: 'PATCH',
      path: `${PATH}/:username`,
      permission: 'users.write',
      docs: {
        operationId: 'updateResellerUser',
        summary: 'Change what a user may do',
        description: `Another role, or letting a disabled user in again, gives more than the user has. ${SECOND_PERSON} Taking away never waits.`,
        tag: TAG,
      },
      body: 'Change user request',
      without: ['id'],
      answer: USER.schema,
      asked: ApprovalResponse,
      view: (user) => USER.encode(user),
    }),
  ]
}
