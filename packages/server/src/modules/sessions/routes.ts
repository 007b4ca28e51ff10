import type { Authenticate, Operation } from '../../http/operation.ts'
import { RequestError } from '../../lib/errors.ts'
import { OPERATOR_ROLES } from '../accounts/types.ts'
import { invitationOperations } from './passwords/invitations.routes.ts'
import { passwordOperations } from './passwords/passwords.routes.ts'
import type { SignInApi } from './people/apis.types.ts'
import type { DemoAccounts } from './people/demo.service.ts'
import type { SessionsOptions } from './people/settings.types.ts'
import type { MemberAuthenticator, OperatorAuthenticator, OperatorCaller } from './people/types.ts'
import { demoAccountOperations } from './session/demo.routes.ts'
import { passkeyOperations } from './session/passkeys.routes.ts'
import { pinOperations } from './session/pins.routes.ts'
import { proofOperations } from './session/proofs.routes.ts'
import { ownSessionOperations } from './session/routes.ts'
import {
  MemberResetBody,
  MemberSessionResponse,
  MemberSignInBody,
  OperatorResetBody,
  OperatorSessionResponse,
  OperatorSignInBody,
} from './session/schemas.ts'
import { sharedTillOperations } from './session/shared-tills.routes.ts'
import { operatorTokenOperations } from './session/tokens.routes.ts'
import { secondFactorOperations } from './session/totp.routes.ts'

export type SessionDependencies = {
  readonly sessions: SessionsOptions
  readonly authenticateOperator: OperatorAuthenticator
  readonly authenticateEnrolling: OperatorAuthenticator
  readonly authenticateMember: MemberAuthenticator
  readonly demoAccounts: DemoAccounts
  /** True: proxies are named, so the address of a forwarded request is its caller's. */
  readonly trustsProxies: boolean
}

/** Operations around signing in, for each of the two APIs. */
export function sessionOperations(dependencies: SessionDependencies): {
  readonly operator: Operation[]
  readonly portal: Operation[]
} {
  const { sessions } = dependencies
  const { operators: ofOperators = sessions } = sessions
  const inSession = withoutTokens(dependencies.authenticateOperator(...OPERATOR_ROLES))
  const anybody = dependencies.authenticateEnrolling(...OPERATOR_ROLES)
  const enrolling = withoutTokens(anybody)
  return {
    operator: [
      ...ownOperations(
        { ...dependencies, sessions: ofOperators },
        operatorApi({ anybody, inSession, enrolling, leaving: enrolling }),
      ),
      ...operatorTokenOperations(ofOperators, inSession),
    ],
    portal: [
      ...ownOperations(dependencies, memberApi(dependencies.authenticateMember)),
      ...invitationOperations(sessions, dependencies.authenticateMember),
      ...sharedTillOperations(sessions, dependencies.authenticateMember),
      ...pinOperations(sessions, dependencies.authenticateMember),
    ],
  }
}

function ownOperations(
  { sessions, demoAccounts, trustsProxies }: SessionDependencies,
  api: SignInApi,
): Operation[] {
  return [
    ...ownSessionOperations(sessions, api),
    ...proofOperations(sessions, api),
    ...passwordOperations(sessions, api),
    ...secondFactorOperations(sessions, api),
    ...passkeyOperations(sessions, api),
    ...demoAccountOperations(sessions, api, demoAccounts, trustsProxies),
  ]
}

function operatorApi(
  callers: Readonly<Record<'anybody' | 'inSession' | 'enrolling' | 'leaving', Authenticate<OperatorCaller>>>,
): SignInApi {
  return {
    ...callers,
    kind: 'operator',
    prefix: '/operator/v1',
    name: 'Operator',
    loginField: 'email',
    schemas: { signIn: OperatorSignInBody, session: OperatorSessionResponse, reset: OperatorResetBody },
  }
}

function memberApi(authenticate: MemberAuthenticator): SignInApi {
  const anybody = authenticate('self')
  const inFull = authenticate('account')
  return {
    kind: 'member',
    prefix: '/portal/v1',
    name: 'Portal',
    loginField: 'username',
    anybody,
    inSession: inFull,
    enrolling: inFull,
    leaving: anybody,
    schemas: { signIn: MemberSignInBody, session: MemberSessionResponse, reset: MemberResetBody },
  }
}

function withoutTokens(authenticate: Authenticate<OperatorCaller>): Authenticate<OperatorCaller> {
  return async (request) => {
    const authenticated = await authenticate(request)
    if (authenticated.caller.via === 'session') return authenticated
    throw new RequestError({
      status: 403,
      code: 'session_required',
      publicText: 'A token cannot do this: sign in.',
    })
  }
}
