import { Type } from 'typebox'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { getReseller } from '../../accounts/service.ts'
import { requireKnownLevel } from '../../catalog/operators.service.ts'
import { setLimits } from '../../payments/limits/acts.ts'
import { LIMIT, LIMITS_VIEW } from '../../payments/limits/codec.ts'
import { listLevelLimits, readLimits } from '../../payments/limits/service.ts'
import type { OperatorStage } from '../kit/acts.service.ts'
import { operatorAct } from '../kit/acts.service.ts'
import { rolesFor } from '../kit/roles.rules.ts'
import { dataOf, LevelCode, ResellerParameters } from '../kit/schemas.ts'

const RESELLER_PATH = '/operator/v1/resellers/:account/limits'
const LEVEL_PATH = '/operator/v1/levels/:code/limits'

const LevelLimits = Type.Object({ limits: Type.Array(LIMIT.schema) }, { title: 'Limits of a level' })

const WHOLE_LIST =
  'The whole list: what is not in it ends. Days and months are of GMT+8. More than before needs a fresh proof.'

export function operatorLimitOperations(stage: OperatorStage<unknown>): Operation[] {
  const { authenticate, log } = stage
  return [
    operation({
      method: 'GET',
      path: RESELLER_PATH,
      docs: {
        operationId: 'getResellerLimits',
        summary: 'Limits of a reseller, and what is used',
        tag: 'Resellers',
      },
      schemas: { params: ResellerParameters, responses: { 200: dataOf(LIMITS_VIEW.schema) } },
      authenticate: authenticate(...rolesFor('limits.read')),
      async handle({ params }) {
        const { id } = await getReseller(log.database, params.account)
        const found = await readLimits(log.database, id, 'operator')
        return { status: 200, body: { data: LIMITS_VIEW.encode(found) } }
      },
    }),
    operatorAct(stage, {
      act: setLimits,
      method: 'PUT',
      path: RESELLER_PATH,
      permission: 'limits.write',
      without: ['level'],
      docs: {
        operationId: 'putResellerLimits',
        summary: 'Replace the limits of a reseller',
        description: `An entry replaces that of the level for the same scope, period and category. ${WHOLE_LIST}`,
        tag: 'Resellers',
      },
      body: 'Operator limits request',
      answer: LIMITS_VIEW.schema,
      view: (result) => LIMITS_VIEW.encode(result),
    }),
    operation({
      method: 'GET',
      path: LEVEL_PATH,
      docs: {
        operationId: 'getLevelLimits',
        summary: 'Limits of each reseller of a level',
        tag: 'Price levels',
      },
      schemas: { params: Type.Object({ code: LevelCode }), responses: { 200: dataOf(LevelLimits) } },
      authenticate: authenticate(...rolesFor('limits.read')),
      async handle({ params }) {
        await requireKnownLevel(log.database, params.code)
        const limits = await listLevelLimits(log.database, params.code)
        return { status: 200, body: { data: { limits: limits.map((each) => LIMIT.encode(each)) } } }
      },
    }),
    operatorAct(stage, {
      act: setLimits,
      method: 'PUT',
      path: LEVEL_PATH,
      pathNames: { code: 'level' },
      permission: 'limits.write',
      without: ['account'],
      docs: {
        operationId: 'putLevelLimits',
        summary: 'Replace the limits of each reseller of a level',
        description: WHOLE_LIST,
        tag: 'Price levels',
      },
      body: 'Operator limits request',
      answer: LevelLimits,
      view: ({ limits }) => ({ limits: limits.map((each) => LIMIT.encode(each)) }),
    }),
  ]
}
