import type { Queryable } from '../../../db/database.ts'
import { dayOf, startOfDayMs } from '../../../lib/dates.ts'
import { assert, invalidFields } from '../../../lib/errors.ts'
import { listResellers } from '../../accounts/service.ts'
import type { Reseller } from '../../accounts/types.ts'
import {
  countBetween,
  findEntryTimes,
  findPositionBefore,
  sumBetween,
} from '../../wallet/statement/periods.service.ts'
import type { EntryPosition } from '../../wallet/statement/periods.types.ts'
import { checkClosing, dayOfPeriod, joinDays, NO_MOVEMENTS, nextDayOf, START } from './closings.rules.ts'
import { listClosingRows, listLastClosings, readLastDayOver } from './closings.sql.ts'
import type { Closing, ClosingBreak, ShownDay, WalletDay } from './types.ts'

export const DAYS_MAX = 366

export type Days = { readonly from: number; readonly to: number }

function refuseDays({ from, to }: Days): void {
  if (from > to) throw invalidFields({ to: ['must not be before the first day'] })
  if (to - from >= DAYS_MAX) throw invalidFields({ to: [`must be at most ${DAYS_MAX} days from the first`] })
}

/**
 * Lists the days of a range on which a wallet moved, oldest first, closed or not. Closed days are read; the others are
 * summed up from the ledger.
 */
export async function listDays(connection: Queryable, resellerId: bigint, days: Days): Promise<ShownDay[]> {
  refuseDays(days)
  const from = await findPositionBefore(connection, resellerId, new Date(startOfDayMs(days.from)))
  const to = await findPositionBefore(connection, resellerId, new Date(startOfDayMs(days.to + 1)))
  return listDaysBetween(connection, resellerId, days, from, to)
}

/**
 * Lists the days between two positions that were found before, so that a caller can list exactly the same entries. A
 * closing is used if it begins at the position that was reached, because it ends at its day's end at the latest.
 */
export async function listDaysBetween(
  connection: Queryable,
  resellerId: bigint,
  days: Days,
  from: EntryPosition,
  to: EntryPosition,
): Promise<ShownDay[]> {
  const closings = await listClosingRows(connection, resellerId, { ...days, limit: DAYS_MAX })
  const closedFrom = new Map(closings.map((closing) => [closing.firstSequence, closing]))
  const shown: ShownDay[] = []
  for (let at = from; at.sequence < to.sequence; ) {
    const known = closedFrom.get(at.sequence + 1n)
    const day = known === undefined ? await sumNextDay(connection, resellerId, at, to) : shownOf(known)
    shown.push(day)
    at = { sequence: day.lastSequence, balance: day.closing }
  }
  const closedAt = new Map(shown.map(({ day, closedAt: at }) => [day, at]))
  return joinDays(shown).map((day) => ({ ...day, closedAt: closedAt.get(day.day) ?? null }))
}

function shownOf({ resellerId: _, ...day }: Closing): ShownDay {
  return day
}

async function sumNextDay(
  connection: Queryable,
  resellerId: bigint,
  from: EntryPosition,
  to: EntryPosition,
): Promise<ShownDay> {
  const next = { resellerId, sequence: from.sequence + 1n }
  const at = (await findEntryTimes(connection, [next])).get(resellerId)
  assert(at !== undefined, 'a wallet has no gaps')
  const day = dayOf(at.getTime())
  const end = await findPositionBefore(connection, resellerId, new Date(startOfDayMs(day + 1)))
  const last = end.sequence < to.sequence ? end : to
  return { ...dayOfPeriod(day, await sumBetween(connection, resellerId, from, last)), closedAt: null }
}

/** Returns one day. A day without movements has the balance of the day before it. */
export async function getDay(connection: Queryable, resellerId: bigint, day: number): Promise<ShownDay> {
  const [moved] = await listDays(connection, resellerId, { from: day, to: day })
  if (moved !== undefined) return moved
  const { sequence, balance } = await findPositionBefore(connection, resellerId, new Date(startOfDayMs(day)))
  const quiet: WalletDay = {
    day,
    opening: balance,
    movements: NO_MOVEMENTS,
    closing: balance,
    firstSequence: sequence + 1n,
    lastSequence: sequence,
  }
  return { ...quiet, closedAt: null }
}

