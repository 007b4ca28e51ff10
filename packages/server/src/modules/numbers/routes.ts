import { Type } from 'typebox'
import type { Operation } from '../../http/operation.ts'
import { operation } from '../../http/operation.ts'
import { parameter } from '../../http/parameters.ts'
import { MessageErrors } from '../../http/schemas.ts'
import { readFields } from '../../lib/input/fields.ts'
import { required } from '../../lib/input/parameters.ts'
import type { Authenticator } from '../auth/service.ts'
import { CUSTOMER_ACCOUNT } from '../payments/core/fields.rules.ts'
import { LOOKUP } from './codec.ts'
import type { NumberLookups } from './lookup.service.ts'

const RULES = { account: required('account', CUSTOMER_ACCOUNT) }

export function numberOperations(
  authenticate: Authenticator,
  lookups: Pick<NumberLookups, 'lookUp'>,
): Operation[] {
  return [
    operation({
      method: 'GET',
      path: '/v2/number-lookup',
      docs: {
        operationId: 'lookupNumber',
        summary: 'Operator of a telephone number, and the products for it',
        description:
          'The number may be written in any way. Its operator is certain where a supplier said so within 30 days or ' +
          'you paid for it with success within 90; otherwise its prefix is a guess. Nothing is paid, and a number ' +
          'without a known operator is no error.',
        tag: 'Catalogue',
      },
      schemas: {
        query: Type.Object({ account: parameter(RULES.account, 'Number as it was typed') }),
        responses: { 200: Type.Object({ data: LOOKUP.schema }), 400: MessageErrors },
      },
      authenticate: authenticate('read'),
      async handle({ caller, query }) {
        const { account } = readFields(RULES, query)
        const { id, priceLevel } = caller.reseller
        const found = await lookups.lookUp({ id, priceLevel, keyProducts: caller.products }, account)
        return { status: 200, body: { data: LOOKUP.encode(found, account) } }
      },
    }),
  ]
}
