import { setTimeout as delay } from 'node:timers/promises'
import type { Database, Queryable } from '../../../db/database.ts'
import { startFollowing } from '../../../db/follower.ts'
import { findLatestSequence } from '../feed/feed.sql.ts'
import { addUnread, nothingUnread } from './live.rules.ts'
import { listChangedPayments, listNewerRows } from './live.sql.ts'
import type { ChangedPayments, Following, LiveFeeds, LiveRow } from './live.types.ts'

const CHANNEL = 'events'
/** Rows are gathered for this long: a reading costs about the same for one row as for a hundred. */
const GATHER_MS = 150
/** Pause between readings while no page is open. */
const GATHER_IDLE_MS = 1_000
/** Pause between polls. A poll finds rows whose notification was lost. */
const POLL_MS = 2_000
const STATEMENT_TIMEOUT_MS = 5_000
/** Limit of rows of one feed in one reading. The rest is read right behind. */
const ROWS_MAX = 1_000
const PAYMENTS_MAX = 100
/** Limit of rows that a page which connects again is told one by one. */
const REPLAY_MAX = 500

type Feed = { position: bigint; readonly listeners: Set<(rows: readonly LiveRow[]) => void> }

export type LiveFeedsSettings = {
  readonly database: Database
  readonly onProblem: (text: string, error: unknown) => void
  readonly gatherMs?: number
  readonly gatherIdleMs?: number
}

/** Starts reading. One connection listens, and reads all followed feeds in one statement. */
export async function openLiveFeeds(settings: LiveFeedsSettings): Promise<LiveFeeds> {
  const { database, onProblem, gatherMs = GATHER_MS, gatherIdleMs = GATHER_IDLE_MS } = settings
  const feeds = new Map<bigint, Feed>()
  const opening = new Map<bigint, Promise<Feed>>()
  const payments = createPaymentFeed()
  const ending = new AbortController()
  let isOpen = false

  async function catchUp(connection: Queryable): Promise<void> {
    // The first reading opens the feeds. Nobody follows one yet, and a node that starts must not wait.
    if (isOpen) await gather()
    await readFeeds(connection)
    await payments.read(connection)
  }

  async function gather(): Promise<void> {
    const isIdle = feeds.size === 0 && !payments.isFollowed()
    const pauseMs = isIdle ? gatherIdleMs : gatherMs
    await delay(pauseMs, undefined, { ref: false, signal: ending.signal }).catch(() => {})
  }

  async function readFeeds(connection: Queryable): Promise<void> {
    for (let isFull = true; isFull && feeds.size > 0 && !ending.signal.aborted; ) {
      const asked = [...feeds].map(([resellerId, { position }]) => ({ resellerId, position }))
      const found = byFeed(await listNewerRows(connection, asked, ROWS_MAX))
      isFull = false
      for (const [resellerId, rows] of found) {
        isFull ||= rows.length === ROWS_MAX
        publish(feeds.get(resellerId), rows)
      }
    }
  }

  function publish(feed: Feed | undefined, rows: readonly LiveRow[]): void {
    const last = rows.at(-1)
    if (feed === undefined || last === undefined) return
    feed.position = last.position
    for (const listener of feed.listeners) listener(rows)
  }

  const follower = await startFollowing({
    database,
    what: 'new events for open pages',
    channel: CHANNEL,
    take(payload) {
      payments.note(payload)
      return false
    },
    pollMs: POLL_MS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    catchUp,
    onProblem(text, error) {
      // Notifications may be lost with the connection.
      payments.noteLoss()
      onProblem(text, error)
    },
  })
  isOpen = true

  /** Opens a feed at its present end. Followers who come at once share one feed. */
  function feedOf(resellerId: bigint): Feed | Promise<Feed> {
    const known = feeds.get(resellerId) ?? opening.get(resellerId)
    if (known !== undefined) return known
    const opened = findLatestSequence(database, resellerId)
      .then((position) => {
        const feed: Feed = { position, listeners: new Set() }
        feeds.set(resellerId, feed)
        // Reads what was numbered since the position was found.
        void follower.refresh().catch(() => {})
        return feed
      })
      .finally(() => opening.delete(resellerId))
    opening.set(resellerId, opened)
    return opened
  }

  async function follow(resellerId: bigint, onRows: (rows: readonly LiveRow[]) => void): Promise<Following> {
    const feed = await feedOf(resellerId)
    // The last follower may have left meanwhile, and taken the feed away.
    if (feeds.get(resellerId) !== feed) return follow(resellerId, onRows)
    feed.listeners.add(onRows)
    return {
      position: feed.position,
      stop() {
        feed.listeners.delete(onRows)
        if (feed.listeners.size === 0 && feeds.get(resellerId) === feed) feeds.delete(resellerId)
      },
    }
  }

  return {
    follow,
    followPayments: payments.follow,
    replay: (resellerId, after, until) => replay(database, resellerId, after, until),
    async close() {
      ending.abort()
      await follower.close()
    },
  }
}

/** Changed payments of all accounts, gathered from the payloads of notifications. */
function createPaymentFeed() {
  const listeners = new Set<(changed: ChangedPayments) => void>()
  let unread = nothingUnread()
  return {
    isFollowed: () => listeners.size > 0,
    note(payload: string): void {
      if (listeners.size > 0) addUnread(unread, payload)
    },
    noteLoss(): void {
      unread.isPartial = true
    },
    follow(onChanged: (changed: ChangedPayments) => void): () => void {
      listeners.add(onChanged)
      return () => void listeners.delete(onChanged)
    },
    async read(connection: Queryable): Promise<void> {
      const { firsts, isPartial } = unread
      unread = nothingUnread()
      if (listeners.size === 0 || (firsts.size === 0 && !isPartial)) return
      const changes = firsts.size === 0 ? [] : await listChangedPayments(connection, firsts, PAYMENTS_MAX + 1)
      const payments = new Map(changes.slice(0, PAYMENTS_MAX).map(({ id, code }) => [id, code]))
      if (payments.size === 0 && !isPartial) return
      const changed = { payments, isPartial: isPartial || changes.length > PAYMENTS_MAX }
      for (const listener of listeners) listener(changed)
    },
  }
}

/** Reads what a page missed between two positions. */
async function replay(
  database: Database,
  resellerId: bigint,
  after: bigint,
  until: bigint,
): ReturnType<LiveFeeds['replay']> {
  if (after === until) return { kind: 'rows', rows: [] }
  // A position that lies ahead is either another node's, which has read further, or none of this feed.
  if (after > until) {
    const latest = await findLatestSequence(database, resellerId)
    return after <= latest ? { kind: 'rows', rows: [] } : { kind: 'lost' }
  }
  const found = await listNewerRows(database, [{ resellerId, position: after }], REPLAY_MAX + 1)
  const rows = found.filter(({ position }) => position <= until)
  const isWhole = found.length <= REPLAY_MAX || rows.length < found.length
  return isWhole && startsAt(rows[0], after) ? { kind: 'rows', rows } : { kind: 'lost' }
}

function byFeed(rows: readonly LiveRow[]): ReadonlyMap<bigint, readonly LiveRow[]> {
  const found = new Map<bigint, LiveRow[]>()
  for (const row of rows) {
    const those = found.get(row.resellerId)
    if (those === undefined) found.set(row.resellerId, [row])
    else those.push(row)
  }
  return found
}

/** Tells whether the row follows on the position: rows before it may be kept no longer. */
function startsAt(row: LiveRow | undefined, after: bigint): boolean {
  if (row === undefined) return false
  return row.position - BigInt(row.span) <= after
}
