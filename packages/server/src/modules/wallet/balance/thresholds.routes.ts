import { Type } from 'typebox'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { parameter } from '../../../http/parameters.ts'
import { formatDayFirst, formatSeconds } from '../../../lib/dates.ts'
import { formatMoney, moneyToNumber } from '../../../lib/money.ts'
import type { Authenticator } from '../../auth/service.ts'
import { readThresholdParameters, THRESHOLD_RULES } from './thresholds.rules.ts'
import type { Threshold, Thresholds } from './thresholds.service.ts'

const PATH = '/v2/low-balance-threshold'

function response(title: string, lastUpdated: string) {
  return Type.Object(
    {
      data: Type.Object({
        Status: Type.String({ description: 'Success; empty when no threshold is set' }),
        Email: Type.String({ description: "The account's registered address" }),
        BalanceThreshold: Type.Number({ description: 'In MYR; 0 when no threshold is set' }),
        Note: Type.String({ description: 'A sentence that ends in the amount' }),
      }),
      '@metadata': Type.Object({
        status_code: Type.Literal(200),
        last_updated: Type.String({ description: `${lastUpdated}, GMT+8` }),
      }),
    },
    { title },
  )
}

const ThresholdResponse = response('Low balance threshold', 'dd-MM-yyyy HH:mm:ss')
const NewThresholdResponse = response('New low balance threshold', 'yyyy-MM-dd HH:mm:ss')

/** Makes the answer. The two operations format the time differently. */
export function thresholdView({ amount, email, at }: Threshold, formatTime: (instant: Date) => string) {
  return {
    data: {
      Status: amount === null ? '' : 'Success',
      Email: email,
      BalanceThreshold: amount === null ? 0 : moneyToNumber(amount),
      Note:
        amount === null ? '' : `An e-mail is sent when the balance drops below MYR ${formatMoney(amount)}`,
    },
    '@metadata': { status_code: 200 as const, last_updated: formatTime(at) },
  }
}

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
        query: Type.Object({
          amount: parameter(
            THRESHOLD_RULES.amount,
            'In MYR, with at most 4 decimals; in the signed query alone',
          ),
        }),
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
