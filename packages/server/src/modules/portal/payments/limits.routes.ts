import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { setOwnLimits } from '../../payments/limits/acts.ts'
import { LIMITS_VIEW } from '../../payments/limits/codec.ts'
import { readLimits } from '../../payments/limits/service.ts'
import { accessStage, memberAct } from '../access/acts.service.ts'
import { dataOf } from '../access/schemas.ts'
import type { PortalSettings } from '../access/types.ts'

const TAG = 'Account'
const PATH = '/portal/v1/limits'

export function portalLimitOperations(settings: PortalSettings): Operation[] {
  const { authenticate, database } = settings
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: { operationId: 'portalGetLimits', summary: 'Limits of payments, and what is used', tag: TAG },
      schemas: { responses: { 200: dataOf(LIMITS_VIEW.schema) } },
      authenticate: authenticate('limits.read'),
      async handle({ caller }) {
        const found = await readLimits(database, caller.reseller.id, 'reseller')
        return { status: 200, body: { data: LIMITS_VIEW.encode(found) } }
      },
    }),
    memberAct(accessStage(settings), {
      act: setOwnLimits,
      method: 'PUT',
      path: PATH,
      permission: 'limits.write',
      docs: {
        operationId: 'portalPutLimits',
        summary: 'Replace your own limits',
        description:
          "They come on top of the operator's, and none may be looser than the operator's of the same scope, period and " +
          'category (400). More than before needs a fresh proof; less needs none.',
        tag: TAG,
      },
      body: 'Limits request',
      answer: LIMITS_VIEW.schema,
      view: (result) => LIMITS_VIEW.encode(result),
    }),
  ]
}
