import type { Queryable } from '../../../db/database.ts'
import { dayOf } from '../../../lib/dates.ts'
import { findResellerWithId } from '../../accounts/public.sql.ts'
import type { Reseller } from '../../accounts/types.ts'
import type { WalletHead } from '../../wallet/statement/periods.service.ts'
import { findEntryTimes, listWalletHeads } from '../../wallet/statement/periods.service.ts'
import { nextDayOf } from './closings.rules.ts'
import { listLastClosings, readLastDayOver } from './closings.sql.ts'
import type { Closing } from './types.ts'

/** Wallet with a day that is over and not closed. */
export type BehindWallet = { readonly resellerId: bigint; readonly sequence: bigint; readonly day: number }

/** Lists the wallets that have moved since their last closing, on a day that is over. */
export async function listBehind(
  connection: Queryable,
  heads: readonly WalletHead[],
  lastDay: number,
): Promise<BehindWallet[]> {
  return findBehind(connection, heads, await listLastOf(connection, heads), lastDay)
}

function listLastOf(connection: Queryable, heads: readonly WalletHead[]): Promise<Map<bigint, Closing>> {
  return listLastClosings(
    connection,
    heads.map(({ resellerId }) => resellerId),
  )
}

async function findBehind(
  connection: Queryable,
  heads: readonly WalletHead[],
  closed: ReadonlyMap<bigint, Closing>,
  lastDay: number,
): Promise<BehindWallet[]> {
  const next = heads
    .map((head) => ({ ...head, from: (closed.get(head.resellerId)?.lastSequence ?? 0n) + 1n }))
    .filter(({ sequence, from }) => sequence >= from)
    .map(({ resellerId, from }) => ({ resellerId, sequence: from }))
  const times = await findEntryTimes(connection, next)
  return next.flatMap(({ resellerId, sequence }) => {
    const at = times.get(resellerId)
    if (at === undefined) return []
    const day = nextDayOf(dayOf(at.getTime()), closed.get(resellerId)?.day)
    return day <= lastDay ? [{ resellerId, sequence, day }] : []
  })
}

const WALLETS_PAGE = 500
const SHOWN_MAX = 100
/** Time after its end by which a day is normally closed: the service looks every ten minutes. */
const LATE_MS = 30 * 60_000

export type ClosingsState = {
  /** Last day that should be closed by now. */
  readonly lastDay: number
  readonly wallets: number
  readonly behindTotal: number
  /** First wallets that are behind, by account. */
  readonly behind: readonly (Pick<Reseller, 'account' | 'name'> & { readonly day: number })[]
  /** Time of the last closing; null: no day was ever closed. */
  readonly closedAt: Date | null
}

/** Reads how far the closings are, without reading each closing. `verifyClosings` compares each one with the ledger. */
export async function readClosingsState(connection: Queryable): Promise<ClosingsState> {
  const lastDay = await readLastDayOver(connection, LATE_MS)
  const behind: BehindWallet[] = []
  let wallets = 0
  let closedAt: Date | null = null
  for (let after: bigint | undefined = 0n; after !== undefined; ) {
    const heads: WalletHead[] = await listWalletHeads(connection, { after, limit: WALLETS_PAGE })
    const closed = await listLastOf(connection, heads)
    wallets += heads.length
    behind.push(...(await findBehind(connection, heads, closed, lastDay)))
    for (const { closedAt: at } of closed.values()) if (closedAt === null || at > closedAt) closedAt = at
    after = heads.length < WALLETS_PAGE ? undefined : heads.at(-1)?.resellerId
  }
  return {
    lastDay,
    wallets,
    behindTotal: behind.length,
    behind: await withNames(connection, behind.slice(0, SHOWN_MAX)),
    closedAt,
  }
}

async function withNames(connection: Queryable, behind: readonly BehindWallet[]) {
  const named: ClosingsState['behind'][number][] = []
  for (const { resellerId, day } of behind) {
    const reseller = await findResellerWithId(connection, resellerId)
    if (reseller !== undefined) named.push({ account: reseller.account, name: reseller.name, day })
  }
  return named
}
