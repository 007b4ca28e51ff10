import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { readFields } from '../../../lib/input/fields.ts'
import type { OperatorAuthenticator } from '../../sessions/people/types.ts'
import { rolesFor } from '../kit/roles.rules.ts'
import { FOUND_PAYMENT } from './payments.codec.ts'
import { EVERYTHING_RULES, EverythingParameters, EverythingResponse } from './search.schemas.ts'
import type { SearchContext } from './search.service.ts'
import { searchEverything } from './search.service.ts'

export function operatorSearchOperations(
  authenticate: OperatorAuthenticator,
  context: SearchContext,
): Operation[] {
  return [
    operation({
      method: 'GET',
      path: '/operator/v1/search',
      docs: {
        operationId: 'searchEverything',
        summary: 'Everything by what you type',
        description: 'Payments, resellers, products, providers and cases, as far as your role may read them.',
        tag: 'Payments',
      },
      schemas: {
        query: EverythingParameters,
        responses: { 200: EverythingResponse },
      },
      authenticate: authenticate(...rolesFor('resellers.read')),
      async handle({ caller, query }) {
        const { q } = readFields(EVERYTHING_RULES, { q: query.q })
        const found = await searchEverything(context, caller, q)
        const coded = ({ code, name }: { readonly code: string; readonly name: string }) => ({ code, name })
        const data = {
          payments: found.payments.map((each) => FOUND_PAYMENT.encode(each)),
          resellers: found.resellers.map(({ account, name, status }) => ({ account, name, status })),
          products: found.products.map(coded),
          providers: found.providers.map(coded),
          cases: found.cases.map(({ number, kind, state, refid, account }) => ({
            number,
            kind,
            state,
            refid,
            reseller: account,
          })),
        }
        return { status: 200, body: { data } }
      },
    }),
  ]
}
