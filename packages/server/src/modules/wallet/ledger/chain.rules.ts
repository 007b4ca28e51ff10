import type { HmacKey } from '../../../lib/secrets/hmac.ts'
import { hmacSha256 } from '../../../lib/secrets/hmac.ts'
import type { ChainBreak, ChainedEntry, EntryHash, Head } from './chain.types.ts'

const FORMAT = 'warung ledger 1'

/** Hash before the first entry of a wallet. It need not contain the reseller, because every entry does. */
export const CHAIN_START: Buffer = Buffer.alloc(32)

/**
 * Encodes an entry. Each value follows its length in bytes, so that no two entries have the same text. An absent value
 * has its own sign. Times are in microseconds, as in the database.
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

/** Hashes an entry together with the hash before it, with a key that is not in the database. */
export function hashEntry(key: HmacKey, entry: ChainedEntry, previous: Buffer): Buffer {
  return hmacSha256(key, canonicalEntry(entry), previous)
}

export type Chained = {
  readonly hashes: readonly EntryHash[]
  /** New heads of the wallets that were chained further. */
  readonly heads: readonly Head[]
  /** Wallets whose next entry does not follow their head. */
  readonly broken: readonly ChainBreak[]
}

/** Chains the entries after the heads. Entries are in order. A wallet with a gap stops there; the others continue. */
export function extendChains(
  key: HmacKey,
  heads: readonly Head[],
  entries: readonly ChainedEntry[],
): Chained {
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
