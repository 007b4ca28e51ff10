import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { userView } from '../../accounts/view.ts'
import type { OperatorAuthenticator } from '../../sessions/people/types.ts'
import { ApprovalResponse } from '../console/approvals.schemas.ts'
import { grantedOutput } from '../console/approvals.view.ts'
import { rolesFor } from '../console/roles.rules.ts'
import { ResellerParameters, SECOND_PERSON } from './resellers.schemas.ts'
import type { AccountsContext } from './resellers.service.ts'
import { NewUserBody, UserBody, UserListResponse, UserParameters, UserResponse } from './users.schemas.ts'
import { addUser, editUser, listUsersOf } from './users.service.ts'

const TAG = 'Resellers'
const PATH = '/operator/v1/resellers/:account/users'

export function operatorUserOperations(
  authenticate: OperatorAuthenticator,
  context: AccountsContext,
): Operation[] {
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: { operationId: 'listResellerUsers', summary: 'The people of a reseller', tag: TAG },
      schemas: {
        params: ResellerParameters,
        responses: { 200: UserListResponse },
      },
      authenticate: authenticate(...rolesFor('users.read')),
      async handle({ params }) {
        const users = await listUsersOf(context, params.account)
        return { status: 200, body: { data: users.map(userView), cursor: null, has_more: false } }
      },
    }),
    operation({
      method: 'POST',
      path: PATH,
      docs: {
        operationId: 'createResellerUser',
        summary: 'Let a person of a reseller in',
        description:
          'No password is given out: the user is sent a mail with a link to choose one, and can ask for another by the ' +
          `password reset of the portal. ${SECOND_PERSON}`,
        tag: TAG,
      },
      schemas: {
        params: ResellerParameters,
        body: NewUserBody,
        responses: { 201: UserResponse, 202: ApprovalResponse },
      },
      also: [409, 429],
      authenticate: authenticate(...rolesFor('users.write')),
      async handle({ caller, params, body: { reason, ...input } }) {
        return grantedOutput(await addUser(context, caller, params.account, input, reason), 201, userView)
      },
    }),
    operation({
      method: 'PATCH',
      path: `${PATH}/:username`,
      docs: {
        operationId: 'updateResellerUser',
        summary: 'Change what a user may do',
        description: `Another role, or letting a disabled user in again, gives more than the user has. ${SECOND_PERSON} Taking away never waits.`,
        tag: TAG,
      },
      schemas: {
        params: UserParameters,
        body: UserBody,
        responses: { 200: UserResponse, 202: ApprovalResponse },
      },
      authenticate: authenticate(...rolesFor('users.write')),
      async handle({ caller, params, body: { reason, ...changes } }) {
        return grantedOutput(await editUser(context, caller, params, changes, reason), 200, userView)
      },
    }),
  ]
}
