import type pg from 'pg'
import { prepareArchive } from './backup/folder.ts'
import { archiveSettings } from './backup/log.ts'
import { configOfGroup } from './config/groups.ts'
import type { Config } from './config.ts'
import { describeDatabase } from './config.ts'
import type { Database } from './db/database.ts'
import { openDatabase, reach } from './db/database.ts'
import { LONG_STATEMENTS } from './db/long-statements.ts'
import { countSteps, listSuperseded, migrate, pendingMigrations } from './db/migrate.ts'
import { describePlace } from './db/moves/described.ts'
import { findPlace, refuseUnserved } from './db/moves/place.ts'
import { addressAt, findCitusPlace } from './db/nodes/citus.ts'
import type { OpenReader } from './db/standby/reader.ts'
import { openReader, readPrimary } from './db/standby/reader.ts'
import type { Vault } from './db/vault.ts'
import { hasDataKeys, openVault } from './db/vault.ts'
import { claimDataDir, findRunningEmbedded, hasEmbeddedCluster, startEmbedded } from './embedded/server.ts'
import type { MasterKey } from './lib/secrets/sealing.ts'
import { generateMasterKey, openWith, sealWith } from './lib/secrets/sealing.ts'
import { readMasterKeyFile, writeMasterKeyFile } from './master-key-file.ts'

/** Base of every command: the configuration, the database and the vault. */
export type Runtime = {
  readonly config: Config
  readonly database: Database
  /** Reads that decide nothing, from a standby where there is one. */
  readonly reader: OpenReader
  readonly vault: Vault
  readonly masterKeys: readonly MasterKey[]
  /** Connection to the server, for a copy of the whole database. */
  readonly connection: pg.ClientConfig
  /** Writes a note for a second start: where the first one listens. */
  describe(note: string): Promise<void>
  close(): Promise<void>
}

export type RuntimeOptions = {
  /**
   * Purpose. A command uses the server of a running service where there is one, and never changes the schema. A worker
   * uses that of the process that started it.
   */
  purpose: 'serve' | 'worker' | 'command'
  /** True for a command whose statements go through much of the database. */
  isLong?: boolean | undefined
  /** True for what changes the schema: where a group lies on a node of Citus, the coordinator alone may do that. */
  isAtCoordinator?: boolean
  note?: (text: string) => void
  /** Cancels the opening: an embedded server is ended at once, with its work under way. */
  signal?: AbortSignal
  onDatabaseLost?: (detail: string) => void
  /** Opens the database in another way than `reachDatabase` does. */
  reach?: Reach | undefined
}

export type Reach = (config: Config, options: RuntimeOptions) => Promise<ReachedDatabase>

export async function openRuntime(config: Config, options: RuntimeOptions): Promise<Runtime> {
  const { reach: reachIt = reachDatabase } = options
  const migrates = options.purpose === 'serve'
  const first = await reachIt(config, migrates ? { ...options, isAtCoordinator: true } : options)
  let reached = first
  try {
    if (migrates) {
      await migrateWithNote(first.database, options.note)
      reached = await onOwnNode(config, options, first)
    } else {
      await refusePendingMigrations(first.database, config)
    }
    const { database } = reached
    const masterKeys = await readMasterKeys(config, database)
    const vault = await openVault(database, masterKeys, () => readMasterKeys(config, database))
    const reader = await openReaderOf(config, options, database)
    const close = async () => {
      await reader.close()
      await reached.close()
    }
    const { connection, describe } = reached
    return { config, database, reader, vault, masterKeys, connection, describe, close }
  } catch (error) {
    await reached.close().catch(() => {})
    throw error
  }
}

/** Opens the reader. Commands read from the primary: what they show is decided upon. */
async function openReaderOf(
  config: Config,
  { purpose }: RuntimeOptions,
  database: Database,
): Promise<OpenReader> {
  const standby = purpose === 'command' ? undefined : openStandby(config, purpose)
  return standby === undefined ? readPrimary(database) : openReader({ primary: database, standby })
}

/** Opens the connections to the standby, whether or not it can be reached; undefined: none is named. */
export function openStandby(config: Config, purpose: RuntimeOptions['purpose']): Database | undefined {
  const { database } = config
  if (database.kind !== 'external' || database.readUrl === undefined) return undefined
  return openDatabase({
    connection: { connectionString: database.readUrl },
    schema: config.schema,
    connectionsMax: config.databaseConnectionsMax,
    applicationName: `warungd ${purpose} reads`,
    statementMs: config.statementMs,
    access: 'any',
  })
}

export type ReachedDatabase = {
  database: Database
  connection: pg.ClientConfig
  describe(note: string): Promise<void>
  close(): Promise<void>
}

