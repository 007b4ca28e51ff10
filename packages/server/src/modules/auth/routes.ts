import { Type } from 'typebox'
import type { Operation } from '../../http/operation.ts'
import { anyone, operation } from '../../http/operation.ts'
import type { PublishedKeys } from './tokens.types.ts'

const JwksResponse = Type.Object({ keys: Type.Array(Type.Object({}, { additionalProperties: true })) })

/** Publishes the public keys with which this service's tokens and receipts are verified. */
export function jwksOperations(jwks: () => Promise<PublishedKeys>): Operation[] {
  return [
    operation({
      method: 'GET',
      path: '/.well-known/jwks.json',
      docs: {
        operationId: 'getJwks',
        summary: 'Public keys of receipts and of the legacy tokens',
        tag: 'Legacy tokens',
      },
      schemas: { responses: { 200: JwksResponse } },
      authenticate: anyone,
      answersHead: true,
      handle: async () => ({
        status: 200,
        body: await jwks(),
        headers: { 'Cache-Control': 'public, max-age=60' },
      }),
    }),
  ]
}
