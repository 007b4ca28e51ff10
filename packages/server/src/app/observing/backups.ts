import { readBackupAge, readLogAge } from '../../backup/ages.ts'
import { readArchiver } from '../../backup/sql.ts'
import type { BackupConfig } from '../../config.ts'
import type { Database } from '../../db/database.ts'
import type { EdgeMetrics } from '../../http/metrics.ts'
import type { Schedule } from '../../lib/repeat.ts'
import { repeat } from '../../lib/repeat.ts'
import type { Alerts } from '../../modules/alerts/core/service.ts'
import type { AlertKind } from '../../modules/alerts/core/types.ts'
import { listRestores } from '../../modules/payments/restores/service.ts'

export type BackupWatchSettings = {
  readonly config: BackupConfig
  /** Kind of the server: ours is copied by `warungd backup`, another one by its operator's tools. */
  readonly source: 'embedded' | 'external'
  readonly database: Database
  readonly alerts: Pick<Alerts, 'raise' | 'clear'>
}

const READ_EVERY_MS = 15_000
const LOG_AGE_MAX_MS = 10 * 60_000
const HOUR_MS = 3_600_000
/** Value of a figure where no folder is set. */
const NO_FOLDER = -1

/** Shows the ages of backups, and alerts operators of old ones and of a restore that nobody has accepted. */
export function startWatchingBackups(
  settings: BackupWatchSettings & {
    readonly metrics: Pick<EdgeMetrics, 'gauge'>
    readonly onProblem: (error: unknown) => void
  },
): Schedule {
  const { metrics } = settings
  let ages = { backup: NO_FOLDER, log: NO_FOLDER }
  metrics.gauge(
    'warung_backup_age_seconds',
    'Age of the newest backup; -1 where WARUNG_BACKUP_DIR is not set, +Inf while there is none',
    () => ages.backup,
    'max',
  )
  metrics.gauge(
    'warung_backup_log_age_seconds',
    'For how long the archive has not had the whole log of the database; -1 where WARUNG_BACKUP_DIR is not set',
    () => ages.log,
    'max',
  )
  return repeat(
    READ_EVERY_MS,
    async () => {
      ages = await watchBackups(settings)
    },
    settings.onProblem,
  )
}

/** Looks once; returns the ages in seconds. */
export async function watchBackups(
  settings: BackupWatchSettings,
): Promise<{ readonly backup: number; readonly log: number }> {
  const { dir } = settings.config
  const ages = dir === undefined ? { backup: NO_FOLDER, log: NO_FOLDER } : await watchFolder(settings, dir)
  await watchRestores(settings)
  return ages
}

async function watchFolder(
  { config, source, database, alerts }: BackupWatchSettings,
  dir: string,
): Promise<{ backup: number; log: number }> {
  const now = Date.now()
  const backupMs = (await readBackupAge(dir, source, now)) ?? Number.POSITIVE_INFINITY
  const logMs = (await readLogAge(dir, source, await readArchiver(database), now)) ?? Number.POSITIVE_INFINITY
  const report = async (kind: AlertKind, isOld: boolean, text: string) => {
    if (isOld) await alerts.raise({ kind, subject: dir, text })
    else await alerts.clear(kind, dir)
  }
  const hours = Number.isFinite(backupMs) ? `${Math.floor(backupMs / HOUR_MS)} hours old` : 'missing'
  await report('backup_old', backupMs > config.ageMaxMs, `The newest backup in ${dir} is ${hours}.`)
  const minutes = Number.isFinite(logMs) ? `for ${Math.floor(logMs / 60_000)} minutes` : 'at all'
  await report(
    'backup_log_old',
    logMs > LOG_AGE_MAX_MS,
    `The log of the database was not archived ${minutes}.`,
  )
  return { backup: backupMs / 1_000, log: logMs / 1_000 }
}

const SUBJECT = 'database'

async function watchRestores({ database, alerts }: BackupWatchSettings): Promise<void> {
  const open = (await listRestores(database, { limit: 10 })).find(({ acceptedAt }) => acceptedAt === null)
  if (open === undefined) {
    await alerts.clear('restore_open', SUBJECT)
    return
  }
  const text =
    `The database was restored to ${open.restoredTo.toISOString()} at ${open.restoredAt.toISOString()}. ` +
    'Refids that it does not know are answered with 504 until somebody runs: warungd restore accept'
  await alerts.raise({ kind: 'restore_open', subject: SUBJECT, text })
}