/** Opens the database alone, whatever its schema: for `openRuntime` and for the migrate command. */
export async function reachDatabase(config: Config, options: RuntimeOptions): Promise<ReachedDatabase> {
  const first = await openReached(config, options)
  let reached = first
  try {
    await confirmReached(config, first)
    if (config.group !== undefined) await expectServed(first.database)
    reached = await onOwnNode(config, options, first)
  } catch (error) {
    await reached.close().catch(() => {})
    throw error
  }
  return reached
}

/**
 * Leads a group to the node of Citus that holds it: locks and notices belong to one node, and its tables are near there.
 */
async function onOwnNode(
  config: Config,
  options: RuntimeOptions,
  first: ReachedDatabase,
): Promise<ReachedDatabase> {
  const { database, schema } = config
  if (database.kind !== 'external' || schema === undefined || options.isAtCoordinator === true) return first
  const place = await findCitusPlace(first.database)
  if (typeof place === 'string') return first
  const own = { ...config, database: { ...database, url: addressAt(database.url, place) } }
  await first.close()
  const reached = await openReached(own, options)
  await confirmReached(own, reached)
  return reached
}

/**
 * Keeps the connections to a database for the commands of one batch: to open them takes longer than most commands. The
 * embedded database is not kept, because the service that runs it may end and start again meanwhile.
 */
export function shareReach(): { readonly reach: Reach; close(): Promise<void> } {
  const kept = new Map<string, ReachedDatabase>()
  return {
    async reach(config, options) {
      if (config.database.kind !== 'external') return reachDatabase(config, options)
      const isLong = options.isLong === true
      // Commands of a batch may be about different groups, whose places differ.
      const place = JSON.stringify([isLong, config.database.url, config.schema])
      const reached = kept.get(place) ?? (await reachDatabase(config, options))
      kept.set(place, reached)
      await confirmReached(config, reached)
      if (config.group !== undefined) await expectServed(reached.database)
      return { ...reached, close: async () => {} }
    },
    async close() {
      await Promise.all([...kept.values()].map((reached) => reached.close()))
    },
  }
}

/** Follows a group that was moved: a file of groups may still name its older place. */
async function expectServed(database: Database): Promise<void> {
  await database.whereabouts.follow()
  const place = await findPlace(database)
  // The older place has told that all of it is there: then only the end of the move is left.
  const isWhole = place?.state === 'arriving' && database.whereabouts.hasMoved
  if (place !== undefined && !isWhole) refuseUnserved(place)
}

async function confirmReached(config: Config, { database }: ReachedDatabase): Promise<void> {
  try {
    await reach(database)
  } catch (error) {
    throw new Error(`the database cannot be reached (${describeDatabase(config)})`, {
      cause: (error as Error).cause,
    })
  }
}

async function openReached(config: Config, options: RuntimeOptions): Promise<ReachedDatabase> {
  const server = await reachServer(config, options)
  const { group } = config
  const database = openDatabase({
    connection: server.connection,
    schema: config.schema,
    connectionsMax: config.databaseConnectionsMax,
    applicationName: `warungd ${options.purpose}`,
    statementMs: options.isLong === true ? LONG_STATEMENTS.statementMs : config.statementMs,
    openAddress: group === undefined ? undefined : (sealed) => openAddress(config, group, sealed),
  })
  const close = async () => {
    await database.close()
    await server.release()
  }
  return { database, connection: server.connection, describe: server.describe, close }
}

type ReachedServer = {
  connection: pg.ClientConfig
  describe(note: string): Promise<void>
  release(): Promise<void>
}

