import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../../db/database.ts'
import { dayOf, startOfDayMs } from '../../../lib/dates.ts'
import type { Schedule } from '../../../lib/repeat.ts'
import { repeat } from '../../../lib/repeat.ts'
import type { WalletHead } from '../../wallet/statement/periods.service.ts'
import {
  awaitPosted,
  countBetween,
  findEntryTimes,
  findPlaceBefore,
  listWalletHeads,
} from '../../wallet/statement/periods.service.ts'
import { dayOfPeriod, nextDayOf, START } from './closings.rules.ts'
import { insertClosing, listLastClosings, readLastDayOver, tryClosingLock } from './closings.sql.ts'
import { listBehind } from './closings-behind.service.ts'

const EVERY_MS = 10 * 60_000
/** A day is left alone for as long after its end: a clock that is set right again is off by less than this. */
const SETTLE_MS = 5 * 60_000
const WALLETS_PAGE = 500
/** Before each step, so that closing all wallets of a day is a murmur in the background. */
const PAUSE_MS = 5
const PAUSE_BUSY_MS = 500

export type ClosingOptions = {
  readonly database: Database
  /** Later days are left alone, as if they were not over. */
  readonly throughDay?: number
  /** Wallets looked at in one statement. */
  readonly walletsPage?: number
  readonly isStopped?: () => boolean
  /** Asked before each step: true while payments need the database. */
  readonly isBusy?: () => boolean
}

export type ClosingRun = {
  readonly closings: number
  /** False: it was stopped, or another node is at it. */
  readonly isComplete: boolean
}

/** Closes days as they end, again and again, until it is stopped. */
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
 * Closes every day that is over and on which something moved, a wallet and a day at a time, each in a commit of its
 * own. It may be cut off anywhere: the closings are also how far it is. A wallet that has not moved since its last
 * closing costs a look at its row. One whose closing fails is left at that, and the others are closed.
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
 * One day of one wallet. All that was dated before the wait is committed after it, and what is posted later is dated
 * later: the day, which is over, has all of its entries. They are looked for in a statement after that, and each is
 * read: a ledger whose balances are not what its entries come to is refused by the table, and not kept for good.
 */
async function closeNextDay(
  database: Database,
  resellerId: bigint,
  lastDay: number,
): Promise<'closed' | 'done' | 'taken'> {
  await awaitPosted(database, resellerId)
  return database.transaction(async (tx) => {
    if (!(await tryClosingLock(tx))) return 'taken'
    const before = (await listLastClosings(tx, [resellerId])).get(resellerId)
    const from = before === undefined ? START : { sequence: before.lastSequence, balance: before.closing }
    const next = { resellerId, sequence: from.sequence + 1n }
    const at = (await findEntryTimes(tx, [next])).get(resellerId)
    if (at === undefined) return 'done'
    const day = nextDayOf(dayOf(at.getTime()), before?.day)
    if (day > lastDay) return 'done'
    const to = await findPlaceBefore(tx, resellerId, new Date(startOfDayMs(day + 1)))
    const range = { before: from.sequence, last: to.sequence }
    const movements = await countBetween(tx, resellerId, range)
    const period = { ...range, opening: from.balance, closing: to.balance, movements }
    await insertClosing(tx, resellerId, dayOfPeriod(day, period))
    return 'closed'
  })
}
