import type { Operation } from '../../../http/operation.ts'
import { anyone, operation } from '../../../http/operation.ts'
import type { SignInApi } from '../people/apis.types.ts'
import type { SessionsOptions } from '../people/settings.types.ts'
import { refuseForeignOrigin, tillSecretOf } from '../session/authentication.service.ts'
import { signedInOutput, visitorOf } from '../session/routes.ts'
import { AcceptedResponse, Nothing, PasswordBody, ResetConfirmBody } from '../session/schemas.ts'
import { changePassword, confirmReset, requestReset } from './passwords.service.ts'

const TAG = 'Password'

export function passwordOperations(options: SessionsOptions, api: SignInApi): Operation[] {
  return [
    changeOperation(options, api),
    requestResetOperation(options, api),
    confirmResetOperation(options, api),
  ]
}

function changeOperation(options: SessionsOptions, api: SignInApi): Operation {
  return operation({
    method: 'POST',
    path: `${api.prefix}/password`,
    docs: {
      operationId: `change${api.name}Password`,
      summary: 'Change one’s password',
      description: 'Ends all one’s sessions and tokens; the answer carries a new session.',
      tag: TAG,
    },
    schemas: { body: PasswordBody, responses: { 200: api.schemas.session } },
    also: [429],
    authenticate: api.inSession,
    async handle({ caller, body, request }) {
      const passwords = { currentPassword: body.current_password, password: body.password }
      const signedIn = await changePassword(options, caller, passwords, {
        ...visitorOf(request),
        tillSecret: tillSecretOf(options.config, request, api.kind),
      })
      return signedInOutput(options.config, signedIn)
    },
  })
}

const SENT = 'If there is such a person, a mail with a token is on its way.'

function requestResetOperation(options: SessionsOptions, api: SignInApi): Operation {
  return operation({
    method: 'POST',
    path: `${api.prefix}/password-reset`,
    docs: {
      operationId: `request${api.name}PasswordReset`,
      summary: 'Ask for a token by mail, to set a new password',
      tag: TAG,
    },
    schemas: { body: api.schemas.reset, responses: { 202: AcceptedResponse } },
    authenticate: anyone,
    async handle({ body, request }) {
      refuseForeignOrigin(options.config, request)
      const login = (body as { email?: string; username?: string })[api.loginField] ?? ''
      await requestReset(options, { kind: api.kind, login, address: request.address })
      return { status: 202, body: { message: SENT } }
    },
  })
}

function confirmResetOperation(options: SessionsOptions, api: SignInApi): Operation {
  return operation({
    method: 'POST',
    path: `${api.prefix}/password-reset/confirm`,
    docs: {
      operationId: `confirm${api.name}PasswordReset`,
      summary: 'Set a new password by a mailed token',
      description: 'Ends all sessions of the person. A second factor stays.',
      tag: TAG,
    },
    schemas: { body: ResetConfirmBody, responses: { 204: Nothing } },
    authenticate: anyone,
    async handle({ body, request }) {
      refuseForeignOrigin(options.config, request)
      const { token, password } = body
      await confirmReset(options, { kind: api.kind, token, password, address: request.address })
      return { status: 204, body: null }
    },
  })
}
