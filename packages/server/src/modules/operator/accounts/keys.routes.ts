import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { HINTED_KEY, LISTED_HINTED_KEY } from '../../accounts/keys.codec.ts'
import { getReseller } from '../../accounts/service.ts'
import type { CountedKeys } from '../../accounts/types.ts'
import { changeKey, revokeKey } from '../../grants/keys.acts.ts'
import type { GrantWorld } from '../../grants/types.ts'
import type { OperatorStage } from '../kit/acts.service.ts'
import { operatorAct } from '../kit/acts.service.ts'
import { rolesFor } from '../kit/roles.rules.ts'
import { listOf, ResellerParameters } from '../kit/schemas.ts'

const TAG = 'Resellers'
const PATH = '/operator/v1/resellers/:account/keys'

/** Operations on API keys. None creates a key: that is done in the portal, where only the owner sees its secret. */
export function operatorKeyOperations(
  stage: OperatorStage<GrantWorld>,
  countedKeys: CountedKeys,
): Operation[] {
  const { authenticate, log } = stage
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
        responses: { 200: listOf(LISTED_HINTED_KEY.schema) },
      },
      authenticate: authenticate(...rolesFor('keys.read')),
      async handle({ params }) {
        const { id } = await getReseller(log.database, params.account)
        const data = (await countedKeys.list(id)).map((key) => LISTED_HINTED_KEY.encode(key))
        return { status: 200, body: { data, cursor: null, has_more: false } }
      },
    }),
    operatorAct(stage, {
      act: changeKey,
      method: 'PATCH',
      path: `${PATH}/:id`,
      permission: 'keys.write',
      docs: {
        operationId: 'narrowResellerKey',
        summary: 'Let an API key do less',
        description:
          'Lower caps, fewer products, an earlier end. What is left out stays as it is. Only its owner lets a key do more: 403 `only_its_owner`. It holds on every ' +
          'node within seconds.',
        tag: TAG,
      },
      body: 'Key change request',
      without: ['key'],
      answer: HINTED_KEY.schema,
      view: (key) => HINTED_KEY.encode(key),
    }),
    operatorAct(stage, {
      act: revokeKey,
      method: 'POST',
      path: `${PATH}/:id/revoke`,
      permission: 'keys.write',
      docs: {
        operationId: 'revokeResellerKey',
        summary: 'End an API key at once, on every node within seconds',
        tag: TAG,
      },
      body: 'Reason request',
      without: ['key'],
      answer: HINTED_KEY.schema,
      view: (key) => HINTED_KEY.encode(key),
    }),
  ]
}
