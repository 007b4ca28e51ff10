import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { makeDataDir } from './claim.ts'
import {
  clusterName,
  configure,
  ensureCluster,
  findPassword,
  findWalCompression,
  passwordPath,
  pruneLogs,
  readSystemId,
  restorePassword,
} from './cluster.ts'
import { connectionTo, endOtherSessions, waitUntilReady } from './connect.ts'
import { AlreadyRunningError, failure, textOf } from './errors.ts'
import { exists } from './files.ts'
import type { Location } from './location.ts'
import { clusterIn, confirm, findHome, SYSTEM_DIR, settle, shortHash } from './location.ts'
import type { Binaries } from './platform.ts'
import { getPlatformPackage, prepareBinaries } from './platform.ts'
import type { Postmaster, StopDeadlines } from './postmaster.ts'
import { clearOrphans, findServer, launch, readLogs, removePidFile, stopServer, watch } from './postmaster.ts'
import type { ProcessIdentity } from './process.ts'
import { identifySelf, isSameProcess, liveness } from './process.ts'
import { findRecord, removeRecord, writeRecord } from './record.ts'
import type { RunAs } from './runas.ts'
import type { Settings } from './settings.ts'
import { chooseSettings, LOG_DIR, LOG_FILES_KEPT, renderHba } from './settings.ts'
import type { Endpoint } from './socket.ts'
import { clearSocket, makeEndpoint, removeSocketDir } from './socket.ts'

// biome-ignore lint/performance/noBarrelFile: this file is the folder's one door
export { type Claim, claimDataDir } from './claim.ts'
export { AlreadyRunningError, EmbeddedUnavailableError } from './errors.ts'

export type EmbeddedOptions = {
  /** Data directory. The cluster lies in `<dataDir>/postgres`, or where `<dataDir>/postgres-location.json` says. */
  dataDir: string
  /** Server settings in addition to ours or in place of them. */
  settings?: Settings
  /** Called on a complete cluster, before a server starts on it. */
  beforeStart?: (cluster: { readonly systemId: string; readonly runAs: RunAs | undefined }) => Promise<void>
  /** Called when the server ended while we supervised it. */
  onUnexpectedExit?: (detail: string) => void
  /** Reports progress, in words for a person. */
  note?: (text: string) => void
  /** Cancels the start: the server is ended at once, and `startEmbedded` rejects. */
  signal?: AbortSignal
}

export type EmbeddedServer = {
  readonly connection: pg.ClientConfig
  /** True when the server was already running, left by a process that died. */
  readonly adopted: boolean
  /** Ends the server within a bounded time, cleanly unless it must be at once. Resolves when it is gone. */
  stop(how?: 'cleanly' | 'at once'): Promise<void>
}

/** Directories of the machine; tests replace them. */
export type MachineDirs = { readonly packageDir: string; readonly systemDir: string }

