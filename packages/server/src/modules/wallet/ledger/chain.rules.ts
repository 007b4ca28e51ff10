import { createHmac } from 'node:crypto'
import type { ChainBreak, ChainedEntry, EntryHash, Head } from './chain.types.ts'

const FORMAT = 'warung ledger 1'

/** What the first entry of a wallet follows on. The reseller is in every entry, so it need not be in here. */
export const CHAIN_START: Buffer = Buffer.alloc(32)

/**
 * Each value with its length in bytes before it, so that no two entries read the same; what is absent has a sign
 * of its own. Times are in microseconds, as the database keeps them.
 */
export function canonicalEntry(entry: ChainedEntry): string {
  return (
    lengthed(FORMAT) +
    lengthed(entry.resellerId) +
    lengthed(entry.sequence) +
    lengthed(entry.kind) +
    lengthed(entry.houseAccount) +
    lengthed(entry.amount) +
    lengthed(entry.balanceAfter) +
    lengthed(entry.paymentId) +
    lengthed(entry.reference) +
    lengthed(entry.remarks) +
    lengthed(entry.createdAtMicros)
  )
}

function lengthed(value: string | bigint | null): string {
  if (value === null) return '-,'
  const text = String(value)
  return `${Buffer.byteLength(text)}:${text},`
}

/** The hash of an entry: over all of it and over the hash before it, under a key that is not in the database. */
export function hashEntry(key: Buffer, entry: ChainedEntry, previous: Buffer): Buffer {
  return createHmac('sha256', key).update(canonicalEntry(entry), 'utf8').update(previous).digest()
}

export type Chained = {
  readonly hashes: readonly EntryHash[]
  /** Where the wallets that got on stand now. */
  readonly heads: readonly Head[]
  /** Wallets whose next entry does not follow on their head. */
  readonly broken: readonly ChainBreak[]
}

/** Goes on from the heads. Entries are in order; a wallet with a gap stays where it is, and the others go on. */
export function chainOn(key: Buffer, heads: readonly Head[], entries: readonly ChainedEntry[]): Chained {
  const last = new Map(heads.map((head) => [head.resellerId, head]))
  const moved = new Set<bigint>()
  const broken = new Map<bigint, ChainBreak>()
  const hashes: EntryHash[] = []
  for (const entry of entries) {
    const { resellerId, sequence } = entry
    const before = last.get(resellerId)
    if (before === undefined || broken.has(resellerId)) continue
    if (sequence !== before.sequence + 1n) {
      broken.set(resellerId, { resellerId, sequence: before.sequence + 1n, text: 'the entry is missing' })
      continue
    }
    const next = { resellerId, sequence, hash: hashEntry(key, entry, before.hash) }
    last.set(resellerId, next)
    moved.add(resellerId)
    hashes.push(next)
  }
  return {
    hashes,
    heads: [...last.values()].filter((head) => moved.has(head.resellerId)),
    broken: [...broken.values()],
  }
}
