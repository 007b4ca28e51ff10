import { Type } from 'typebox'
import type { Operation } from '../../http/operation.ts'
import { anyone, operation } from '../../http/operation.ts'
import type { Tokens } from './tokens.types.ts'

const JwksResponse = Type.Object({ keys: Type.Array(Type.Object({}, { additionalProperties: true })) })

/** Publishes the public keys with which this service's tokens are verified. */
export function jwksOperations(tokens: Pick<Tokens, 'jwks'>): Operation[] {
  return [
    operation({
      method: 'GET',
      path: '/.well-known/jwks.json',
      docs: { operationId: 'getJwks', summary: 'Public keys of the legacy tokens', tag: 'Legacy tokens' },
      schemas: { responses: { 200: JwksResponse } },
      authenticate: anyone,
      answersHead: true,
      handle: async () => ({
        status: 200,
        body: tokens.jwks(),
        headers: { 'Cache-Control': 'public, max-age=60' },
      }),
    }),
  ]
}