/**
 * Starts the server of a data directory, or adopts the one that a dead predecessor left running. Only the holder of the
 * data directory's claim may call it.
 *
 * The server outlives us when we are killed, by design: it is in a session of its own. A service manager that signals
 * whole groups (systemd's default) should signal the main process only (`KillMode=mixed`).
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  return startWith(options, { packageDir: await getPlatformPackage(), systemDir: SYSTEM_DIR })
}

type Plan = {
  readonly self: ProcessIdentity
  readonly location: Location
  readonly binaries: Binaries
  readonly settings: Settings
  readonly fingerprint: string
  readonly note: (text: string) => void
  readonly signal: AbortSignal | undefined
  readonly beforeStart: EmbeddedOptions['beforeStart']
}

type LeftServer = { identity: ProcessIdentity; endpoint: Endpoint; fingerprint: string }

export async function startWith(
  options: EmbeddedOptions,
  surroundings: MachineDirs,
): Promise<EmbeddedServer> {
  const plan = await makePlan(options, surroundings)
  plan.signal?.throwIfAborted()
  const left = await findLeftServer(plan)
  if (left !== undefined) {
    const connection = await adopt(plan, left)
    if (connection !== undefined)
      return await supervise(plan, options, watch(left.identity), connection, true)
    await stopServer(left, plan.location, plan.binaries, plan.note)
    await removeSocketDir(left.endpoint)
  }
  const { postmaster, connection } = await startAnew(plan)
  return await supervise(plan, options, postmaster, connection, false)
}

async function makePlan(options: EmbeddedOptions, { packageDir, systemDir }: MachineDirs): Promise<Plan> {
  const location = await settle(await makeDataDir(options.dataDir), systemDir)
  const binaries = await prepareBinaries(packageDir, location.copiesDir, location.runAs)
  const settings = chooseSettings(
    clusterName(location.cluster),
    await findWalCompression(binaries, location),
    options.settings,
  )
  const fingerprint = shortHash(JSON.stringify([binaries, settings, renderHba()]))
  const note = options.note ?? (() => {})
  return {
    self: await identifySelf(),
    location,
    binaries,
    settings,
    fingerprint,
    note,
    signal: options.signal,
    beforeStart: options.beforeStart,
  }
}

/** Finds a server on our cluster whose starter is proven dead; throws for any other server on our cluster. */
async function findLeftServer({ location }: Plan): Promise<LeftServer | undefined> {
  const server = await findServer(location.cluster)
  if (server === undefined) return undefined
  const record = await findRecord(location.home)
  const isRecorded = record?.postmaster === undefined || isSameProcess(record.postmaster, server.identity)
  if (record === undefined || !isRecorded) {
    throw new Error(
      `a PostgreSQL server that this service did not start, process ${server.pid}, runs on ${location.cluster}.\n` +
        'Stop it first.',
    )
  }
  if ((await liveness(record.supervisor)) !== 'dead') {
    throw new AlreadyRunningError(location.dataDir, record.supervisor.pid, undefined)
  }
  return { identity: server.identity, endpoint: server.endpoint, fingerprint: record.fingerprint }
}

const ADOPT_SILENCE_MS = 3_000
const ADOPT_RECOVERY_MS = 10_000

/**
 * Returns the connection to the server that was left, when it runs as we would have started it; otherwise it must be
 * started anew.
 */
async function adopt(plan: Plan, left: LeftServer): Promise<pg.ClientConfig | undefined> {
  const { location, note } = plan
  const password = await findPassword(location.dataDir)
  if (left.fingerprint !== plan.fingerprint || password === undefined) {
    note(
      `restarting the database server left running (process ${left.identity.pid}): its settings have changed`,
    )
    return undefined
  }
  const connection = connectionTo(left.endpoint, password)
  try {
    await waitUntilReady(connection, {
      hasEnded: () => false,
      note,
      silenceMaxMs: ADOPT_SILENCE_MS,
      recoveryMaxMs: ADOPT_RECOVERY_MS,
    })
    if (!(await endOtherSessions(connection))) throw new Error('sessions of the dead process do not end')
  } catch (error) {
    note(`restarting the database server left running (process ${left.identity.pid}): ${textOf(error)}`)
    return undefined
  }
  note(`adopting the database server left running (process ${left.identity.pid})`)
  return connection
}

type Prepared = { endpoint: Endpoint; connection: pg.ClientConfig }

/** Prepares a start when no server of ours runs here; remains of an earlier one are removed first. */
async function prepare(plan: Plan): Promise<Prepared> {
  const { location, binaries, settings, note, self, fingerprint, signal, beforeStart } = plan
  try {
    await clearOrphans(location.cluster, clusterName(location.cluster), note)
    await removePidFile(location.cluster)
    await ensureCluster(location, binaries, { sync: settings.fsync !== 'off', note, signal })
    signal?.throwIfAborted()
    await confirm(location)
    await beforeStart?.({ systemId: await readSystemId(location.cluster), runAs: location.runAs })
    const password = await restorePassword(location, binaries)
    const endpoint = await makeEndpoint(location)
    await clearSocket(endpoint)
    await configure(location, settings, endpoint)
    await writeRecord(location.home, { supervisor: self, fingerprint })
    return { endpoint, connection: connectionTo(endpoint, password) }
  } catch (error) {
    throw failure(`the database server cannot be started: ${textOf(error)}`, '', error)
  }
}

