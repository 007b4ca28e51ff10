import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database, Tx } from '../../../db/database.ts'
import type { Schedule } from '../../../lib/repeat.ts'
import { repeat } from '../../../lib/repeat.ts'
import { deleteOldEvents } from '../../catalog/changes/retention.service.ts'
import type { Log } from './retention.sql.ts'
import {
  claimTurn,
  deleteDeliveries,
  deleteFeedRows,
  FIRST_LOG,
  findOldestFanout,
  listOldFeeds,
  listOldLogs,
  lockTurn,
  stripDeliveries,
} from './retention.sql.ts'

export type RetentionDays = {
  readonly feedDays: number
  readonly deliveryDays: number
  /** Days for a delivery's attempts and answers; the rest of its row stays for `deliveryDays`. */
  readonly attemptDays: number
}

export type RetentionOptions = RetentionDays & {
  readonly database: Database
  /** Pause between two passes, over all nodes. */
  readonly everyMs?: number
  /** Most rows of one commit. */
  readonly rowsMax?: number
  readonly isStopped?: () => boolean
  /** Called before each step; true while payments need the database. */
  readonly isBusy?: () => boolean
}

const EVERY_MS = 5 * 60_000
/** Interval at which a node checks whether a pass is due. */
const CHECK_MS = 60_000
const ROWS_MAX = 500
const PAGE_MAX = 100
/** Pause before each step, so that a long clean-up takes only a small part of the database's time. */
const PAUSE_MS = 20
const PAUSE_BUSY_MS = 500

/** Removes old events and deliveries regularly, until it is stopped. */
export function startRetention(
  options: RetentionOptions & { readonly onProblem: (error: unknown) => void },
): Schedule {
  return repeat(CHECK_MS, (isStopped) => runRetention({ ...options, isStopped }), options.onProblem)
}

/**
 * Makes one pass over everything that is old, in small commits, if a pass is due. It may be cut off anywhere. One node
 * makes the pass; the others find that it is not their turn.
 */
export async function runRetention(given: RetentionOptions): Promise<void> {
  const options = { everyMs: EVERY_MS, ...given, holder: randomUUID() }
  if (await claimTurn(options.database, options.holder, options.everyMs)) await removeOld(options)
}

type Pass = RetentionOptions & { readonly holder: string; readonly everyMs: number }

async function removeOld(options: Pass): Promise<void> {
  const { database, feedDays, deliveryDays, attemptDays, rowsMax = ROWS_MAX } = options
  // The account 0 is the house: see append_house_fact.
  const feeds = eachPage(-1n, (after) => listOldFeeds(database, feedDays, { after, limit: PAGE_MAX }))
  for await (const resellerId of feeds) {
    const step = (tx: Tx) => deleteFeedRows(tx, feedDays, resellerId, rowsMax)
    if (!(await repeatStep(options, step, rowsMax))) return
  }
  const oldLogs = (days: number) =>
    eachPage<Log>(FIRST_LOG, (after) => listOldLogs(database, days, { after, limit: PAGE_MAX }))
  for await (const log of oldLogs(deliveryDays)) {
    const step = (tx: Tx) => deleteDeliveries(tx, deliveryDays, log, rowsMax)
    if (!(await repeatStep(options, step, rowsMax))) return
  }
  if (attemptDays < deliveryDays) {
    for await (const log of oldLogs(attemptDays)) {
      const step = (tx: Tx) => stripDeliveries(tx, attemptDays, log, rowsMax)
      if (!(await repeatStep(options, step, rowsMax))) return
    }
  }
  // Catalogue events are kept one day longer than the feed and the log that point to them. A replay is newer than its
  // event, so it may outlive the event: then it is shown without a payload, and cannot be replayed again.
  const days = Math.max(feedDays, deliveryDays) + 1
  await repeatStep(options, async (tx) =>
    deleteOldEvents(tx, { days, fromVersion: await findOldestFanout(tx) }),
  )
}

/** Repeats a step until it finds fewer rows than it may take. False: the pass was stopped, or another node took over. */
async function repeatStep(
  { database, holder, everyMs, isStopped = () => false, isBusy = () => false }: Pass,
  step: (tx: Tx) => Promise<number>,
  full = 1,
): Promise<boolean> {
  for (;;) {
    await delay(isBusy() ? PAUSE_BUSY_MS : PAUSE_MS, undefined, { ref: false })
    if (isStopped()) return false
    const rows = await database.transaction(async (tx) =>
      (await lockTurn(tx, holder, everyMs)) ? step(tx) : undefined,
    )
    if (rows === undefined) return false
    if (rows < full) return true
  }
}

/** Yields everything that a list gives page by page; each page begins after the last item of the page before. */
async function* eachPage<T>(first: T, list: (after: T) => Promise<readonly T[]>): AsyncGenerator<T> {
  for (let after = first; ; ) {
    const page = await list(after)
    yield* page
    const last = page.at(-1)
    if (last === undefined) return
    after = last
  }
}
