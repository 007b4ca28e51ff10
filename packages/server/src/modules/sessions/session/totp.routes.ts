import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import type { SignInApi } from '../people/apis.types.ts'
import { keyOf } from '../people/proof.service.ts'
import type { SessionsOptions } from '../people/settings.types.ts'
import { refuseWithoutPasskey } from '../second-factor/passkeys.service.ts'
import {
  confirmEnrolment,
  disableSecondFactor,
  enrol,
  getSecondFactor,
  renewRecoveryCodes,
} from '../second-factor/totp.service.ts'
import {
  CodeBody,
  EnrolResponse,
  FactorResponse,
  Nothing,
  OwnCodeBody,
  RecoveryCodesResponse,
} from './schemas.ts'
import { enrolmentView, factorView } from './view.ts'

const TAG = 'Second factor'

export function secondFactorOperations(options: SessionsOptions, api: SignInApi): Operation[] {
  return [
    statusOperation(options, api),
    enrolOperation(options, api),
    confirmOperation(options, api),
    renewOperation(options, api),
    disableOperation(options, api),
  ]
}

function statusOperation({ database }: SessionsOptions, api: SignInApi): Operation {
  return operation({
    method: 'GET',
    path: `${api.prefix}/two-factor`,
    docs: { operationId: `get${api.name}TwoFactor`, summary: 'One’s second factor', tag: TAG },
    schemas: { responses: { 200: FactorResponse } },
    authenticate: api.enrolling,
    async handle({ caller }) {
      return { status: 200, body: factorView(await getSecondFactor(database, keyOf(caller))) }
    },
  })
}

function enrolOperation(options: SessionsOptions, api: SignInApi): Operation {
  return operation({
    method: 'POST',
    path: `${api.prefix}/two-factor`,
    docs: {
      operationId: `enrol${api.name}TwoFactor`,
      summary: 'Get a secret for an authenticator app',
      description: 'It counts once a code of it was sent back, within 15 minutes.',
      tag: TAG,
    },
    schemas: { responses: { 201: EnrolResponse } },
    also: [400, 409, 413, 415, 429],
    authenticate: api.enrolling,
    async handle({ caller }) {
      await refuseWithoutPasskey(options, caller)
      const enrolment = await enrol(options, caller)
      return { status: 201, body: enrolmentView(enrolment) }
    },
  })
}

function confirmOperation(options: SessionsOptions, api: SignInApi): Operation {
  return operation({
    method: 'POST',
    path: `${api.prefix}/two-factor/confirm`,
    docs: {
      operationId: `confirm${api.name}TwoFactor`,
      summary: 'Send a code back; from here on signing in takes one',
      tag: TAG,
    },
    schemas: { body: CodeBody, responses: { 200: RecoveryCodesResponse } },
    also: [409, 429],
    authenticate: api.enrolling,
    async handle({ caller, body }) {
      const codes = await confirmEnrolment(options, caller, body.code)
      return { status: 200, body: { data: { recovery_codes: codes } } }
    },
  })
}

function renewOperation(options: SessionsOptions, api: SignInApi): Operation {
  return operation({
    method: 'POST',
    path: `${api.prefix}/two-factor/recovery-codes`,
    docs: {
      operationId: `renew${api.name}RecoveryCodes`,
      summary: 'New recovery codes, in place of all earlier ones',
      tag: TAG,
    },
    schemas: { body: OwnCodeBody, responses: { 200: RecoveryCodesResponse } },
    also: [409, 429],
    authenticate: api.inSession,
    async handle({ caller, body }) {
      const codes = await renewRecoveryCodes(options, caller, body.code)
      return { status: 200, body: { data: { recovery_codes: codes } } }
    },
  })
}

function disableOperation(options: SessionsOptions, api: SignInApi): Operation {
  return operation({
    method: 'POST',
    path: `${api.prefix}/two-factor/disable`,
    docs: { operationId: `disable${api.name}TwoFactor`, summary: 'Sign in without a code again', tag: TAG },
    schemas: { body: OwnCodeBody, responses: { 204: Nothing } },
    also: [409, 429],
    authenticate: api.inSession,
    async handle({ caller, body }) {
      await disableSecondFactor(options, caller, body.code)
      return { status: 204, body: null }
    },
  })
}