async function startAnew(plan: Plan): Promise<{ postmaster: Postmaster; connection: pg.ClientConfig }> {
  const { location, binaries, note, self, fingerprint, signal } = plan
  const { endpoint, connection } = await prepare(plan)
  signal?.throwIfAborted()
  note('starting the database server')
  const postmaster = await launch(location, binaries)
  let end: string | undefined
  postmaster.onExit((detail) => {
    end = detail
  })
  try {
    await writeRecord(location.home, { supervisor: self, fingerprint, postmaster: postmaster.identity })
    await waitUntilReady(connection, {
      hasEnded: () => end !== undefined || signal?.aborted === true,
      note,
    })
  } catch (error) {
    if (end === undefined) await stopServer(postmaster, location, binaries, note, deadlinesFor(signal))
    const detail = end === undefined ? textOf(error) : `${textOf(error)} (${end})`
    const said = await readLogs(location)
    await removeRecord(location.home)
    await removeSocketDir(endpoint)
    throw failure(`the database server did not start: ${detail}`, said, error)
  }
  return { postmaster, connection }
}

/** Deadlines of a stop without a last checkpoint: the next start recovers from the log. */
const AT_ONCE: StopDeadlines = { fastMs: 0, immediateMs: 1_000 }

function deadlinesFor(signal: AbortSignal | undefined): StopDeadlines | undefined {
  return signal?.aborted === true ? AT_ONCE : undefined
}

const PRUNE_LOGS_MS = 10 * 60_000

async function supervise(
  plan: Plan,
  options: EmbeddedOptions,
  postmaster: Postmaster,
  connection: pg.ClientConfig,
  adopted: boolean,
): Promise<EmbeddedServer> {
  const { location, self, fingerprint } = plan
  await writeRecord(location.home, { supervisor: self, fingerprint, postmaster: postmaster.identity })
  const prune = () => pruneLogs(join(location.cluster, LOG_DIR), LOG_FILES_KEPT).catch(() => {})
  await prune()
  const pruning = setInterval(prune, PRUNE_LOGS_MS)
  pruning.unref()
  let stopped: Promise<void> | undefined
  postmaster.onExit((detail) => {
    clearInterval(pruning)
    if (stopped === undefined) void reportEnd(location, detail, options)
  })
  const stop = async (deadlines: StopDeadlines | undefined) => {
    clearInterval(pruning)
    await stopServer(postmaster, location, plan.binaries, plan.note, deadlines)
    await removeRecord(location.home)
    await removeSocketDir({ host: connection.host ?? '', port: connection.port ?? 0 })
  }
  return {
    connection,
    adopted,
    stop(how = 'cleanly') {
      stopped ??= stop(how === 'cleanly' ? undefined : AT_ONCE)
      return stopped
    },
  }
}

async function reportEnd(location: Location, detail: string, options: EmbeddedOptions): Promise<void> {
  const logs = await readLogs(location)
  options.onUnexpectedExit?.(failure(`the database server ended: ${detail}`, logs).message)
}

/**
 * Returns the connection to a running service's server, for commands run beside it; undefined when none runs. Starts
 * nothing.
 */
export async function findRunningEmbedded(dataDir: string): Promise<pg.ClientConfig | undefined> {
  if (!(await exists(dataDir))) return undefined
  const dir = await realpath(dataDir)
  try {
    const server = await findServer(clusterIn(await findHome(dir)))
    const host = server?.endpoint.host ?? ''
    // The file is still being written while the server starts.
    if (server === undefined || host === '' || !(server.endpoint.port > 0)) return undefined
    const password = await findPassword(dir)
    if (password === undefined) throw new Error(`${passwordPath(dir)} is missing`)
    return connectionTo(server.endpoint, password)
  } catch (error) {
    throw failure(`cannot reach the database of ${dataDir}: ${textOf(error)}`, '', error)
  }
}

/** Tells whether a cluster was made for this data directory, running or not. Starts nothing, and makes nothing. */
export async function hasEmbeddedCluster(dataDir: string): Promise<boolean> {
  if (!(await exists(dataDir))) return false
  return exists(join(clusterIn(await findHome(await realpath(dataDir))), 'PG_VERSION'))
}
