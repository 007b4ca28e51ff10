import type { Database, Queryable } from '../../../db/database.ts'
import { RequestError } from '../../../lib/errors.ts'
import { BOOLEAN, LIST_LIMIT, readFields } from '../../../lib/input/fields.ts'
import { clear, clearById, countOpen, deleteCleared, list, listMostSevere, raise } from './sql.ts'
import type { Alert, AlertKind, AlertReport, Severity } from './types.ts'

/** The only way to tell operators that something needs a person. */
export type Alerts = {
  /** Raises an alert, in the given transaction or at once. One that is open already is counted up. */
  raise(report: AlertReport, connection?: Queryable): Promise<void>
  /** Clears the alert, because its cause is over. True: there was such an alert. */
  clear(kind: AlertKind, subject: string, connection?: Queryable): Promise<boolean>
  /** Announces an alert that another commit has raised. */
  tell(report: AlertReport): void
  /** Number of open alerts at the last count. */
  openCount(severity: Severity): number
  /** Counts the open alerts, and deletes those that were cleared long ago. */
  cleanUp(): Promise<void>
}

const CLEARED_KEPT_DAYS = 180

export function createAlerts(settings: {
  database: Database
  /** Called for new alerts only: a repeated alert is not news. */
  onRaised: (report: AlertReport) => void
}): Alerts {
  const { database, onRaised } = settings
  let open: ReadonlyMap<Severity, number> = new Map()
  return {
    async raise(report, connection = database) {
      if (await raiseAlert(connection, report)) onRaised(report)
    },
    clear: (kind, subject, connection = database) => clear(connection, kind, subject),
    tell: onRaised,
    openCount: (severity) => open.get(severity) ?? 0,
    async cleanUp() {
      open = await countOpen(database)
      await deleteCleared(database, CLEARED_KEPT_DAYS)
    },
  }
}

const TEXT_MAX = 1_000

/** True: the alert is new. */
export function raiseAlert(connection: Queryable, report: AlertReport): Promise<boolean> {
  return raise(connection, { ...report, text: report.text.slice(0, TEXT_MAX) })
}

const PAGE_RULES = { limit: LIST_LIMIT, withCleared: BOOLEAN }

/** Lists the newest first. */
export function listAlerts(
  database: Database,
  page: { limit: number; withCleared: boolean },
): Promise<Alert[]> {
  return list(database, readFields(PAGE_RULES, page))
}

export type OpenAlerts = {
  readonly counts: Readonly<Record<Severity, number>>
  /** Critical ones first, and then the newest first. */
  readonly first: readonly Alert[]
}

/** Counts the open alerts and reads the first of them. */
export async function readOpenAlerts(connection: Queryable, limit: number): Promise<OpenAlerts> {
  const counts = await countOpen(connection)
  return {
    counts: { critical: counts.get('critical') ?? 0, warning: counts.get('warning') ?? 0 },
    first: await listMostSevere(connection, limit),
  }
}

/** Clears an alert that an operator has handled. A cause that remains raises a new one. */
export async function clearAlert(connection: Queryable, id: bigint): Promise<Alert> {
  const alert = await clearById(connection, id)
  if (alert !== undefined) return alert
  throw new RequestError({ status: 404, code: 'not_found', publicText: 'There is no such alert.' })
}