export async function reachServer(config: Config, options: RuntimeOptions): Promise<ReachedServer> {
  const nothing = async () => {}
  if (config.database.kind === 'external') {
    return { connection: { connectionString: config.database.url }, describe: nothing, release: nothing }
  }
  if (options.purpose !== 'serve') {
    const running = await findRunningEmbedded(config.dataDir)
    if (running !== undefined) return { connection: running, describe: nothing, release: nothing }
    if (options.purpose === 'worker') throw new Error(`no database runs in ${config.dataDir}`)
  }
  if (options.purpose === 'command') await refuseMissingCluster(config.dataDir)
  const claim = await claimDataDir(config.dataDir)
  const { dir } = config.backup
  try {
    const server = await startEmbedded({
      dataDir: config.dataDir,
      settings: {
        max_connections: String(connectionsFor(config)),
        // A group is moved by logical replication.
        ...(config.groupsFile !== undefined && { wal_level: 'logical' }),
        ...archiveSettings(dir),
      },
      beforeStart: async ({ systemId, runAs }) => {
        if (dir !== undefined) await prepareArchive(dir, systemId, runAs)
      },
      ...(options.note === undefined ? {} : { note: options.note }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      ...(options.onDatabaseLost === undefined ? {} : { onUnexpectedExit: options.onDatabaseLost }),
    })
    options.signal?.addEventListener('abort', () => void server.stop('at once'), { once: true })
    // A signal that came while the server got ready calls no listener any more.
    if (options.signal?.aborted === true) await server.stop('at once')
    options.signal?.throwIfAborted()
    return {
      connection: server.connection,
      describe: (note) => claim.describe(note),
      async release() {
        await server.stop()
        await claim.release()
      },
    }
  } catch (error) {
    await claim.release()
    throw error
  }
}

/** Number of a process's connections that listen, beside its pool; commands and an operator's own come on top. */
const LISTENING_CONNECTIONS = 8
const OTHER_CONNECTIONS = 20
const USUAL_CONNECTIONS = 100

/** Counts the connections that the embedded server has to allow: a reload runs one process more for a while. */
function connectionsFor({ processes, databaseConnectionsMax, groups }: Config): number {
  const processesMax = processes === 1 ? 1 : processes + 1
  // Every process serves each group, those of this server by connections of its own.
  const served = 1 + groups.filter(({ databaseUrl }) => databaseUrl === undefined).length
  const wanted = processesMax * served * (databaseConnectionsMax + LISTENING_CONNECTIONS) + OTHER_CONNECTIONS
  return Math.max(USUAL_CONNECTIONS, wanted)
}

/**
 * Refuses a missing database: only a start of the service makes one. A command in the wrong directory must not answer
 * from an empty one.
 */
async function refuseMissingCluster(dataDir: string): Promise<void> {
  if (await hasEmbeddedCluster(dataDir)) return
  throw new Error(
    `there is no database in ${dataDir}.\n` +
      'Start the service once to make it, or say where it is: WARUNG_DATA_DIR (the directory of the embedded database) ' +
      'or DATABASE_URL.',
  )
}

async function migrateWithNote(database: Database, note?: (text: string) => void): Promise<void> {
  const pending = await pendingMigrations(database)
  if (pending.length > 0) note?.(`applying ${countSteps(pending)}`)
  await migrate(database)
  const newer = await listSuperseded(database)
  if (newer.length > 0) note?.(`a newer version has replaced: ${newer.join(', ')}`)
}

async function refusePendingMigrations(database: Database, config: Config): Promise<void> {
  const pending = await pendingMigrations(database)
  if (pending.length === 0) return
  const { group } = config
  const remedy =
    group === undefined ? 'warungd migrate (or start the service)' : `warungd group create ${group}`
  throw new Error(`the database (${describeDatabase(config)}) lacks ${countSteps(pending)}; run: ${remedy}`)
}

/**
 * Brings the schemas of the other groups up to date. One that is not there is not made: a wrong address would become an
 * empty group. One that cannot be reached must not stop the others.
 */
export async function migrateGroups(config: Config, note: (text: string) => void): Promise<void> {
  const migrated = config.groups.map(async (given) => {
    const reached = await reachDatabase(configOfGroup(config, given), {
      purpose: 'worker',
      isAtCoordinator: true,
    })
    try {
      const { version } = await describePlace(reached.database)
      if (version === null) throw new Error(`its schema is missing; run: warungd group create ${given.name}`)
      await migrateWithNote(reached.database, (text) => note(`group ${given.name}: ${text}`))
    } finally {
      await reached.close()
    }
  })
  for (const [index, result] of (await Promise.allSettled(migrated)).entries()) {
    if (result.status === 'rejected') note(`group ${config.groups[index]?.name}: ${String(result.reason)}`)
  }
}

/** Opens the address of the place to which a group was moved. */
async function openAddress({ masterKey }: Config, group: string, sealed: Buffer): Promise<string> {
  const keys =
    masterKey.kind === 'file'
      ? await readMasterKeyFile(masterKey.path)
      : [masterKey.current, ...(masterKey.next === undefined ? [] : [masterKey.next])]
  for (const { bytes } of keys) {
    try {
      return openWith(bytes, addressContext(group), sealed).toString('utf8')
    } catch {
      // It was sealed under another one.
    }
  }
  throw new Error('the address was sealed under another master key: name the new place in the file of groups')
}

/** Seals the address of a group's new place for the nodes that share the master key. */
export function sealAddress(key: MasterKey, group: string, address: string): Buffer {
  return sealWith(key.bytes, addressContext(group), Buffer.from(address, 'utf8'))
}

function addressContext(group: string): string {
  return `place of the group ${group}`
}

async function readMasterKeys(config: Config, database: Database): Promise<MasterKey[]> {
  const source = config.masterKey
  if (source.kind === 'given') {
    return source.next === undefined ? [source.current] : [source.current, source.next]
  }
  const keys = await readMasterKeyFile(source.path)
  if (keys.length > 0) return keys
  if (await hasDataKeys(database)) {
    throw new Error(
      `${source.path} is gone, and the database holds secrets sealed under it; put the file back, ` +
        'or set WARUNG_MASTER_KEY to its content',
    )
  }
  const key = generateMasterKey()
  await writeMasterKeyFile(source.path, [key])
  return [key]
}
