import type { Authenticate, Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import type { SessionsOptions } from '../people/settings.types.ts'
import type { OperatorCaller } from '../people/types.ts'
import { createOperatorToken, listOperatorTokens, revokeOperatorToken } from '../tokens/tokens.service.ts'
import { readId } from './routes.ts'
import { IdParams, NewTokenResponse, Nothing, TokenBody, TokensResponse } from './schemas.ts'
import { tokenView } from './view.ts'

const TAG = 'Tokens'
const PATH = '/operator/v1/tokens'

/** Operations on an operator's own tokens, for scripts. They need a session. */
export function operatorTokenOperations(
  options: SessionsOptions,
  inSession: Authenticate<OperatorCaller>,
): Operation[] {
  return [
    createOperation(options, inSession),
    operation({
      method: 'GET',
      path: PATH,
      docs: { operationId: 'listOperatorTokens', summary: 'One’s own tokens, newest first', tag: TAG },
      schemas: { responses: { 200: TokensResponse } },
      authenticate: inSession,
      async handle({ caller }) {
        const tokens = await listOperatorTokens(options.database, caller.operatorId)
        return { status: 200, body: { data: tokens.map(tokenView) } }
      },
    }),
    operation({
      method: 'DELETE',
      path: `${PATH}/:id`,
      docs: { operationId: 'deleteOperatorToken', summary: 'Revoke one of one’s tokens', tag: TAG },
      schemas: { params: IdParams, responses: { 204: Nothing } },
      authenticate: inSession,
      async handle({ caller, params }) {
        await revokeOperatorToken(options, caller, readId(params.id, 'token'))
        return { status: 204, body: null }
      },
    }),
  ]
}

function createOperation(options: SessionsOptions, inSession: Authenticate<OperatorCaller>): Operation {
  return operation({
    method: 'POST',
    path: PATH,
    docs: {
      operationId: 'createOperatorToken',
      summary: 'A token for one’s scripts',
      description:
        'Sent as `Authorization: Bearer`. It may do only what both its role and its operator’s role allow, and neither ' +
        'approves requests that need a second person nor makes or widens access. Needs a code where there is a second ' +
        'factor.',
      tag: TAG,
    },
    schemas: {
      body: TokenBody,
      responses: { 201: NewTokenResponse },
    },
    also: [409, 429],
    authenticate: inSession,
    async handle({ caller, body }) {
      const { label, role, expires_in_days: expiresInDays, code } = body
      const input = { label, role, expiresInDays }
      const { token, ...made } = await createOperatorToken(options, caller, input, code)
      return { status: 201, body: { data: { ...tokenView(made), token } } }
    },
  })
}
