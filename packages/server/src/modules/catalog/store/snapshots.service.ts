import type { Database, Queryable } from '../../../db/database.ts'
import { startFollowing } from '../../../db/follower.ts'
import { inSnapshot } from '../../../db/snapshots.ts'
import { EMPTY_STATE, withLoaded } from '../model/state.rules.ts'
import type { Catalog, CatalogState } from '../model/store.types.ts'
import { readRows } from './load.service.ts'
import { openSnapshotCache } from './snapshot-cache.service.ts'
import { CATALOG_CHANNEL, readVersion } from './version.sql.ts'

const POLL_MS = 1_000
// Time to read every option of a large catalogue on a busy machine; it also ends a statement that hangs.
const STATEMENT_TIMEOUT_MS = 15_000

export type CatalogOptions = {
  readonly database: Database
  readonly onProblem?: (text: string, error: unknown) => void
  readonly pollMs?: number
}

/**
 * Loads the whole catalogue and then follows changes from all nodes, until it is closed. Each version is built
 * completely beside the one in use and replaces it in one assignment, so that no reader sees half of a change.
 */
export async function openCatalog(options: CatalogOptions): Promise<Catalog> {
  const cache = openSnapshotCache()
  let state: CatalogState = EMPTY_STATE
  const follower = await startFollowing({
    database: options.database,
    what: 'the catalogue',
    channel: CATALOG_CHANNEL,
    pollMs: options.pollMs ?? POLL_MS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    async catchUp(connection) {
      state = await catchUp(connection, state)
    },
    onProblem: options.onProblem,
  })
  return {
    snapshotFor: (reseller) => cache.snapshotFor(state, reseller),
    base: () => state.base,
    state: () => state,
    ...follower,
  }
}

async function catchUp(connection: Queryable, state: CatalogState): Promise<CatalogState> {
  const { version } = await readVersion(connection)
  if (version === state.version) return state
  // Versions only grow. A smaller one means another database, or this one restored to an earlier day.
  const from = version < state.version ? EMPTY_STATE : state
  return withLoaded(from, await inSnapshot(connection, () => readRows(connection, from.version)))
}
