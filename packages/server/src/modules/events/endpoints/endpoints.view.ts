import { formatDayFirst } from '../../../lib/dates.ts'
import type { Masks } from '../../../lib/secrets/masks.ts'
import type { Put } from './endpoints.service.ts'
import type { Endpoint, EndpointStatus } from './endpoints.types.ts'

export function callbackView(endpoint: Endpoint | undefined, now: Date, masks: Masks) {
  return {
    data: {
      Status: endpoint === undefined ? '' : 'Success',
      CallbackUrl: masks.url(endpoint?.url ?? ''),
      Method: endpoint?.method ?? '',
    },
    '@metadata': { status_code: 200 as const, last_updated: formatDayFirst(endpoint?.updatedAt ?? now) },
  }
}

export function callbackSecretView(endpoint: Endpoint | undefined) {
  return {
    secret_last_four: endpoint?.secretLastFour ?? '',
    created_at: iso(endpoint?.secretCreatedAt),
  }
}

export function webhookView(endpoint: Endpoint | undefined, masks: Masks) {
  return {
    webhook_url: masks.url(endpoint?.url ?? ''),
    enabled: endpoint?.isEnabled ?? false,
    secret_last_four: endpoint?.secretLastFour ?? '',
    created_at: iso(endpoint?.createdAt),
    updated_at: iso(endpoint?.updatedAt),
  }
}

/** Shows the secret only in the answer that creates the configuration. */
export function putWebhookView({ endpoint, secret }: Put) {
  return { webhook_url: endpoint.url, ...(secret !== undefined && { webhook_secret: secret }) }
}

export function statusView(status: EndpointStatus) {
  return {
    enabled: status.isEnabled,
    paused_at: iso(status.pausedAt),
    failing_since: iso(status.failingSince),
    last_success_at: iso(status.lastSuccessAt),
    pending: status.pending,
  }
}

function iso(instant: Date | null | undefined): string | null {
  return instant?.toISOString() ?? null
}
