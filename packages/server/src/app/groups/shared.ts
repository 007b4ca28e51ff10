import type { Queryable } from '../../db/database.ts'
import { unavailable } from '../../lib/errors.ts'
import { hasOperator } from '../../modules/accounts/public.sql.ts'
import type { SessionsOptions } from '../../modules/sessions/people/settings.types.ts'
import type { OperatorAuthenticator } from '../../modules/sessions/people/types.ts'
import type { AuthenticationOptions } from '../../modules/sessions/session/authentication.service.ts'
import {
  createEnrolmentAuthenticator,
  createOperatorAuthenticator,
} from '../../modules/sessions/session/authentication.service.ts'

/** Parts that all groups of an installation share. */
export type Shared = {
  /** Counts the groups that share the accounts at suppliers. */
  readonly groups?: (() => number) | undefined
  /** Sessions of operators, who sign in to the first group; left out: this is the first group. */
  readonly operators?: SessionsOptions | undefined
}

/** Authenticates operators by their sessions in the first group; `own` is the group that they come to. */
export function operatorAuthenticators(own: AuthenticationOptions, first?: AuthenticationOptions) {
  const authenticate = createOperatorAuthenticator(first ?? own)
  return {
    authenticateOperator: first === undefined ? authenticate : whenCarried(authenticate, own.database),
    authenticateEnrolling: createEnrolmentAuthenticator(first ?? own),
  }
}

/** Lets operators write in another group when their row is there, which their acts refer to. */
function whenCarried(authenticate: OperatorAuthenticator, connection: Queryable): OperatorAuthenticator {
  return (...roles) => {
    const authenticateOne = authenticate(...roles)
    return async (request) => {
      const authenticated = await authenticateOne(request)
      const { operatorId, email } = authenticated.caller
      if (request.method !== 'GET' && !(await hasOperator(connection, operatorId)))
        throw unavailable('operator_not_carried', `${email} is not carried to this group yet`)
      return authenticated
    }
  }
}
