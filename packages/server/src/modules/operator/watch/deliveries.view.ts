import type { EndpointStatus } from '../../events/endpoints/endpoints.types.ts'
import type { listDeliveryQueues, OperatedEndpoint } from '../../events/endpoints/operators.service.ts'

type QueueOfAccount = Awaited<ReturnType<typeof listDeliveryQueues>>[number]

export function queueView({ account, stream, pending, oldestAt, nextAt, isHeld }: QueueOfAccount) {
  return {
    reseller: account,
    stream,
    pending,
    oldest_at: oldestAt.toISOString(),
    next_at: nextAt.toISOString(),
    is_held: isHeld,
  }
}

export function endpointView({ account, endpoint }: OperatedEndpoint) {
  return {
    reseller: account,
    stream: endpoint.stream,
    url: withoutQuery(endpoint.url),
    method: endpoint.method,
    is_enabled: endpoint.isEnabled,
    types: endpoint.types,
    failing_since: endpoint.failingSince?.toISOString() ?? null,
    paused_at: endpoint.pausedAt?.toISOString() ?? null,
    last_success_at: endpoint.lastSuccessAt?.toISOString() ?? null,
    created_at: endpoint.createdAt.toISOString(),
    updated_at: endpoint.updatedAt.toISOString(),
  }
}

export function endpointReportView(report: OperatedEndpoint & { readonly status: EndpointStatus }) {
  return { ...endpointView(report), pending: report.status.pending }
}

/** Removes the query: some receivers keep a secret in it. */
function withoutQuery(url: string): string {
  const [place = ''] = url.split('?')
  return place === url ? url : `${place}?…`
}
