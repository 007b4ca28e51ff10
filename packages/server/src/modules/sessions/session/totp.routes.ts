import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { errorResponses } from '../../../http/schemas.ts'
import type { Face } from '../people/apis.types.ts'
import { keyOf } from '../people/proof.service.ts'
import type { SessionsOptions } from '../people/settings.types.ts'
import {
  confirmEnrolment,
  disableSecondFactor,
  enrol,
  getSecondFactor,
  renewRecoveryCodes,
} from '../second-factor/totp.service.ts'
import { NOT_STORED, READ_ERRORS, WRITE_ERRORS } from './routes.ts'
import {
  CodeBody,
  EnrolBody,
  EnrolResponse,
  FactorResponse,
  Nothing,
  ProofBody,
  RecoveryCodesResponse,
} from './schemas.ts'
import { enrolmentView, factorView } from './view.ts'

const TAG = 'Second factor'
const ERRORS = { ...WRITE_ERRORS, ...errorResponses(409) }

export function secondFactorOperations(options: SessionsOptions, face: Face): Operation[] {
  return [
    statusOperation(options, face),
    enrolOperation(options, face),
    confirmOperation(options, face),
    renewOperation(options, face),
    disableOperation(options, face),
  ]
}

function statusOperation({ database }: SessionsOptions, face: Face): Operation {
  return operation({
    method: 'GET',
    path: `${face.prefix}/two-factor`,
    dialect: 'common',
    docs: { operationId: `get${face.name}TwoFactor`, summary: 'One’s second factor', tag: TAG },
    schemas: { responses: { 200: FactorResponse, ...READ_ERRORS } },
    authenticate: face.enrolling,
    async handle({ caller }) {
      return { status: 200, body: factorView(await getSecondFactor(database, keyOf(caller))) }
    },
  })
}

function enrolOperation(options: SessionsOptions, face: Face): Operation {
  return operation({
    method: 'POST',
    path: `${face.prefix}/two-factor`,
    dialect: 'common',
    docs: {
      operationId: `enrol${face.name}TwoFactor`,
      summary: 'Get a secret for an authenticator app',
      description: 'It counts once a code of it was sent back, within 15 minutes.',
      tag: TAG,
    },
    schemas: { body: EnrolBody, responses: { 201: EnrolResponse, ...ERRORS } },
    authenticate: face.enrolling,
    async handle({ caller, body }) {
      const enrolment = await enrol(options, caller, body.password)
      return { status: 201, body: enrolmentView(enrolment), headers: NOT_STORED }
    },
  })
}

function confirmOperation(options: SessionsOptions, face: Face): Operation {
  return operation({
    method: 'POST',
    path: `${face.prefix}/two-factor/confirm`,
    dialect: 'common',
    docs: {
      operationId: `confirm${face.name}TwoFactor`,
      summary: 'Send a code back; from here on signing in takes one',
      tag: TAG,
    },
    schemas: { body: CodeBody, responses: { 200: RecoveryCodesResponse, ...ERRORS } },
    authenticate: face.enrolling,
    async handle({ caller, body }) {
      const codes = await confirmEnrolment(options, caller, body.code)
      return { status: 200, body: { data: { recovery_codes: codes } }, headers: NOT_STORED }
    },
  })
}

function renewOperation(options: SessionsOptions, face: Face): Operation {
  return operation({
    method: 'POST',
    path: `${face.prefix}/two-factor/recovery-codes`,
    dialect: 'common',
    docs: {
      operationId: `renew${face.name}RecoveryCodes`,
      summary: 'New recovery codes, in place of all earlier ones',
      tag: TAG,
    },
    schemas: { body: ProofBody, responses: { 200: RecoveryCodesResponse, ...ERRORS } },
    authenticate: face.inSession,
    async handle({ caller, body }) {
      const codes = await renewRecoveryCodes(options, caller, body)
      return { status: 200, body: { data: { recovery_codes: codes } }, headers: NOT_STORED }
    },
  })
}

function disableOperation(options: SessionsOptions, face: Face): Operation {
  return operation({
    method: 'POST',
    path: `${face.prefix}/two-factor/disable`,
    dialect: 'common',
    docs: { operationId: `disable${face.name}TwoFactor`, summary: 'Sign in without a code again', tag: TAG },
    schemas: { body: ProofBody, responses: { 204: Nothing, ...ERRORS } },
    authenticate: face.inSession,
    async handle({ caller, body }) {
      await disableSecondFactor(options, caller, body)
      return { status: 204, body: null }
    },
  })
}
