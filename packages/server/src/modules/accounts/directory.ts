import type { Environment } from '../../config.ts'
import type { Database, Queryable } from '../../db/database.ts'
import { startFollowing } from '../../db/follower.ts'
import type { Vault } from '../../db/vault.ts'
import { listChangedResellers, listResellersById, readVersion } from './directory.sql.ts'
import type { DirectoryRecord, KeyEntry, RecordContext } from './records.directory.ts'
import { buildRecords, readSnapshot } from './records.directory.ts'
import { DIRECTORY_CHANNEL } from './sql.ts'
import type { Directory } from './types.ts'

/** A view older than this may lack a revocation, so requests that need it are answered 503. */
export const DIRECTORY_STALE_MS = 5_000

const POLL_MS = 1_000
// Short compared with DIRECTORY_STALE_MS, so that a connection that hangs is replaced in time.
const STATEMENT_TIMEOUT_MS = 2_000
const BATCH_RESELLERS = 500

export type DirectoryOptions = {
  readonly database: Database
  readonly vault: Vault
  /**
   * Keys of the other environment are left out. Production also leaves out the keys and users of the demo's accounts.
   */
  readonly environment: Environment
  readonly pollMs?: number
  readonly onProblem?: (text: string, error: unknown) => void
}

/** Loads every account and then follows the changes of all nodes until it is closed. */
export async function openDirectory(options: DirectoryOptions): Promise<Directory> {
  const view = openView(options)
  const follower = await startFollowing({
    database: options.database,
    what: 'the list of accounts',
    channel: DIRECTORY_CHANNEL,
    pollMs: options.pollMs ?? POLL_MS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    catchUp: view.catchUp,
    onProblem: options.onProblem,
  })
  return {
    findKey: view.findKey,
    findUser: view.findUser,
    findReseller: view.findReseller,
    ...follower,
  }
}

// ── The view ──

type View = Pick<Directory, 'findKey' | 'findUser' | 'findReseller'> & {
  catchUp(connection: Queryable): Promise<void>
}

type Held = { readonly records: Map<bigint, DirectoryRecord>; readonly keys: Map<string, KeyEntry> }

function openView(options: DirectoryOptions): View {
  const broken = new Map<string, bigint>()
  const context: RecordContext = {
    vault: options.vault,
    environment: options.environment,
    onBroken(key, whose, error) {
      if (!broken.has(key)) options.onProblem?.(`the secret of ${whose} does not open; it is left out`, error)
    },
  }
  let held = emptyHold()
  let lastVersion = 0n
  /** Database time minus monotonic time. It tells between two polls whether a grace period is over. */
  let clockOffsetMs = 0

  async function catchUp(connection: Queryable): Promise<void> {
    const askedAtMs = performance.now()
    const { version, nowMs } = await readVersion(connection)
    // The answer counts from the time of the question, so a key may stop a moment early but never late.
    clockOffsetMs = nowMs - askedAtMs
    // Versions only grow. A smaller one means another database, or this one restored to an earlier day.
    if (version < lastVersion) {
      broken.clear()
      await loadFrom(connection, 0n, version, emptyHold())
    } else if (version > lastVersion) await loadFrom(connection, lastVersion, version, held)
    if (broken.size > 0) await retryBroken(connection)
  }

  async function loadFrom(connection: Queryable, from: bigint, version: bigint, into: Held): Promise<void> {
    let reached = from
    while (reached < version) {
      const after = reached
      const snapshot = await readSnapshot(connection, (snapshotOf) =>
        listChangedResellers(snapshotOf, after, BATCH_RESELLERS),
      )
      hold(into, broken, await buildRecords(context, snapshot))
      const newest = snapshot.resellers.at(-1)?.version ?? version
      // A batch that is not full holds every change of its snapshot, so nothing up to `version` is missing.
      const full = snapshot.resellers.length >= BATCH_RESELLERS
      reached = full || newest > version ? newest : version
      if (into === held) lastVersion = reached
    }
    held = into
    lastVersion = reached
  }

  async function retryBroken(connection: Queryable): Promise<void> {
    const ids = [...new Set(broken.values())].slice(0, BATCH_RESELLERS)
    const snapshot = await readSnapshot(connection, (snapshotOf) => listResellersById(snapshotOf, ids))
    hold(held, broken, await buildRecords(context, snapshot))
  }

  return {
    catchUp,
    findKey: (key) => valid(held.keys.get(key), performance.now() + clockOffsetMs),
    findUser: (resellerId, userId) => held.records.get(resellerId)?.users.get(userId),
    findReseller: (id) => held.records.get(id)?.reseller,
  }
}

function valid(entry: KeyEntry | undefined, nowMs: number): KeyEntry['key'] | undefined {
  return entry === undefined || nowMs >= entry.endsAtMs ? undefined : entry.key
}

function emptyHold(): Held {
  return { records: new Map(), keys: new Map() }
}

/** Replaces each reseller's old record without an await in between, so that no request sees half of a change. */
function hold(held: Held, broken: Map<string, bigint>, records: readonly DirectoryRecord[]): void {
  for (const record of records) {
    const { id } = record.reseller
    const before = held.records.get(id)
    for (const entry of before?.keys ?? []) held.keys.delete(entry.key.key)
    for (const key of before?.brokenKeys ?? []) broken.delete(key)
    for (const entry of record.keys) held.keys.set(entry.key.key, entry)
    for (const key of record.brokenKeys) broken.set(key, id)
    held.records.set(id, record)
  }
}
