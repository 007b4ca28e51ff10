import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database, Queryable, Tx } from '../../../db/database.ts'
import { withLongStatements } from '../../../db/long-statements.ts'
import { assert } from '../../../lib/errors.ts'
import type { Schedule } from '../../../lib/repeat.ts'
import { repeat } from '../../../lib/repeat.ts'
import { listResellers } from '../../accounts/service.ts'
import type { Reseller } from '../../accounts/types.ts'
import { patched } from '../model/state.rules.ts'
import type { Catalog, CatalogState, Touched } from '../model/store.types.ts'
import { decodeTouched, joinTouched } from '../model/touched.rules.ts'
import type { Change } from '../store/changes.sql.ts'
import {
  findPendingChange,
  hasPendingChange,
  listLevelsAfter,
  listPartKeys,
  lockPendingChange,
  readPart,
  saveProgress,
} from '../store/changes.sql.ts'
import type { AccountEvents } from './events.sql.ts'
import { insertAccountEvents, insertEventSet } from './events.sql.ts'
import type { AccountAt, EventPart, Expansion, StateChange } from './expansion.service.ts'
import { openExpansion, openSwitch } from './expansion.service.ts'
import { eventSetId } from './rules.ts'

const BATCH_ACCOUNTS = 200
const PAUSE_MS = 1_000

export type ExpandOptions = {
  readonly database: Database
  readonly catalog: Pick<Catalog, 'refresh' | 'state'>
  /** Accounts per transaction. */
  readonly batchAccounts?: number
  /** Checked between batches: true ends the run there, and the next run continues from its mark. */
  readonly isStopped?: () => boolean
}

export type ExpandSummary = {
  /** Changes that were fully expanded. */
  readonly changes: number
  /** Accounts that got events, counted once for each change. */
  readonly accounts: number
}

/** Expands all pending changes, again and again, until it is stopped. */
export function startExpanding(
  options: ExpandOptions & { readonly onProblem: (error: unknown) => void; readonly pauseMs?: number },
): Schedule {
  const { database, onProblem, pauseMs = PAUSE_MS } = options
  const work = { ...options, database: withLongStatements(database) }
  return repeat(
    pauseMs,
    async (isStopped) => {
      // One short statement finds that nothing is pending, which is so in most seconds.
      if (await hasPendingChange(database)) await expandChanges({ ...work, isStopped })
    },
    onProblem,
  )
}

/**
 * Writes the accounts' events for the pending changes: oldest change first, accounts by id. One transaction
 * writes a batch and the mark of how far it came. The run may be cut off anywhere, and any number of nodes may
 * run it: one node locks the row of the change, and the others come back later.
 *
 * Each change is compared in the catalogue of its time, which is the present one with everything since taken
 * back. The present catalogue would lose changes. Example: a product gets a name, and a moment later a reseller
 * gives it the very same name; in the present catalogue neither change makes a difference, but the account got
 * no event.
 */
export async function expandChanges(options: ExpandOptions): Promise<ExpandSummary> {
  const { database, catalog } = options
  let changes = 0
  let accounts = 0
  for (;;) {
    const oldest = await findPendingChange(database)
    if (oldest === undefined) return { changes, accounts }
    await catalog.refresh()
    const present = catalog.state()
    assert(present.version >= oldest.version, 'a refreshed catalogue knows every committed change')
    let before = await rewind(database, present, oldest.version)
    for (let version = oldest.version; version <= present.version; version += 1n) {
      const touched = await readTouched(database, version)
      const after = patched(before, touched, 'after')
      const outcome = await expandChange(options, version, { before, after, touched })
      accounts += outcome.accounts
      if (!outcome.isDone) return { changes, accounts }
      changes += 1
      before = after
    }
  }
}

/** Returns the catalogue as it was right before a version. */
async function rewind(connection: Queryable, present: CatalogState, version: bigint): Promise<CatalogState> {
  let state = present
  for (const key of await listPartKeys(connection, { from: version, to: present.version })) {
    state = patched(state, decodeTouched(await readPart(connection, key.version, key.part)), 'before')
  }
  return state
}

async function readTouched(connection: Queryable, version: bigint): Promise<Touched> {
  const parts: Touched[] = []
  for (const key of await listPartKeys(connection, { from: version, to: version })) {
    parts.push(decodeTouched(await readPart(connection, key.version, key.part)))
  }
  return joinTouched(parts.reverse())
}

