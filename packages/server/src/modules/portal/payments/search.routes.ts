import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { readFields } from '../../../lib/input/fields.ts'
import type { PortalSettings } from '../access/types.ts'
import { SEARCH_RULES } from './search.rules.ts'
import { SearchParameters, SearchResponse } from './search.schemas.ts'
import { searchPortal } from './search.service.ts'
import { paymentSummaryView } from './summaries.view.ts'

export function portalSearchOperations(settings: PortalSettings): Operation[] {
  return [
    operation({
      method: 'GET',
      path: '/portal/v1/search',
      docs: {
        operationId: 'portalSearch',
        summary: 'Payments, products and cases by what you type',
        tag: 'Overview',
      },
      schemas: { query: SearchParameters, responses: { 200: SearchResponse } },
      authenticate: settings.authenticate('payments.own'),
      async handle({ caller, query }) {
        const { q } = readFields(SEARCH_RULES, { q: query.q })
        const { payments, products, cases } = await searchPortal(settings, caller, q)
        const found = {
          payments: payments.map(paymentSummaryView),
          products,
          cases: cases.map(({ number, kind, state, refid }) => ({ number, kind, state, refid })),
        }
        return { status: 200, body: { data: found } }
      },
    }),
  ]
}
