import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { dayOf } from '../../../lib/dates.ts'
import { READ_ERRORS } from '../access/schemas.ts'
import type { PortalSettings } from '../access/types.ts'
import { readRequestQuery } from './request-log.rules.ts'
import { RequestLogParameters, RequestLogResponse } from './request-log.schemas.ts'
import { listLoggedRequests } from './request-log.service.ts'
import { loggedRequestView } from './request-log.view.ts'

export function requestLogOperations({ authenticate, database, now }: PortalSettings): Operation[] {
  return [
    operation({
      method: 'GET',
      path: '/portal/v1/request-log',
      dialect: 'common',
      docs: {
        operationId: 'portalListRequests',
        summary: 'Requests to the API, newest first',
        description:
          'Kept for 7 days; of busy accounts a sample, failures first. Bodies, queries and signatures are never kept.',
        tag: 'Request log',
      },
      schemas: { query: RequestLogParameters, responses: { 200: RequestLogResponse, ...READ_ERRORS } },
      authenticate: authenticate('viewer'),
      async handle({ caller, query }) {
        const filter = readRequestQuery(query, dayOf(now().getTime()))
        const wanted = { ...filter, limit: filter.limit + 1 }
        const found = await listLoggedRequests(database, caller.reseller.account, wanted)
        const data = found.slice(0, filter.limit).map(loggedRequestView)
        const hasMore = found.length > filter.limit
        const cursor = hasMore ? (data.at(-1)?.id ?? null) : null
        return { status: 200, body: { data, cursor, has_more: hasMore } }
      },
    }),
  ]
}
