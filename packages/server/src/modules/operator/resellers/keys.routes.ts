import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import type { OperatorAuthenticator } from '../../sessions/people/types.ts'
import { rolesFor } from '../console/roles.rules.ts'
import { KeyListResponse, KeyParameters, KeyResponse, RevokeKeyBody } from './keys.schemas.ts'
import { listKeysOf, revokeKey } from './keys.service.ts'
import { keyView } from './keys.view.ts'
import { ResellerParameters } from './resellers.schemas.ts'
import type { AccountsContext } from './resellers.service.ts'

const TAG = 'Resellers'
const PATH = '/operator/v1/resellers/:account/keys'

/** Operations on API keys. None creates a key: that is done in the portal, where only the owner sees its secret. */
export function operatorKeyOperations(
  authenticate: OperatorAuthenticator,
  context: AccountsContext,
): Operation[] {
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: {
        operationId: 'listResellerKeys',
        summary: 'The API keys of a reseller, newest first',
        description: 'Neither a key nor its secret is shown.',
        tag: TAG,
      },
      schemas: {
        params: ResellerParameters,
        responses: { 200: KeyListResponse },
      },
      authenticate: authenticate(...rolesFor('keys.read')),
      async handle({ params }) {
        const keys = await listKeysOf(context, params.account)
        return { status: 200, body: { data: keys.map(keyView), cursor: null, has_more: false } }
      },
    }),
    operation({
      method: 'POST',
      path: `${PATH}/:id/revoke`,
      docs: {
        operationId: 'revokeResellerKey',
        summary: 'End an API key at once, on every node within seconds',
        tag: TAG,
      },
      schemas: {
        params: KeyParameters,
        body: RevokeKeyBody,
        responses: { 200: KeyResponse },
      },
      authenticate: authenticate(...rolesFor('keys.write')),
      async handle({ caller, params, body }) {
        const key = await revokeKey(context, caller, params, body.reason)
        return { status: 200, body: { data: keyView(key) } }
      },
    }),
  ]
}
