import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type pg from 'pg'
import type { Plan } from '../../backup/restore.ts'
import { findBreak, planRestore, recover } from '../../backup/restore.ts'
import { readReplayedTo } from '../../backup/sql.ts'
import type { Config } from '../../config.ts'
import { openDatabase } from '../../db/database.ts'
import { LONG_STATEMENTS } from '../../db/long-statements.ts'
import { makeDataDir } from '../../embedded/claim.ts'
import { isUnfinished, UNFINISHED_PREFIX } from '../../embedded/cluster.ts'
import { discard, handOver } from '../../embedded/files.ts'
import { clusterIn, SYSTEM_DIR, settle } from '../../embedded/location.ts'
import type { RunAs } from '../../embedded/runas.ts'
import { claimDataDir } from '../../embedded/server.ts'
import { syncDir } from '../../lib/replace-file.ts'
import { audited, createAuditLog } from '../../modules/audit/service.ts'
import type { Runtime } from '../../runtime.ts'
import { commandCaller } from '../record.ts'
import type { Later } from './later.ts'
import { markRestored, NOTHING_LATER, openLater, writeLater } from './later.ts'
import { openRecovered, prepareServer } from './proving.ts'

// Restore of a backup. The cluster gets its name as the last step, when it carries the mark of the restore: a service
// never starts on a restored database that does not know that it was restored.

export type RestoreSettings = {
  readonly config: Config
  readonly folder: string
  readonly to: Date | undefined
  readonly base: string | undefined
  /** True: payments after the moment are not read from the log. */
  readonly skipsLater: boolean
  readonly reason: string
  readonly note: (text: string) => void
}

export type Restored = {
  readonly backup: string
  readonly cluster: string
  readonly restoredTo: Date
  readonly logReadTo: Date | null
  readonly lost: number
  readonly withdrawnItems: number
}

export async function restoreBackup(settings: RestoreSettings): Promise<Restored> {
  const { folder, to, base } = settings
  const plan = await planRestore(folder, { to, name: base })
  const place = await openPlace(settings)
  try {
    return await restoreInto(settings, plan, place)
  } finally {
    await rm(place.workDir, { recursive: true, force: true })
    await place.release()
  }
}

// ── Place ──

type Place = {
  /** Name that the cluster gets in the end. */
  readonly cluster: string
  readonly workDir: string
  readonly runAs: RunAs | undefined
  release(): Promise<void>
}

async function openPlace({ config }: RestoreSettings): Promise<Place> {
  const claim = await claimDataDir(config.dataDir)
  try {
    await refuseUsed(config)
    const location = await settle(await makeDataDir(config.dataDir), SYSTEM_DIR)
    if ((await listNames(location.cluster)).length > 0) {
      throw new Error(`${location.cluster} is not empty: move it away first`)
    }
    // A restore that was cut off left its files under such a name. The claim shows that none is under way.
    for (const dir of new Set([location.dataDir, location.home])) await discard(dir, isUnfinished)
    const workDir = join(location.home, `${UNFINISHED_PREFIX}${randomBytes(6).toString('hex')}`)
    const { runAs } = location
    await mkdir(workDir, { mode: 0o700 })
    await handOver(workDir, runAs)
    return { cluster: clusterIn(location.home), workDir, runAs, release: () => claim.release() }
  } catch (error) {
    await claim.release()
    throw error
  }
}

/**
 * Names that a data directory may have before, beside what a restore left that was cut off: the master key is put there by
 * hand, and the claim is ours.
 */
const MAY_BE_THERE =
  /^(master\.key|outcomes(-[a-z0-9]+)?|postgres-programs|postgres-location\.json|owner\.\d+\.json)$/

async function refuseUsed({ dataDir }: Config): Promise<void> {
  const used = (await listNames(dataDir)).filter((name) => !MAY_BE_THERE.test(name) && !isUnfinished(name))
  if (used.length === 0) return
  throw new Error(
    `${dataDir} is not empty: it has ${used.slice(0, 5).join(', ')}.\n` +
      'Restore into another directory (WARUNG_DATA_DIR), and put master.key there first.',
  )
}

async function listNames(dir: string): Promise<string[]> {
  return readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}

// ── Recovery ──

async function restoreInto(settings: RestoreSettings, plan: Plan, place: Place): Promise<Restored> {
  const { to, note } = settings
  const { workDir, runAs } = place
  const binaries = await prepareServer(workDir, runAs)
  const start = (moment: Date | undefined, isDurable: boolean) =>
    recover(plan, { binaries, workDir, runAs, to: moment, isDurable, note })
  let later = NOTHING_LATER
  if (to !== undefined && !settings.skipsLater) {
    note('reading the payments after the moment from the log')
    const server = await start(undefined, false)
    try {
      later = await readLater(server.connection, to, join(workDir, 'later.jsonl'))
    } finally {
      await server.stop()
      await rm(server.cluster, { recursive: true, force: true })
    }
  }
  note(to === undefined ? 'restoring to the end of the log' : `restoring to ${to.toISOString()}`)
  const server = await start(to, true)
  let marked: Omit<Restored, 'backup' | 'cluster'>
  try {
    const runtime = await openRecovered(settings.config, server.connection)
    try {
      if (to === undefined) await refuseBreak(plan, runtime)
      marked = await mark(runtime, settings, plan, later)
    } finally {
      await runtime.close()
    }
  } finally {
    await server.stop()
  }
  // An empty directory may have the same name.
  await rmdir(place.cluster).catch(() => {})
  await rename(server.cluster, place.cluster)
  await syncDir(dirname(place.cluster))
  return { backup: plan.base.name, cluster: place.cluster, ...marked }
}

/** Refuses a log that breaks off. This is no fault when the wanted moment lies before it. */
async function refuseBreak(plan: Plan, { database }: Runtime): Promise<void> {
  const broken = await findBreak(plan, database)
  if (broken === undefined) return
  throw new Error(`${broken}.\nWith --to and a moment before it the backup can be restored.`)
}

async function readLater(connection: pg.ClientConfig, moment: Date, file: string): Promise<Later> {
  const database = openDatabase({
    connection,
    connectionsMax: 2,
    applicationName: 'warungd restore',
    statementMs: LONG_STATEMENTS.statementMs,
  })
  try {
    await writeLater(database, { moment, file, logReadTo: await readReplayedTo(database) })
    return await openLater(file)
  } finally {
    await database.close()
  }
}

/** Marks the restored database with a line in its audit log, in one commit. */
async function mark(
  runtime: Runtime,
  { reason }: RestoreSettings,
  { base, folder }: Plan,
  later: Later,
): Promise<Omit<Restored, 'backup' | 'cluster'>> {
  const { database, vault } = runtime
  const restoredTo = (await readReplayedTo(database)) ?? new Date(base.manifest.finishedAt)
  const { logReadTo } = later
  const act = { caller: commandCaller(), action: 'restore.record', reason }
  return audited(createAuditLog({ database, vault }), act, async (tx) => {
    const { id, lost, withdrawnItems } = await markRestored(tx, restoredTo, later)
    const at = restoredTo.toISOString()
    const after = { folder, backup: base.name, restored_to: at, lost, withdrawn_items: withdrawnItems }
    const result = { restoredTo, logReadTo, lost, withdrawnItems }
    return { target: { kind: 'restore', id: String(id) }, before: null, after, result }
  })
}
