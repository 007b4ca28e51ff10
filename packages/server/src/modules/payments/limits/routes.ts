import { Type } from 'typebox'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { parameter } from '../../../http/parameters.ts'
import { readFields } from '../../../lib/input/fields.ts'
import { optional } from '../../../lib/input/parameters.ts'
import type { Authenticator } from '../../auth/service.ts'
import { CUSTOMER_ACCOUNT } from '../core/fields.rules.ts'
import { LIMIT_IN_USE } from './codec.ts'
import type { LimitReader } from './service.ts'

const RULES = { account: optional(CUSTOMER_ACCOUNT, null) }

export function limitOperations(
  authenticate: Authenticator,
  payments: { readonly limits: LimitReader },
): Operation[] {
  return [
    operation({
      method: 'GET',
      path: '/v2/limits',
      docs: {
        operationId: 'getLimits',
        summary: 'Limits of your payments, and what is used of them',
        description:
          'A payment over any of them is rejected with code 54. Days and months are of GMT+8. A payment that fails or ' +
          'is voided gives its part back to the day and month in which it was taken.',
        tag: 'Payments',
      },
      schemas: {
        query: Type.Object({
          account: parameter(RULES.account, 'Account whose use of the limits of accounts is shown'),
        }),
        responses: {
          200: Type.Object({
            data: Type.Object(
              {
                duplicate_window_seconds: Type.Integer({
                  description: 'Seconds in which the same payment again is refused; 0: never',
                }),
                limits: Type.Array(LIMIT_IN_USE.schema),
              },
              { title: 'Limits' },
            ),
          }),
        },
      },
      authenticate: authenticate('read'),
      async handle({ caller, query }) {
        const { account } = readFields(RULES, query)
        const limits = await payments.limits.list(caller.reseller.id, account)
        const { duplicateWindowSeconds } = caller.reseller
        const data = {
          duplicate_window_seconds: duplicateWindowSeconds,
          limits: limits.map((each) => LIMIT_IN_USE.encode(each)),
        }
        return { status: 200, body: { data } }
      },
    }),
  ]
}
