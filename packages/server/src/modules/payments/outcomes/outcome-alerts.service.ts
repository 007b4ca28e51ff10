import type { Alerts } from '../../alerts/core/service.ts'
import type { AlertKind, AlertReport } from '../../alerts/core/types.ts'

/** Alerts about answers that wait: logged once, at once, and raised when the database accepts them. */
export type OutcomeAlerts = {
  tell(report: AlertReport, error?: unknown): void
  /** Ends an alert whose cause is over. */
  end(kind: AlertKind, subject: string): Promise<void>
  /** Raises the alerts that could not be raised yet; at most once per RAISE_EVERY_MS. */
  raiseLater(): void
}

const RAISE_EVERY_MS = 5_000

export function createOutcomeAlerts(settings: {
  readonly alerts: Pick<Alerts, 'raise' | 'clear'>
  readonly onProblem: (text: string, error: unknown) => void
}): OutcomeAlerts {
  const { alerts, onProblem } = settings
  const raised = new Set<string>()
  const unraised = new Map<string, AlertReport>()
  let triedAtMs = Number.NEGATIVE_INFINITY

  async function raise(): Promise<void> {
    for (const [key, report] of unraised) {
      await alerts.raise(report)
      unraised.delete(key)
    }
  }

  return {
    tell(report, error) {
      const key = `${report.kind} ${report.subject}`
      if (raised.has(key)) return
      raised.add(key)
      onProblem(report.text, error)
      unraised.set(key, report)
    },
    async end(kind, subject) {
      const key = `${kind} ${subject}`
      if (!raised.delete(key) || unraised.delete(key)) return
      await alerts.clear(kind, subject).catch((error: unknown) => onProblem('an alert stays open', error))
    },
    raiseLater() {
      const now = performance.now()
      if (unraised.size === 0 || now - triedAtMs < RAISE_EVERY_MS) return
      triedAtMs = now
      // The database may still be unavailable; the next call tries again.
      raise().catch(() => {})
    },
  }
}
