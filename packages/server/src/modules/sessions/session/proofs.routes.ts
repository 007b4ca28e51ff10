import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { invalidFields } from '../../../lib/errors.ts'
import type { SignInApi } from '../people/apis.types.ts'
import type { SessionsOptions } from '../people/settings.types.ts'
import { PasskeyAssertionResponse, SessionProofBody } from './passkeys.schemas.ts'
import { proofBeginView } from './passkeys.view.ts'
import { beginProof, proveByPasskey, proveByPassword } from './proofs.service.ts'
import { TAG } from './routes.ts'
import { Nothing } from './schemas.ts'

/** Operations by which a session gives a fresh proof, for the acts that ask for one. */
export function proofOperations(options: SessionsOptions, api: SignInApi): Operation[] {
  const path = `${api.prefix}/session/proof`
  return [
    operation({
      method: 'POST',
      path: `${path}/options`,
      docs: {
        operationId: `begin${api.name}Proof`,
        summary: 'Begin to prove with a passkey that it is still you',
        description: '409: the service is not reached by https under a name, nor on localhost.',
        tag: TAG,
      },
      schemas: { responses: { 200: PasskeyAssertionResponse } },
      also: [400, 409, 413, 415, 429],
      authenticate: api.enrolling,
      async handle({ caller }) {
        const begun = await beginProof(options, caller)
        return { status: 200, body: { data: proofBeginView(begun) } }
      },
    }),
    operation({
      method: 'POST',
      path,
      docs: {
        operationId: `give${api.name}Proof`,
        summary: 'Prove that it is still you',
        description:
          'By `password`, or by the answer of a passkey (`ceremony` and `credential`). For 5 minutes acts of this ' +
          'session that make or widen access need no password of their own. 403 `wrong_password` or ' +
          '`invalid_passkey`; failures count together with those of signing in. The session has to be there: tokens ' +
          'cannot give a proof.',
        tag: TAG,
      },
      schemas: {
        body: SessionProofBody,
        responses: { 204: Nothing },
      },
      also: [409, 429],
      authenticate: api.enrolling,
      async handle({ caller, body: { password, ceremony, credential } }) {
        if (password !== undefined) {
          await proveByPassword(options, caller, password)
        } else if (ceremony !== undefined && credential !== undefined) {
          await proveByPasskey(options, caller, { ceremony, credential })
        } else {
          throw invalidFields({ password: ['Send the password, or the answer of a passkey.'] })
        }
        return { status: 204, body: null }
      },
    }),
  ]
}
