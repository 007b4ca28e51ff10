import type { Database } from '../../db/database.ts'
import type { Schedule } from '../../lib/repeat.ts'
import { repeat } from '../../lib/repeat.ts'
import type { Alerts } from '../alerts/core/service.ts'
import { listAlerts } from '../alerts/core/service.ts'
import { listWaiting } from './sql.ts'

const PAUSE_MS = 30_000
const KIND = 'approval_waiting'
/** Minutes before an alert: long enough for two people who talk to each other. */
const WAITED_MINUTES = 30
const APPROVALS_MAX = 100
const ALERTS_MAX = 1_000

export type ApprovalWatch = {
  readonly database: Database
  readonly alerts: Pick<Alerts, 'raise' | 'clear'>
}

/** Alerts operators to requests that wait for a second person, until they are decided or expire. */
export function startWatchingApprovals(
  settings: ApprovalWatch & { readonly onProblem: (error: unknown) => void },
): Schedule {
  return repeat(PAUSE_MS, () => watchApprovals(settings), settings.onProblem)
}

export async function watchApprovals({ database, alerts }: ApprovalWatch): Promise<void> {
  const waiting = await listWaiting(database, WAITED_MINUTES, APPROVALS_MAX)
  const open = await listAlerts(database, { limit: ALERTS_MAX, withCleared: false })
  const raised = new Set(open.filter(({ kind }) => kind === KIND).map(({ subject }) => subject))
  for (const { id, kind, expiresAt } of waiting) {
    const subject = String(id)
    // An open alert is not raised again, so that it is not counted up; an alert that was cleared by hand is
    // raised again.
    if (raised.delete(subject)) continue
    const text = `Request ${id} (${kind.replaceAll('_', ' ')}) waits for a second person and expires at ${expiresAt.toISOString()}`
    await alerts.raise({ kind: KIND, subject, text })
  }
  // A full page may hide more waiting requests; only a page that is not full shows which alerts are over.
  if (waiting.length < APPROVALS_MAX) for (const subject of raised) await alerts.clear(KIND, subject)
}
