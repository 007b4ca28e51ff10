import type { Masks } from '../../../lib/secrets/masks.ts'
import { maskedData, NO_MASKS } from '../../../lib/secrets/masks.ts'
import { RETRY_LIMIT } from '../deliveries/attempt.rules.ts'
import type { LoggedDelivery, LogPage } from './log.service.ts'
import type { Attempt } from './log.types.ts'

/**
 * Callers who must not see secrets get neither the GET form, which carries the event as one text, nor the receiver's
 * answer, which may repeat it.
 */
export function deliveryView({ delivery, message, responseBody }: LoggedDelivery, masks: Masks) {
  const isOpen = masks === NO_MASKS
  const sent = isOpen || message?.sent === message?.payload ? message?.sent : undefined
  return {
    id: delivery.id,
    eventId: delivery.ref.eventId,
    status: delivery.status,
    error: delivery.error,
    retryCount: Math.max(0, delivery.attemptsMade - 1),
    // Test events are tried once.
    retryLimit: delivery.ref.source === 'test' ? 0 : RETRY_LIMIT,
    createdAt: delivery.createdAt.toISOString(),
    completedAt: delivery.completedAt?.toISOString() ?? null,
    webhookUrl: masks.url(delivery.url),
    webhookMethod: delivery.method,
    replayCount: delivery.replays,
    originalJobId: delivery.originalId,
    payload: maskedData(message?.payload ?? null, masks),
    webhookPayload: maskedData(sent ?? null, masks),
    responseCode: delivery.responseStatus,
    responseStatusCode: delivery.responseStatus,
    responseBody: isOpen ? responseBody : '',
  }
}

export function logPageView({ deliveries, cursor }: LogPage, masks: Masks) {
  return { deliveries: deliveries.map((each) => deliveryView(each, masks)), cursor, hasMore: cursor !== null }
}

export function attemptsView(attempts: readonly Attempt[]) {
  return {
    attempts: attempts.map(({ at, durationMs, responseStatus, error }) => ({
      at: at.toISOString(),
      durationMs,
      responseStatusCode: responseStatus,
      error,
    })),
  }
}
