import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { dayOf } from '../../../lib/dates.ts'
import { RequestError } from '../../../lib/errors.ts'
import { parseId } from '../../../lib/input/ids.ts'
import { notFound } from '../access/access.service.ts'
import type { PortalSettings } from '../access/types.ts'
import { compareCut, readRequestQuery } from './request-log.rules.ts'
import {
  ComparisonBody,
  ComparisonResponse,
  LoggedRequestParams,
  LoggedRequestResponse,
  RequestLogParameters,
  RequestLogResponse,
} from './request-log.schemas.ts'
import { findLoggedRequest, listLoggedRequests } from './request-log.service.ts'
import type { DiagnosedRequest } from './request-log.types.ts'
import { canonicalComparisonView, diagnosedRequestView, loggedRequestView } from './request-log.view.ts'

export function requestLogOperations(settings: PortalSettings): Operation[] {
  const { authenticate, database, now } = settings
  return [
    operation({
      method: 'GET',
      path: '/portal/v1/request-log',
      docs: {
        operationId: 'portalListRequests',
        summary: 'Requests to the API, newest first',
        description:
          'Kept for 7 days; of busy accounts a sample, failures first. Bodies and signatures are never kept, and of ' +
          'queries only the canonical string of a refused signature, sealed.',
        tag: 'Request log',
      },
      schemas: { query: RequestLogParameters, responses: { 200: RequestLogResponse } },
      authenticate: authenticate('developers.read'),
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
    operation({
      method: 'GET',
      path: '/portal/v1/request-log/:id',
      docs: {
        operationId: 'portalGetRequest',
        summary: 'A request, how far it came and what was wrong',
        description:
          'Of a refused signature with the canonical string that the service built. It holds no secret.',
        tag: 'Request log',
      },
      schemas: { params: LoggedRequestParams, responses: { 200: LoggedRequestResponse } },
      authenticate: authenticate('developers.read'),
      async handle({ caller, params }) {
        const request = await getLoggedRequest(settings, caller.reseller.account, params.id)
        return { status: 200, body: { data: diagnosedRequestView(request) } }
      },
    }),
    operation({
      method: 'POST',
      path: '/portal/v1/request-log/:id/compare',
      docs: {
        operationId: 'portalCompareCanonical',
        summary: 'Find where your canonical string differs',
        description:
          'Names the first difference and the usual mistake behind it. The text is not kept. 409 `no_canonical_string`: ' +
          'the request was not refused for its signature.',
        tag: 'Request log',
      },
      schemas: {
        params: LoggedRequestParams,
        body: ComparisonBody,
        responses: { 200: ComparisonResponse },
      },
      authenticate: authenticate('developers.read'),
      async handle({ caller, params, body }) {
        const { canonical } = await getLoggedRequest(settings, caller.reseller.account, params.id)
        if (canonical === null) throw noCanonicalString()
        return { status: 200, body: { data: canonicalComparisonView(compareCut(canonical, body.yours)) } }
      },
    }),
  ]
}

async function getLoggedRequest(
  settings: PortalSettings,
  account: string,
  text: string,
): Promise<DiagnosedRequest> {
  const id = parseId(text)
  const request = id === undefined ? undefined : await findLoggedRequest(settings, account, id)
  if (request === undefined) throw notFound('request')
  return request
}

function noCanonicalString(): RequestError {
  return new RequestError({
    status: 409,
    code: 'no_canonical_string',
    publicText: 'This request was not refused for its signature, so there is nothing to compare.',
  })
}
