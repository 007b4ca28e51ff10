import type { IncomingRequest, Operation } from '../../http/operation.ts'
import { anyone, operation } from '../../http/operation.ts'
import {
  parseCredentials,
  parseRefreshToken,
  TokenRefreshRequest,
  TokenRequest,
  TokenResponse,
  toTokenResponse,
} from './tokens.schemas.ts'
import type { Tokens } from './tokens.types.ts'

const TAG = 'Legacy tokens'
/** Link to the successor of tokens: signed requests. */
const SUCCESSOR = '/docs/signing'

export function tokenOperations(tokens: Pick<Tokens, 'issue' | 'refresh'>): Operation[] {
  return [
    operation({
      method: 'POST',
      path: '/v2/token',
      dialect: 'token',
      docs: {
        operationId: 'createToken',
        summary: 'Exchange a user name and password for tokens',
        description:
          'Not for users with a second factor: 401 `second_factor_enabled`. Tokens of viewers read alone, and get PINs ' +
          'and voucher links masked.',
        tag: TAG,
        successor: SUCCESSOR,
      },
      schemas: { body: TokenRequest, responses: { 200: TokenResponse } },
      also: [401],
      authenticate: anyone,
      ownBody: 'json_or_form',
      async handle({ request }) {
        const credentials = parseCredentials(contentTypeOf(request), request.body)
        const result = await tokens.issue({ ...credentials, address: request.address })
        return { status: 200, body: toTokenResponse(result) }
      },
    }),
    operation({
      method: 'POST',
      path: '/v2/token/refresh',
      dialect: 'token',
      docs: {
        operationId: 'refreshToken',
        summary: 'Exchange a refresh token for new tokens',
        description: 'Not for users who have a second factor by now: 401 `second_factor_enabled`.',
        tag: TAG,
        successor: SUCCESSOR,
      },
      schemas: { body: TokenRefreshRequest, responses: { 200: TokenResponse } },
      also: [401],
      authenticate: anyone,
      ownBody: 'json_or_form',
      async handle({ request }) {
        const { refresh_token: refreshToken } = parseRefreshToken(contentTypeOf(request), request.body)
        const result = await tokens.refresh({ refreshToken, address: request.address })
        return { status: 200, body: toTokenResponse(result) }
      },
    }),
  ]
}

function contentTypeOf(request: IncomingRequest): string | undefined {
  const value = request.headers['content-type']
  return Array.isArray(value) ? value[0] : value
}
