import type { ClockStep } from '../../db/lease-clock.ts'
import type { OnProblem } from '../../lib/observing/payment-stages.ts'
import type { Alerts } from '../../modules/alerts/core/service.ts'
import type { AlertReport } from '../../modules/alerts/core/types.ts'
import type { AmbiguousAnswer } from '../../modules/providers/ambiguous.service.ts'

// Alerts of parts that do not know alerts.

/** Returns a function that never rejects: the part goes on where an alert cannot be written. */
export function raising<T>(
  alerts: Pick<Alerts, 'raise'>,
  onProblem: OnProblem,
  reportOf: (news: T) => AlertReport,
): (news: T) => Promise<void> {
  return (news) =>
    alerts.raise(reportOf(news)).catch((error: unknown) => onProblem('an alert could not be raised', error))
}

export function stepReport({ byMs, isAtStart }: ClockStep): AlertReport {
  const seconds = (byMs / 1_000).toFixed(1)
  const what = isAtStart
    ? `The database's clock differs from a starting node's own by ${seconds} s`
    : `The database's clock was moved by ${seconds} s against a node's monotonic clock`
  return {
    kind: 'database_clock',
    subject: 'database',
    text: `${what}: work of other nodes is not taken over for the time of a lease. Keep all clocks by a time service.`,
  }
}

export function ambiguityReport({ provider, reference, reason }: AmbiguousAnswer): AlertReport {
  return { kind: 'answer_ambiguous', subject: reference, text: `${provider} about ${reference}: ${reason}` }
}
