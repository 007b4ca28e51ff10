import { networkOf } from '../../lib/addresses.ts'

/** Largest small body. Larger bodies are read only from known callers, and are counted separately. */
export const SMALL_BODY_BYTES = 64 * 1024
/**
 * Largest body that is not counted, so that no flood of larger ones keeps payments out and the usual request pays
 * nothing. The number of connections bounds them: 20,000 hold 80 MiB.
 */
export const UNCOUNTED_BYTES = 4 * 1024

const MIB = 1024 * 1024

export type BudgetLimits = {
  /** Limit for the bodies of all requests under way together. */
  readonly bytes: number
  /** Part of it that bodies over SMALL_BODY_BYTES may take. The rest is a reserve for small ones. */
  readonly largeBytes: number
  /** Limits, total and large, for the bodies of one sender: an IPv4 address, or an IPv6 /64. */
  readonly senderBytes: number
  readonly senderLargeBytes: number
}

export const BUDGET_LIMITS: BudgetLimits = {
  bytes: 256 * MIB,
  largeBytes: 192 * MIB,
  senderBytes: 64 * MIB,
  senderLargeBytes: 48 * MIB,
}

/** Memory that one body takes. */
export type Holding = { readonly address: string; bytes: number }

/** Counts the memory that the bodies of all requests under way take, as they arrive, whatever size was announced. */
export type BodyBudget = {
  /** Lets a body take `bytes` in total. Returns the reason for the log when there is no room for it. */
  grow(holding: Holding, bytes: number): string | undefined
  release(holding: Holding): void
}

type Count = { bytes: number; largeBytes: number }

const NOTHING: Count = { bytes: 0, largeBytes: 0 }

export function createBodyBudget(limits: BudgetLimits = BUDGET_LIMITS): BodyBudget {
  const total = { ...NOTHING }
  const senders = new Map<string, Count>()

  function move(network: string, added: Count): void {
    const sender = senders.get(network) ?? { ...NOTHING }
    for (const count of [total, sender]) {
      count.bytes += added.bytes
      count.largeBytes += added.largeBytes
    }
    if (sender.bytes === 0) senders.delete(network)
    else senders.set(network, sender)
  }

  return {
    grow(holding, bytes) {
      if (bytes > UNCOUNTED_BYTES) {
        const network = networkOf(holding.address)
        const sender = senders.get(network) ?? NOTHING
        const added = difference(holding.bytes, bytes)
        if (!hasRoom(total, added, limits.bytes, limits.largeBytes)) {
          return `request bodies hold ${total.bytes} bytes, ${total.largeBytes} of them in large ones`
        }
        if (!hasRoom(sender, added, limits.senderBytes, limits.senderLargeBytes)) {
          return `request bodies of ${network} hold ${sender.bytes} bytes`
        }
        move(network, added)
      }
      holding.bytes = bytes
      return undefined
    },
    release(holding) {
      if (holding.bytes > UNCOUNTED_BYTES) move(networkOf(holding.address), difference(holding.bytes, 0))
      holding.bytes = 0
    },
  }
}

function hasRoom(count: Count, added: Count, bytesMax: number, largeBytesMax: number): boolean {
  if (count.bytes + added.bytes > bytesMax) return false
  return added.largeBytes <= 0 || count.largeBytes + added.largeBytes <= largeBytesMax
}

function difference(from: number, to: number): Count {
  return {
    bytes: counted(to) - counted(from),
    largeBytes: countedLarge(to) - countedLarge(from),
  }
}

const KIB = 1024

/** Formats a size for people: `64 kB`, `10 MB`. */
export function sizeText(bytes: number): string {
  return bytes < MIB ? `${bytes / KIB} kB` : `${bytes / MIB} MB`
}

function counted(bytes: number): number {
  return bytes > UNCOUNTED_BYTES ? bytes : 0
}

function countedLarge(bytes: number): number {
  return bytes > SMALL_BODY_BYTES ? bytes : 0
}
