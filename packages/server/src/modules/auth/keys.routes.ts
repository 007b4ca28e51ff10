import type { Operation } from '../../http/operation.ts'
import { operation } from '../../http/operation.ts'
import { refusal } from '../../http/refusals.ts'
import { OWN_KEY, OwnKeyResponse } from '../accounts/keys.codec.ts'
import type { CountedKeys } from '../accounts/types.ts'
import type { Authenticator } from './service.ts'

/** Tells a program what its own key is for: kiosks, branches and software agents. */
export function keyOperations(authenticate: Authenticator, keys: CountedKeys): Operation[] {
  return [
    operation({
      method: 'GET',
      path: '/v2/key',
      docs: {
        operationId: 'getKey',
        summary: 'Purpose of the key of the request, and what it has spent',
        description: 'For keys of any scope. Amounts are in ringgit of cost, by days and months of GMT+8.',
        tag: 'Account',
      },
      schemas: { responses: { 200: OwnKeyResponse } },
      authenticate: authenticate('any'),
      async handle({ caller }) {
        if (caller.kind !== 'key') throw refusal('api_key_required')
        const own = await keys.get(caller.reseller.id, BigInt(caller.memberId))
        return { status: 200, body: { data: OWN_KEY.encode(own) } }
      },
    }),
  ]
}
