import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { formatDayFirst, formatSeconds } from '../../../lib/dates.ts'
import type { Authenticator } from '../../auth/service.ts'
import { readThresholdParameters } from './thresholds.rules.ts'
import { NewThresholdResponse, ThresholdParameters, ThresholdResponse } from './thresholds.schemas.ts'
import type { Thresholds } from './thresholds.service.ts'
import { thresholdView } from './thresholds.view.ts'

const PATH = '/v2/low-balance-threshold'

export function thresholdOperations(authenticate: Authenticator, thresholds: Thresholds): Operation[] {
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: {
        operationId: 'getLowBalanceThreshold',
        summary: 'The balance under which you are told by e-mail',
        tag: 'Wallet',
      },
      schemas: { responses: { 200: ThresholdResponse } },
      authenticate: authenticate('read'),
      async handle({ caller }) {
        const threshold = await thresholds.get(caller.reseller)
        return { status: 200, body: thresholdView(threshold, formatDayFirst) }
      },
    }),
    operation({
      method: 'POST',
      path: PATH,
      docs: {
        operationId: 'setLowBalanceThreshold',
        summary: 'Set the balance under which you are told by e-mail',
        description: 'The amount stands in the signed query; a body is not read.',
        tag: 'Wallet',
      },
      schemas: {
        query: ThresholdParameters,
        responses: { 200: NewThresholdResponse },
      },
      authenticate: authenticate('configure'),
      async handle({ caller, query }) {
        const { amount } = readThresholdParameters(query)
        const threshold = await thresholds.set(caller.reseller, amount)
        return { status: 200, body: thresholdView(threshold, formatSeconds) }
      },
    }),
  ]
}