/** Expands one change; not done: another node has it, or the run was stopped. */
async function expandChange(
  { database, batchAccounts = BATCH_ACCOUNTS, isStopped = () => false }: ExpandOptions,
  version: bigint,
  change: StateChange,
): Promise<{ accounts: number; isDone: boolean }> {
  const sets = openSets()
  let expansion: Expansion | undefined
  let accounts = 0
  for (;;) {
    if (isStopped()) return { accounts, isDone: false }
    const batch = await database.transaction(async (tx) => {
      const locked = await lockPendingChange(tx, version)
      if (locked === undefined) return undefined
      expansion ??= locked.levelSwitch === undefined ? openExpansion(change) : openSwitch(change.after)
      const page = await listConcerned(tx, locked, batchAccounts)
      const entries = await writeSets(tx, sets, locked, expansion, page.accounts)
      if (entries.length > 0) await insertAccountEvents(tx, version, entries)
      await saveProgress(tx, version, { expandedThrough: page.through, isDone: page.isLast })
      return { accounts: entries.length, isLast: page.isLast }
    })
    if (batch === undefined) return { accounts, isDone: false }
    accounts += batch.accounts
    if (batch.isLast) return { accounts, isDone: true }
  }
}

// ── Accounts ──

type Concerned = AccountAt & { readonly code: string }

type AccountPage = {
  readonly accounts: readonly Concerned[]
  /** Last account id of the page: all accounts up to it are done. */
  readonly through: bigint
  readonly isLast: boolean
}

async function listConcerned(tx: Tx, change: Change, limit: number): Promise<AccountPage> {
  const { everyone, levelCodes, resellerIds } = change.concerned
  const page =
    everyone || levelCodes.length > 0
      ? await pageOfAll(tx, change.expandedThrough, limit)
      : await pageOfThese(tx, resellerIds, change.expandedThrough, limit)
  // An account made after the change has never seen the catalogue without it.
  const accounts = page.accounts.filter((account) => account.createdAt <= change.createdAt)
  return { ...page, accounts: await withLevels(tx, change, accounts) }
}

type ResellerPage = Omit<AccountPage, 'accounts'> & { readonly accounts: readonly Reseller[] }

async function pageOfAll(tx: Tx, after: bigint, limit: number): Promise<ResellerPage> {
  const accounts = await listResellers(tx, { after, limit })
  return { accounts, through: accounts.at(-1)?.id ?? after, isLast: accounts.length < limit }
}

async function pageOfThese(
  tx: Tx,
  ids: readonly bigint[],
  after: bigint,
  limit: number,
): Promise<ResellerPage> {
  const rest = ids.filter((id) => id > after).sort((a, b) => (a < b ? -1 : 1))
  const page = rest.slice(0, limit)
  const accounts: Reseller[] = []
  for (const id of page) {
    const [account] = await listResellers(tx, { after: id - 1n, limit: 1 })
    if (account?.id === id) accounts.push(account)
  }
  return { accounts, through: page.at(-1) ?? after, isLast: page.length === rest.length }
}

/**
 * Adds the levels that the accounts had at the time. Accounts are read first and their moves afterwards: a move
 * that commits in between is then among the moves, and brings the account back to its old level.
 */
async function withLevels(tx: Tx, change: Change, accounts: readonly Reseller[]): Promise<Concerned[]> {
  const since = await listLevelsAfter(
    tx,
    accounts.map((account) => account.id),
    change.version,
  )
  return accounts.map(({ id, account, priceLevel }) => {
    const levelAfter = since.get(id) ?? priceLevel
    return { id, code: account, levelBefore: change.levelSwitch?.from ?? levelAfter, levelAfter }
  })
}

// ── Events ──

type WrittenSet = { readonly id: string; readonly count: number }

/** Written sets by key of a telling; null when it has no events. */
type Sets = Map<string, WrittenSet | null>

/**
 * Opens the memory for one run of one change. A failed transaction ends the run, so the memory never holds a
 * set that was rolled back.
 */
function openSets(): Sets {
  return new Map()
}

async function writeSets(
  tx: Tx,
  sets: Sets,
  { version }: Change,
  expansion: Expansion,
  accounts: readonly Concerned[],
): Promise<AccountEvents[]> {
  const entries: AccountEvents[] = []
  for (const account of accounts) {
    const written: WrittenSet[] = []
    for (const part of expansion.partsFor(account)) {
      const set = await writeOnce(tx, sets, version, part)
      if (set !== null) written.push(set)
    }
    if (written.length === 0) continue
    entries.push({
      resellerId: account.id,
      resellerCode: account.code,
      setIds: written.map((set) => set.id),
      count: written.reduce((sum, set) => sum + set.count, 0),
    })
  }
  return entries
}

async function writeOnce(tx: Tx, sets: Sets, version: bigint, part: EventPart): Promise<WrittenSet | null> {
  const known = sets.get(part.key)
  if (known !== undefined) return known
  const set = await writeSet(tx, version, part)
  sets.set(part.key, set)
  return set
}

async function writeSet(tx: Tx, version: bigint, part: EventPart): Promise<WrittenSet | null> {
  // One set takes a few milliseconds; requests are answered between two sets.
  await nextTurn()
  const events = [...part.events()]
  if (events.length === 0) return null
  const id = eventSetId(events)
  await insertEventSet(tx, version, id, events)
  return { id, count: events.length }
}
