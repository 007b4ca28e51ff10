import { Type } from 'typebox'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { parameter } from '../../../http/parameters.ts'
import { CURRENCY_CODE } from '../../../lib/input/codes.ts'
import { oneOf, readFields } from '../../../lib/input/fields.ts'
import { parseId } from '../../../lib/input/ids.ts'
import { optional } from '../../../lib/input/parameters.ts'
import { setRate } from '../../rates/acts.ts'
import { RATE_VIEW } from '../../rates/codec.ts'
import { listRates } from '../../rates/service.ts'
import { RATE_STATES } from '../../rates/types.ts'
import type { OperatorStage } from '../kit/acts.service.ts'
import { operatorAct } from '../kit/acts.service.ts'
import { ApprovalResponse } from '../kit/approvals.codec.ts'
import { PAGE_RULES, pageOf, pageView } from '../kit/pages.rules.ts'
import { rolesFor } from '../kit/roles.rules.ts'
import { listOf, PAGE_PARAMETERS } from '../kit/schemas.ts'

const TAG = 'Money'
const PATH = '/operator/v1/rates'

const LIST_RULES = {
  ...PAGE_RULES,
  currency: optional(CURRENCY_CODE, null),
  state: optional(oneOf(RATE_STATES), null),
}

export function operatorRateOperations(stage: OperatorStage<unknown>): Operation[] {
  const { authenticate, log } = stage
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: {
        operationId: 'listRates',
        summary: 'Rates of currencies, with their history',
        description:
          'By currency, the latest first. One rate of a currency is in force at a time. Amounts in a currency without a ' +
          'rate are shown as they are, without ringgit.',
        tag: TAG,
      },
      schemas: {
        query: Type.Object({
          currency: parameter(LIST_RULES.currency, 'Left out: all'),
          state: parameter(LIST_RULES.state, 'Left out: all'),
          ...PAGE_PARAMETERS,
        }),
        responses: { 200: listOf(RATE_VIEW.schema) },
      },
      authenticate: authenticate(...rolesFor('rates.read')),
      async handle({ query }) {
        const { limit, cursor, currency, state } = readFields(LIST_RULES, query)
        const afterId = cursor === null ? null : (parseId(cursor) ?? 0n)
        const found = await listRates(log.database, { currency, state, afterId, limit: limit + 1 })
        const page = pageOf(found, limit, ({ id }) => String(id))
        return { status: 200, body: pageView(page, (rate) => RATE_VIEW.encode(rate)) }
      },
    }),
    operatorAct(stage, {
      act: setRate,
      method: 'POST',
      path: PATH,
      permission: 'rates.write',
      docs: {
        operationId: 'requestRate',
        summary: 'Ask for another rate of a currency',
        description:
          'It is in force when another operator has approved it, or from the time in `from`. A time that is over may be ' +
          'given where the currency had no rate: costs of that time get it then. What was told by a rate stays so.',
        tag: TAG,
      },
      body: 'New rate request',
      asked: ApprovalResponse,
      also: [409],
    }),
  ]
}
