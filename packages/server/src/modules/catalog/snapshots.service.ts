import type { Database, Queryable } from '../../db/database.ts'
import { oneAtATime, openLine } from './line.service.ts'
import { readRows } from './load.service.ts'
import { openSnapshotCache } from './snapshot-cache.service.ts'
import { EMPTY_STATE, withLoaded } from './state.rules.ts'
import type { Catalog, CatalogState } from './store.types.ts'
import { inSnapshot, readVersion } from './version.sql.ts'

const POLL_MS = 1_000

export type CatalogOptions = {
  readonly database: Database
  readonly onProblem?: (text: string, error: unknown) => void
  readonly pollMs?: number
}

/**
 * Loads the whole catalogue and then keeps up with changes, whichever node makes them, until it is closed.
 * Each version is built whole beside the one in use and takes its place in one assignment: nobody ever sees
 * half of a change.
 */
export async function openCatalog(options: CatalogOptions): Promise<Catalog> {
  const cache = openSnapshotCache()
  const line = openLine(options.database, () => void polls.now().catch(() => {}))
  let state: CatalogState = EMPTY_STATE
  let closed = false
  let failing = false
  let freshAtMs = Number.NEGATIVE_INFINITY

  const polls = oneAtATime(async () => {
    if (closed) throw new Error('the catalogue is closed')
    const startedAtMs = performance.now()
    try {
      state = await catchUp(await line.connection(), state)
      freshAtMs = startedAtMs
      failing = false
    } catch (error) {
      line.drop()
      if (!failing) options.onProblem?.('the catalogue cannot be read; the view of it is ageing', error)
      failing = true
      throw error
    }
  })

  try {
    await polls.now()
  } catch (error) {
    closed = true
    throw error
  }
  const timer = setInterval(() => {
    if (!polls.busy()) void polls.now().catch(() => {})
  }, options.pollMs ?? POLL_MS)

  return {
    snapshotFor: (reseller) => cache.snapshotFor(state, reseller),
    base: () => state.base,
    state: () => state,
    ageMs: () => performance.now() - freshAtMs,
    refresh: () => polls.now(),
    async close() {
      closed = true
      clearInterval(timer)
      await polls.settled()
      line.drop()
    },
  }
}

async function catchUp(connection: Queryable, state: CatalogState): Promise<CatalogState> {
  const { version } = await readVersion(connection)
  if (version === state.version) return state
  // Versions only grow. A smaller one is another database, or this one restored to an earlier day.
  const from = version < state.version ? EMPTY_STATE : state
  return withLoaded(from, await inSnapshot(connection, () => readRows(connection, from.version)))
}