// ── The check ──

export type ClosingReport = {
  readonly wallets: number
  readonly closings: number
  /** First break of each wallet, at most BREAKS_MAX. */
  readonly breaks: readonly ClosingBreak[]
}

const RESELLERS_PAGE = 500
const CLOSINGS_PAGE = 200
const BREAKS_MAX = 100
const FIRST_DAY = 0
/** 9999-12-31, the last day for which a statement can be requested. */
const LAST_DAY = 2_932_896
/** Time after its end by which a day must be closed. A later closing is reported as a break. */
const OVERDUE_MS = 24 * 3_600_000

/**
 * Checks the closings of each wallet from the first one. Each closing must be the sum of its entries, which are read
 * one by one, must follow the closing before it, and must hold the wallet's balance at the day's end. Days that should
 * be closed by now and are not are reported too. No snapshot is needed, because a closed day never changes.
 */
export async function verifyClosings(connection: Queryable, only?: Reseller): Promise<ClosingReport> {
  const overdueDay = await readLastDayOver(connection, OVERDUE_MS)
  const report = { wallets: 0, closings: 0, breaks: [] as ClosingBreak[] }
  const verifyOne = async (reseller: Reseller) => {
    const { closings, found } = await verifyWallet(connection, reseller, overdueDay)
    report.wallets += 1
    report.closings += closings
    if (found !== undefined && report.breaks.length < BREAKS_MAX) report.breaks.push(found)
  }
  if (only !== undefined) {
    await verifyOne(only)
    return report
  }
  for (let after: bigint | undefined = 0n; after !== undefined; ) {
    const page: Reseller[] = await listResellers(connection, { after, limit: RESELLERS_PAGE })
    for (const reseller of page) await verifyOne(reseller)
    after = page.length < RESELLERS_PAGE ? undefined : page.at(-1)?.id
  }
  return report
}

type WalletCheck = { readonly closings: number; readonly found: ClosingBreak | undefined }

async function verifyWallet(
  connection: Queryable,
  { id, account }: Reseller,
  overdueDay: number,
): Promise<WalletCheck> {
  let before = START
  let closings = 0
  for (let from = FIRST_DAY; ; ) {
    const page = await listClosingRows(connection, id, { from, to: LAST_DAY, limit: CLOSINGS_PAGE })
    for (const closing of page) {
      closings += 1
      const found = checkClosing(account, closing, before, await readLedgerDay(connection, closing))
      if (found !== undefined) return { closings, found }
      before = { sequence: closing.lastSequence, balance: closing.closing }
    }
    const last = page.at(-1)
    if (page.length < CLOSINGS_PAGE || last === undefined) break
    from = last.day + 1
  }
  return { closings, found: await findOverdue(connection, { id, account }, before, overdueDay) }
}

async function readLedgerDay(connection: Queryable, closing: Closing) {
  const { resellerId, firstSequence, lastSequence, day } = closing
  const range = { before: firstSequence - 1n, last: lastSequence }
  return {
    movements: await countBetween(connection, resellerId, range),
    end: await findPositionBefore(connection, resellerId, new Date(startOfDayMs(day + 1))),
  }
}

async function findOverdue(
  connection: Queryable,
  { id, account }: Pick<Reseller, 'id' | 'account'>,
  before: EntryPosition,
  overdueDay: number,
): Promise<ClosingBreak | undefined> {
  const next = { resellerId: id, sequence: before.sequence + 1n }
  const at = (await findEntryTimes(connection, [next])).get(id)
  if (at === undefined) return undefined
  const last = (await listLastClosings(connection, [id])).get(id)
  const day = nextDayOf(dayOf(at.getTime()), last?.day)
  if (day > overdueDay) return undefined
  return {
    kind: 'missing',
    account,
    day,
    expected: 'a closing by now',
    found: `none, from entry ${next.sequence}`,
  }
}
