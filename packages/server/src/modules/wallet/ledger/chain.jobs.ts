import type { Database } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import type { Schedule } from '../../../lib/repeat.ts'
import { repeat } from '../../../lib/repeat.ts'
import type { HmacKey } from '../../../lib/secrets/hmac.ts'
import { CHAIN_START, extendChains } from './chain.rules.ts'
import { openChainKey } from './chain.service.ts'
import type { HeadBehind } from './chain.sql.ts'
import {
  insertHashes,
  isBehind,
  listEntriesAfter,
  lockHeadsBehind,
  openHeads,
  saveHeads,
} from './chain.sql.ts'
import type { ChainBreak, Head } from './chain.types.ts'

const EVERY_MS = 1_000
const BATCH_ENTRIES_MAX = 1_000
const BATCH_WALLETS_MAX = 100
/** Longest time that the chain waits for a busy node. */
const GIVE_WAY_MS = 60_000

export type ChainOptions = {
  readonly database: Database
  readonly vault: Vault
  /** Entries per transaction. */
  readonly batchEntries?: number
  /** True ends the run. Called between batches. The next run continues from the heads. */
  readonly isStopped?: () => boolean
}

export type ChainSummary = {
  readonly entries: number
  /** Wallets that cannot be chained further, each one once. */
  readonly broken: readonly ChainBreak[]
}

export type ChainingOptions = ChainOptions & {
  readonly onProblem: (error: unknown) => void
  readonly everyMs?: number
  /** True while this node is busy. The chain then waits, for a minute at most. */
  readonly isBusy?: () => boolean
}

/** Chains new entries at an interval, until it is stopped. */
export function startChaining(options: ChainingOptions): Schedule {
  const { isBusy = () => false } = options
  const reported = new Set<bigint>()
  let caughtUpMs = performance.now()
  const givesWay = () => isBusy() && performance.now() - caughtUpMs < GIVE_WAY_MS
  async function chain(isStopped: () => boolean): Promise<void> {
    if (givesWay()) return
    // One statement finds that there is nothing to do, which is so in most seconds of most nodes.
    const { broken } = (await isBehind(options.database))
      ? await chainEntries({ ...options, isStopped: () => isStopped() || givesWay() })
      : { broken: [] }
    if (!givesWay()) caughtUpMs = performance.now()
    for (const { resellerId, sequence, text } of broken) {
      if (reported.has(resellerId)) continue
      reported.add(resellerId)
      options.onProblem(
        new Error(`the chain of wallet ${resellerId} cannot go on at entry ${sequence}: ${text}`),
      )
    }
  }
  return repeat(options.everyMs ?? EVERY_MS, chain, options.onProblem)
}

/**
 * Chains every entry, some time after it was posted. It may be cut off anywhere and run on any number of nodes: hashes
 * and heads of a batch are one transaction, and a node locks the head of the wallet it works on, so that the others
 * skip it. Wallets are never locked. Each wallet gets a share of the batch in turn, so that a busy one does not delay
 * the others.
 */
export async function chainEntries(options: ChainOptions): Promise<ChainSummary> {
  const { database, vault, isStopped = () => false, batchEntries = BATCH_ENTRIES_MAX } = options
  const key = await openChainKey(database, vault)
  const broken = new Map<bigint, ChainBreak>()
  let entries = 0
  for (let hasMore = true; hasMore; ) {
    hasMore = false
    await openHeads(database, CHAIN_START)
    for (let after: bigint | undefined = 0n; after !== undefined; ) {
      if (isStopped()) return { entries, broken: [...broken.values()] }
      const batch: Batch = await chainBatch(database, key, after, batchEntries)
      for (const each of batch.broken) broken.set(each.resellerId, each)
      entries += batch.entries
      hasMore ||= batch.hasMore
      after = batch.last
    }
  }
  return { entries, broken: [...broken.values()] }
}

type Batch = {
  readonly entries: number
  /** Last reseller that has had its share; undefined when no wallet is left after it. */
  readonly last: bigint | undefined
  /** True: some wallet used up its share, and may have more entries. */
  readonly hasMore: boolean
  readonly broken: readonly ChainBreak[]
}

function chainBatch(database: Database, key: HmacKey, after: bigint, entriesMax: number): Promise<Batch> {
  const walletsMax = Math.min(BATCH_WALLETS_MAX, entriesMax)
  return database.transaction(async (tx) => {
    const behind = await lockHeadsBehind(tx, { after, limit: walletsMax })
    const heads = behind.filter((head) => !head.isOvertaken)
    const overtaken = behind.filter((head) => head.isOvertaken).map(overtakenBreak)
    const last = behind.length < walletsMax ? undefined : behind.at(-1)?.resellerId
    if (heads.length === 0) return { entries: 0, last, hasMore: false, broken: overtaken }

    const share = Math.floor(entriesMax / heads.length)
    const chained = extendChains(key, heads, await listEntriesAfter(tx, heads, share))
    if (chained.hashes.length > 0) {
      await insertHashes(tx, chained.hashes)
      await saveHeads(tx, chained.heads)
    }
    return {
      entries: chained.hashes.length,
      last,
      hasMore: usedUp(heads, chained.heads, share),
      broken: [...overtaken, ...chained.broken],
    }
  })
}

function usedUp(before: readonly Head[], after: readonly Head[], share: number): boolean {
  const from = new Map(before.map((head) => [head.resellerId, head.sequence]))
  return after.some((head) => head.sequence - (from.get(head.resellerId) ?? 0n) === BigInt(share))
}

function overtakenBreak({ resellerId, sequence }: HeadBehind): ChainBreak {
  return { resellerId, sequence: sequence + 1n, text: 'it has a hash, and the head does not know of it' }
}
