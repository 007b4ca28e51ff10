import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database, Tx } from '../../../db/database.ts'
import type { Schedule } from '../../../lib/repeat.ts'
import { repeat } from '../../../lib/repeat.ts'
import { forgetOldEvents } from '../../catalog/changes/retention.service.ts'
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
  /** Of a delivery's attempts and answers; the rest of its record stays as long as the delivery. */
  readonly attemptDays: number
}

export type RetentionOptions = RetentionDays & {
  readonly database: Database
  /** From the end of a pass to the next one, on whichever node. */
  readonly everyMs?: number
  /** Rows per commit. */
  readonly rowsMax?: number
  readonly isStopped?: () => boolean
  /** Asked before each step: true while payments need the database. */
  readonly isBusy?: () => boolean
}

const EVERY_MS = 5 * 60_000
/** How often a node looks whether it is time. */
const LOOK_MS = 60_000
const ROWS_MAX = 500
const PAGE_MAX = 100
/** Before each step, so that a long clean-up is a murmur in the background. */
const PAUSE_MS = 20
const PAUSE_BUSY_MS = 500

/** Removes what has been kept long enough, again and again, until it is stopped. */
export function startForgetting(
  options: RetentionOptions & { readonly onProblem: (error: unknown) => void },
): Schedule {
  return repeat(LOOK_MS, (isStopped) => forgetOld({ ...options, isStopped }), options.onProblem)
}

/**
 * One pass over everything that is older than it is kept, in small commits, if it is time for one. It may be cut off
 * anywhere; of several nodes one does it, and the others find that it is not their turn.
 */
export async function forgetOld(given: RetentionOptions): Promise<void> {
  const options = { everyMs: EVERY_MS, ...given, holder: randomUUID() }
  if (await claimTurn(options.database, options.holder, options.everyMs)) await goThrough(options)
}

type Pass = RetentionOptions & { readonly holder: string; readonly everyMs: number }

async function goThrough(options: Pass): Promise<void> {
  const { database, feedDays, deliveryDays, attemptDays, rowsMax = ROWS_MAX } = options
  const feeds = eachPage(0n, (after) => listOldFeeds(database, feedDays, { after, limit: PAGE_MAX }))
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
  // Deliveries are made after the events that they point to, and kept for less time: what a log points to is there. But
  // a replay has a time of its own, and may be in the log when its event is gone; it is then shown without a payload,
  // and not replayed again.
  const days = Math.max(feedDays, deliveryDays) + 1
  await repeatStep(options, async (tx) =>
    forgetOldEvents(tx, { days, fromVersion: await findOldestFanout(tx) }),
  )
}

/** Again until one finds less than it could take. False: the pass ends here, stopped or in another node's hands. */
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

/** Everything that a list gives page by page, each page after the last one of the page before. */
async function* eachPage<T>(first: T, list: (after: T) => Promise<readonly T[]>): AsyncGenerator<T> {
  for (let after = first; ; ) {
    const page = await list(after)
    yield* page
    const last = page.at(-1)
    if (last === undefined) return
    after = last
  }
}
