import type { Operation } from '../../../http/operation.ts'
import { anyone, operation } from '../../../http/operation.ts'
import type { SignInApi } from '../people/apis.types.ts'
import type { SessionsOptions } from '../people/settings.types.ts'
import {
  beginPasskey,
  createPasskey,
  listOwnPasskeys,
  removeOwnPasskey,
  renameOwnPasskey,
} from '../second-factor/passkeys.service.ts'
import {
  deviceSecretOf,
  refuseForeignOrigin,
  sessionSecretOf,
  tillSecretOf,
} from './authentication.service.ts'
import {
  PasskeyAssertionResponse,
  PasskeyBeginResponse,
  PasskeyBody,
  PasskeyLabelBody,
  PasskeyProofBody,
  PasskeyResponse,
  PasskeySessionBody,
  PasskeysResponse,
} from './passkeys.schemas.ts'
import { beginPasskeySignIn, signInWithPasskey } from './passkeys.service.ts'
import { passkeyView, registrationView, signInView } from './passkeys.view.ts'
import { readId, signedInOutput, visitorOf } from './routes.ts'
import { IdParams, Nothing } from './schemas.ts'

const TAG = 'Passkeys'

/** Operations of a person on their own passkeys, and signing in with one. */
export function passkeyOperations(options: SessionsOptions, api: SignInApi): Operation[] {
  return [
    ...signInOperations(options, api),
    listOperation(options, api),
    beginOperation(options, api),
    createOperation(options, api),
    renameOperation(options, api),
    removeOperation(options, api),
  ]
}

function signInOperations(options: SessionsOptions, api: SignInApi): Operation[] {
  const { config } = options
  const path = `${api.prefix}/session/passkey`
  return [
    operation({
      method: 'POST',
      path: `${path}/options`,
      docs: {
        operationId: `begin${api.name}PasskeySession`,
        summary: 'Begin to sign in with a passkey',
        description:
          'The same for everybody: the device knows its own passkeys, and nobody types a name. ' +
          '409: the service is not reached by https under a name, nor on localhost.',
        tag: TAG,
      },
      schemas: { responses: { 200: PasskeyAssertionResponse } },
      also: [409],
      authenticate: anyone,
      async handle({ request }) {
        refuseForeignOrigin(config, request)
        const begun = await beginPasskeySignIn(options, api.kind, request.address)
        return { status: 200, body: { data: signInView(begun) } }
      },
    }),
    operation({
      method: 'POST',
      path,
      docs: {
        operationId: `create${api.name}PasskeySession`,
        summary: 'Sign in with a passkey',
        description:
          'Sets the same cookies as signing in with a password. The device checks its owner, so no code is asked for. ' +
          '`invalid_passkey` stands for every reason.',
        tag: TAG,
      },
      schemas: { body: PasskeySessionBody, responses: { 200: api.schemas.session } },
      also: [401, 409],
      authenticate: anyone,
      async handle({ request, body }) {
        refuseForeignOrigin(config, request)
        const signedIn = await signInWithPasskey(options, {
          ...visitorOf(request),
          ...body,
          kind: api.kind,
          previousSecret: sessionSecretOf(config, request, api.kind),
          deviceSecret: deviceSecretOf(config, request, api.kind),
          tillSecret: tillSecretOf(config, request, api.kind),
        })
        return signedInOutput(config, signedIn)
      },
    }),
  ]
}

function listOperation({ database }: SessionsOptions, api: SignInApi): Operation {
  return operation({
    method: 'GET',
    path: `${api.prefix}/passkeys`,
    docs: { operationId: `list${api.name}Passkeys`, summary: 'One’s passkeys, oldest first', tag: TAG },
    schemas: { responses: { 200: PasskeysResponse } },
    authenticate: api.enrolling,
    async handle({ caller }) {
      const passkeys = await listOwnPasskeys(database, caller)
      return { status: 200, body: { data: passkeys.map(passkeyView) } }
    },
  })
}

function beginOperation(options: SessionsOptions, api: SignInApi): Operation {
  return operation({
    method: 'POST',
    path: `${api.prefix}/passkeys/options`,
    docs: {
      operationId: `begin${api.name}Passkey`,
      summary: 'Begin to register a passkey',
      description: 'Needs the code of the second factor where there is one.',
      tag: TAG,
    },
    schemas: { body: PasskeyProofBody, responses: { 200: PasskeyBeginResponse } },
    also: [409, 429],
    authenticate: api.enrolling,
    async handle({ caller, body }) {
      const begun = await beginPasskey(options, caller, body)
      return { status: 200, body: { data: registrationView(begun) } }
    },
  })
}

function createOperation(options: SessionsOptions, api: SignInApi): Operation {
  return operation({
    method: 'POST',
    path: `${api.prefix}/passkeys`,
    docs: {
      operationId: `create${api.name}Passkey`,
      summary: 'Register the passkey that the device made',
      description:
        'In the session that began it. From here on that session counts as opened with the passkey.',
      tag: TAG,
    },
    schemas: { body: PasskeyBody, responses: { 201: PasskeyResponse } },
    also: [409, 429],
    authenticate: api.enrolling,
    async handle({ caller, body }) {
      const passkey = await createPasskey(options, caller, body)
      return { status: 201, body: { data: passkeyView(passkey) } }
    },
  })
}

function renameOperation(options: SessionsOptions, api: SignInApi): Operation {
  return operation({
    method: 'PATCH',
    path: `${api.prefix}/passkeys/:id`,
    docs: { operationId: `rename${api.name}Passkey`, summary: 'Give a passkey another name', tag: TAG },
    schemas: {
      params: IdParams,
      body: PasskeyLabelBody,
      responses: { 200: PasskeyResponse },
    },
    also: [429],
    authenticate: api.inSession,
    async handle({ caller, params, body }) {
      const passkey = await renameOwnPasskey(options, caller, readId(params.id, 'passkey'), body)
      return { status: 200, body: { data: passkeyView(passkey) } }
    },
  })
}

function removeOperation(options: SessionsOptions, api: SignInApi): Operation {
  return operation({
    method: 'DELETE',
    path: `${api.prefix}/passkeys/:id`,
    docs: {
      operationId: `delete${api.name}Passkey`,
      summary: 'Remove a passkey',
      description:
        'Needs the code of the second factor where there is one. The other sessions that the passkey opened end.',
      tag: TAG,
    },
    schemas: { params: IdParams, body: PasskeyProofBody, responses: { 204: Nothing } },
    also: [429],
    authenticate: api.inSession,
    async handle({ caller, params, body }) {
      await removeOwnPasskey(options, caller, readId(params.id, 'passkey'), body)
      return { status: 204, body: null }
    },
  })
}
