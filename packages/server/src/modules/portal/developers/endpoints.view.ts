import type { Masks } from '../../../lib/secrets/masks.ts'
import { maskedData } from '../../../lib/secrets/masks.ts'
import type { Endpoint } from '../../events/endpoints/endpoints.types.ts'
import type { FeedPage } from '../../events/feed/feed.service.ts'
import type { LoggedDelivery } from '../../events/log/log.service.ts'
import type { Attempt } from '../../events/log/log.types.ts'
import type { ReplayResult } from '../../events/log/replay.rules.ts'
import type { Stream } from '../../events/types.ts'

export function endpointView(
  stream: Stream,
  endpoint: Endpoint | undefined,
  pending: number,
  showUrl: (url: string) => string,
) {
  return {
    stream,
    is_configured: endpoint !== undefined,
    url: showUrl(endpoint?.url ?? ''),
    method: endpoint?.method ?? null,
    enabled: endpoint?.isEnabled ?? false,
    types: endpoint?.types ?? [],
    secret_last_four: endpoint?.secretLastFour ?? '',
    secret_created_at: iso(endpoint?.secretCreatedAt),
    paused_at: iso(endpoint?.pausedAt),
    failing_since: iso(endpoint?.failingSince),
    last_success_at: iso(endpoint?.lastSuccessAt),
    pending,
    updated_at: iso(endpoint?.updatedAt),
  }
}

export function memberDeliveryView({ delivery }: LoggedDelivery, showUrl: (url: string) => string) {
  return {
    id: delivery.id,
    stream: delivery.stream,
    event_id: delivery.ref.eventId,
    event_type: delivery.eventType,
    status: delivery.status,
    error: delivery.error,
    attempts: delivery.attemptsMade,
    response_status: delivery.responseStatus,
    url: showUrl(delivery.url),
    method: delivery.method,
    replay_of: delivery.originalId,
    replays: delivery.replays,
    is_test: delivery.ref.source === 'test',
    created_at: delivery.createdAt.toISOString(),
    completed_at: iso(delivery.completedAt),
  }
}

/** Limits of the parts of a delivery that a person may see. */
export type DeliveryVisibility = {
  readonly masks: Masks
  readonly showUrl: (url: string) => string
  readonly showsAnswers: boolean
}

/** Shows a delivery without the receiver's answers for viewers: a receiver may repeat the data that it was sent. */
export function deliveryDetailsView(
  logged: LoggedDelivery,
  tries: readonly Attempt[],
  { masks, showUrl, showsAnswers }: DeliveryVisibility,
) {
  return {
    ...memberDeliveryView(logged, showUrl),
    payload: logged.message === undefined ? null : maskedData(logged.message.payload, masks),
    response_body: showsAnswers ? logged.responseBody : '',
    tries: tries.map(({ at, durationMs, responseStatus, error }) => ({
      at: at.toISOString(),
      duration_ms: durationMs,
      response_status: responseStatus,
      error,
    })),
  }
}

export function replayedView(result: ReplayResult) {
  const replayed = result.kind === 'replayed' ? result : undefined
  return {
    delivery_id: result.jobId,
    replayed: replayed !== undefined,
    new_delivery_id: replayed?.newJobId ?? null,
    error: result.kind === 'replayed' ? null : result.kind,
  }
}

export function maskedFeedView({ events, next, hasMore }: FeedPage, latest: bigint, masks: Masks) {
  const [first] = events
  return {
    data: events.map(({ sequence, ref, event }) => ({
      sequence: Number(sequence),
      id: ref.eventId,
      type: event?.type ?? 'event.expired',
      created_at: ref.at.toISOString(),
      data: maskedData(event?.data ?? {}, masks),
    })),
    next: Number(next),
    previous: first === undefined || first.sequence <= 1n ? null : Number(first.sequence),
    latest: Number(latest),
    has_more: hasMore,
  }
}

function iso(instant: Date | null | undefined): string | null {
  return instant?.toISOString() ?? null
}
