import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type pg from 'pg'
import { findProgram } from '../../backup/recovery-server.ts'
import type { Plan } from '../../backup/restore.ts'
import { findFaults, planRestore, recover } from '../../backup/restore.ts'
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
import { listResellers } from '../../modules/accounts/service.ts'
import { audited, createAuditLog } from '../../modules/audit/service.ts'
import { listRestores, readPaymentsSince, recordRestore } from '../../modules/payments/restores/service.ts'
import type { LostPayment, Restore } from '../../modules/payments/restores/types.ts'
import { findGoneSince, withdrawGone } from '../../modules/providers/stock/lost.service.ts'
import type { Runtime } from '../../runtime.ts'
import { commandCaller } from '../record.ts'
import { giveToServer, openRecovered } from './proving.ts'

// Restore of a backup. The cluster gets its name as the last step, when it carries the mark of the restore: a service
// never starts on a restored database that does not know that it was restored.

export type RestoreSettings = {
  readonly config: Config
  readonly folder: string
  readonly to: Date | undefined
  readonly base: string | undefined
  /** Directory of the new cluster; undefined: the one of the data directory. */
  readonly into: string | undefined
  readonly binDir: string | undefined
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
  const { folder, to, base, note } = settings
  const plan = await planRestore(folder, { to, name: base })
  note(`comparing the files of ${plan.base.name} with their sums`)
  await refuseFaults(plan, to)
  const place = await openPlace(settings)
  try {
    return await restoreInto(settings, plan, place)
  } finally {
    await rm(place.workDir, { recursive: true, force: true })
    await place.release()
  }
}

/** Refuses a damaged copy. A gap in the log is no fault when the wanted moment lies before it. */
async function refuseFaults(plan: Plan, to: Date | undefined): Promise<void> {
  const faults = await findFaults(to === undefined ? plan : { ...plan, missing: undefined })
  if (faults.length > 0) throw new Error(`the backup cannot be restored:\n${faults.join('\n')}`)
}

// ── Place ──

type Place = {
  /** Name that the cluster gets in the end. */
  readonly cluster: string
  readonly workDir: string
  readonly runAs: RunAs | undefined
  release(): Promise<void>
}

async function openPlace({ config, into }: RestoreSettings): Promise<Place> {
  if (into !== undefined) return openDirectory(into)
  if (config.database.kind === 'external') {
    throw new Error(
      'DATABASE_URL names an external server: say with --into DIR where its new data directory shall be',
    )
  }
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

async function openDirectory(cluster: string): Promise<Place> {
  if ((await listNames(cluster)).length > 0) throw new Error(`${cluster} is not empty: move it away first`)
  const workDir = join(dirname(cluster), `${basename(cluster)}.unfinished-${randomBytes(6).toString('hex')}`)
  await mkdir(workDir, { mode: 0o700 })
  return { cluster, workDir, runAs: await giveToServer(workDir), release: async () => {} }
}

/**
 * Names that a data directory may have before, beside what a restore left that was cut off: the master key is put there by
 * hand, and the claim is ours.
 */
const MAY_BE_THERE = /^(master\.key|outcomes|postgres-programs|postgres-location\.json|owner\.\d+\.json)$/

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

type Later = {
  readonly file: string
  readonly items: readonly bigint[]
  readonly restores: readonly Restore[]
  readonly logReadTo: Date | null
}

const RESTORES_MAX = 1_000

const NOTHING_LATER = { items: [], restores: [], logReadTo: null } as const

async function restoreInto(settings: RestoreSettings, plan: Plan, place: Place): Promise<Restored> {
  const { to, note } = settings
  const { workDir, runAs } = place
  const { manifest: copied } = plan.base
  const program = await findProgram({ binDir: settings.binDir, workDir, runAs, copied })
  const start = (moment: Date | undefined, isDurable: boolean) =>
    recover(plan, { program, workDir, runAs, to: moment, isDurable, note })
  let later: Later = { ...NOTHING_LATER, file: '' }
  if (to !== undefined && !settings.skipsLater) {
    note('reading the payments after the moment from the log')
    const server = await start(undefined, false)
    try {
      later = await readLater(server.connection, to, join(place.workDir, 'later.jsonl'))
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

/** Writes the payments since a moment to a file, and lists the restores and the items of the stock that are gone. */
async function readLater(connection: pg.ClientConfig, moment: Date, file: string): Promise<Later> {
  const database = openDatabase({
    connection,
    connectionsMax: 2,
    applicationName: 'warungd restore',
    statementMs: LONG_STATEMENTS.statementMs,
  })
  const handle = await open(file, 'w', 0o600)
  try {
    for await (const page of readPaymentsSince(database, moment)) {
      await handle.write(page.map((payment) => `${JSON.stringify(payment, bigintsAsText)}\n`).join(''))
    }
    return {
      file,
      items: await findGoneSince(database, moment),
      restores: await listRestores(database, { limit: RESTORES_MAX }),
      logReadTo: await readReplayedTo(database),
    }
  } finally {
    await handle.close()
    await database.close()
  }
}

function bigintsAsText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

const PAGE = 2_000

async function* readFileOfLater({ file }: Later): AsyncGenerator<readonly LostPayment[]> {
  if (file === '') return
  let page: LostPayment[] = []
  for await (const line of createInterface({ input: createReadStream(file) })) {
    page.push(readPayment(line))
    if (page.length < PAGE) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

function readPayment(line: string): LostPayment {
  const read = JSON.parse(line) as Record<keyof LostPayment, string> & { readonly paymentId: string | null }
  return {
    ...(read as unknown as LostPayment),
    resellerId: BigInt(read.resellerId),
    paymentId: read.paymentId === null ? null : BigInt(read.paymentId),
    amount: BigInt(read.amount),
    cost: BigInt(read.cost),
  }
}

/** Marks the restored database, keeps the lost payments and withdraws sold stock, in one commit. */
async function mark(
  runtime: Runtime,
  { reason }: RestoreSettings,
  { base, folder }: Plan,
  later: Later,
): Promise<Omit<Restored, 'backup' | 'cluster'>> {
  const { database, vault } = runtime
  const restoredTo = (await readReplayedTo(database)) ?? new Date(base.manifest.finishedAt)
  const { logReadTo } = later
  const resellerIds = await listAllResellers(database)
  const act = { caller: commandCaller(), action: 'restore.record', reason }
  return audited(createAuditLog({ database, vault }), act, async (tx) => {
    const { id, lost } = await recordRestore(tx, {
      restoredTo,
      logReadTo,
      resellerIds,
      earlier: later.restores,
      later: readFileOfLater(later),
    })
    const withdrawnItems = later.items.length === 0 ? 0 : await withdrawGone(tx, later.items)
    const at = restoredTo.toISOString()
    const after = { folder, backup: base.name, restored_to: at, lost, withdrawn_items: withdrawnItems }
    const result = { restoredTo, logReadTo, lost, withdrawnItems }
    return { target: { kind: 'restore', id: String(id) }, before: null, after, result }
  })
}

const RESELLERS_PAGE = 1_000

export async function listAllResellers(database: Runtime['database']): Promise<bigint[]> {
  const ids: bigint[] = []
  for (let isLast = false; !isLast; ) {
    const page = await listResellers(database, { after: ids.at(-1), limit: RESELLERS_PAGE })
    ids.push(...page.map(({ id }) => id))
    isLast = page.length < RESELLERS_PAGE
  }
  return ids
}
