import { RETRY_LIMIT } from './attempt.rules.ts'
import type { LoggedDelivery, LogPage } from './log.service.ts'
import type { Attempt } from './log.types.ts'

export function deliveryView({ delivery, message, responseBody }: LoggedDelivery) {
  return {
    id: delivery.id,
    eventId: delivery.ref.eventId,
    status: delivery.status,
    error: delivery.error,
    retryCount: Math.max(0, delivery.attemptsMade - 1),
    // A test is tried once.
    retryLimit: delivery.ref.source === 'test' ? 0 : RETRY_LIMIT,
    createdAt: delivery.createdAt.toISOString(),
    completedAt: delivery.completedAt?.toISOString() ?? null,
    webhookUrl: delivery.url,
    webhookMethod: delivery.method,
    replayCount: delivery.replays,
    originalJobId: delivery.originalId,
    payload: message?.payload ?? null,
    webhookPayload: message?.sent ?? null,
    responseCode: delivery.responseStatus,
    responseStatusCode: delivery.responseStatus,
    responseBody,
  }
}

export function logPageView({ deliveries, cursor }: LogPage) {
  return { deliveries: deliveries.map(deliveryView), cursor, hasMore: cursor !== null }
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
