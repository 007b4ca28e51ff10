import { Type } from 'typebox'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { setNumberPlans } from '../../numbers/acts.ts'
import { PLAN_VIEW } from '../../numbers/plans.codec.ts'
import type { OpenNumberPlans } from '../../numbers/plans.service.ts'
import { listPlans } from '../../numbers/plans.service.ts'
import type { PlanInForce } from '../../numbers/types.ts'
import type { OperatorStage } from '../kit/acts.service.ts'
import { operatorAct } from '../kit/acts.service.ts'
import { rolesFor } from '../kit/roles.rules.ts'
import { dataOf } from '../kit/schemas.ts'

const TAG = 'Catalogue'
const PATH = '/operator/v1/number-plan'

const Plans = Type.Object(
  { plans: Type.Array(PLAN_VIEW.schema, { description: 'By country' }) },
  { title: 'Number plans' },
)
const view = (plans: readonly PlanInForce[]) => ({ plans: plans.map((each) => PLAN_VIEW.encode(each)) })

/** Limits of a body with the plans of several countries. */
const LIMITS = { bytesMax: 2 * 1024 * 1024, valuesMax: 200_000 }

export function operatorNumberPlanOperations(
  stage: OperatorStage<unknown>,
  numbers: Pick<OpenNumberPlans, 'refresh'>,
): Operation[] {
  const { authenticate, log } = stage
  const put = operatorAct(stage, {
    act: setNumberPlans,
    method: 'PUT',
    path: PATH,
    permission: 'number_plan.write',
    docs: {
      operationId: 'putNumberPlan',
      summary: 'Replace the plans of countries',
      description:
        'Countries that are not named keep their plans. Every node reads numbers by the new ones within seconds; what ' +
        'was paid keeps the number under which it was taken.',
      tag: TAG,
    },
    body: 'Number plan request',
    answer: Plans,
    view,
    onDone: () => numbers.refresh(),
  })
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: {
        operationId: 'getNumberPlan',
        summary: 'Plans by which telephone numbers are read',
        description: 'Of the countries that have one: given by an operator, or known by the service itself.',
        tag: TAG,
      },
      schemas: { responses: { 200: dataOf(Plans) } },
      authenticate: authenticate(...rolesFor('number_plan.read')),
      handle: async () => ({ status: 200, body: { data: view(await listPlans(log.database)) } }),
    }),
    { ...put, bodyLimits: LIMITS },
  ]
}
