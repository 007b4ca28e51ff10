import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../../db/database.ts'
import { dayOf, startOfDayMs } from '../../../lib/dates.ts'
import type { Schedule } from '../../../lib/repeat.ts'
import { repeat } from '../../../lib/repeat.ts'
import type { WalletHead } from '../../wallet/statement/periods.service.ts'
import {
  countBetween,
  findEntryTimes,
  findPositionBefore,
  listWalletHeads,
} from '../../wallet/statement/periods.service.ts'
import { waitForPostings } from '../../wallet/statement/public.sql.ts'
import { dayOfPeriod, nextDayOf, START } from './closings.rules.ts'
import { insertClosing, listLastClosings, readLastDayOver, tryClosingLock } from './closings.sql.ts'
import { listBehind } from './closings-behind.service.ts'

const EVERY_MS = 10 * 60_000
/** Wait after the end of a day before it is closed. A clock that is corrected is wrong by less than this. */
const SETTLE_MS = 5 * 60_000
const WALLETS_PAGE = 500
/** Pause before each step, so that closing all wallets of a day puts little load on the database. */
const PAUSE_MS = 5
const PAUSE_BUSY_MS = 500

export type ClosingOptions = {
  readonly database: Database
  /** Last day to close. Later days are treated as not over. */
  readonly throughDay?: number
  /** Wallets read in one statement. */
  readonly walletsPage?: number
  readonly isStopped?: () => boolean
  /** True while payments need the database. Called before each step. */
  readonly isBusy?: () => boolean
}

export type ClosingRun = {
  readonly closings: number
  /** False: the run was stopped, or another node holds the lock. */
  readonly isComplete: boolean
}

/** Closes days as they end, at an interval, until it is stopped. */
export function startClosing(
  options: ClosingOptions & { readonly onProblem: (error: unknown) => void; readonly everyMs?: number },
): Schedule {
  return repeat(
    options.everyMs ?? EVERY_MS,
    (isStopped) => closeDays({ ...options, isStopped }),
    options.onProblem,
  )
}

/**
 * Closes every day that is over and on which a wallet moved: one wallet and one day at a time, each in its own commit.
 * The run may be cut off anywhere, because the closings themselves say how far it is. A wallet that has not moved since
 * its last closing costs one read of its row. If a closing fails, the wallet is skipped and the others are closed.
 */
export async function closeDays(options: ClosingOptions): Promise<ClosingRun> {
  const { database, throughDay = Number.MAX_SAFE_INTEGER, walletsPage = WALLETS_PAGE } = options
  const lastDay = Math.min(await readLastDayOver(database, SETTLE_MS), throughDay)
  const troubles: Error[] = []
  let closings = 0
  for (let after: bigint | undefined = 0n; after !== undefined; ) {
    const heads: WalletHead[] = await listWalletHeads(database, { after, limit: walletsPage })
    for (const { resellerId } of await listBehind(database, heads, lastDay)) {
      const closed = await closeWallet(options, resellerId, lastDay)
      closings += closed.closings
      if ('trouble' in closed) troubles.push(closed.trouble)
      else if (!closed.isComplete) return { closings, isComplete: false }
    }
    after = heads.length < walletsPage ? undefined : heads.at(-1)?.resellerId
  }
  if (troubles.length === 1) throw troubles[0]
  if (troubles.length > 1)
    throw new AggregateError(troubles, `${troubles.length} wallets could not be closed`)
  return { closings, isComplete: true }
}

async function closeWallet(
  { database, isStopped = () => false, isBusy = () => false }: ClosingOptions,
  resellerId: bigint,
  lastDay: number,
): Promise<ClosingRun | { readonly closings: number; readonly trouble: Error }> {
  for (let closings = 0; ; closings += 1) {
    await delay(isBusy() ? PAUSE_BUSY_MS : PAUSE_MS, undefined, { ref: false })
    if (isStopped()) return { closings, isComplete: false }
    try {
      const step = await closeNextDay(database, resellerId, lastDay)
      if (step !== 'closed') return { closings, isComplete: step === 'done' }
    } catch (error) {
      return { closings, trouble: new Error(`wallet ${resellerId} could not be closed`, { cause: error }) }
    }
  }
}

/**
 * Closes one day of one wallet. After the wait, every entry that was dated before it is committed, and a later posting
 * gets a later date. So the day, which is over, has all of its entries. A later statement reads each of them: the table
 * refuses a ledger whose balances are not the sum of its entries, so a wrong closing is not kept for good.
 */
async function closeNextDay(
  database: Database,
  resellerId: bigint,
  lastDay: number,
): Promise<'closed' | 'done' | 'taken'> {
  await waitForPostings(database, resellerId)
  return database.transaction(async (tx) => {
    if (!(await tryClosingLock(tx))) return 'taken'
    const before = (await listLastClosings(tx, [resellerId])).get(resellerId)
    const from = before === undefined ? START : { sequence: before.lastSequence, balance: before.closing }
    const next = { resellerId, sequence: from.sequence + 1n }
    const at = (await findEntryTimes(tx, [next])).get(resellerId)
    if (at === undefined) return 'done'
    const day = nextDayOf(dayOf(at.getTime()), before?.day)
    if (day > lastDay) return 'done'
    const to = await findPositionBefore(tx, resellerId, new Date(startOfDayMs(day + 1)))
    const range = { before: from.sequence, last: to.sequence }
    const movements = await countBetween(tx, resellerId, range)
    const period = { ...range, opening: from.balance, closing: to.balance, movements }
    await insertClosing(tx, resellerId, dayOfPeriod(day, period))
    return 'closed'
  })
}
