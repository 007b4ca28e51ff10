import type { Database } from '../../db/database.ts'
import type { AddressLimiter, Admission } from '../../http/intake/limits.ts'
import type { Network } from '../../lib/addresses.ts'
import { isInNetworks, networkOf, parseAddress } from '../../lib/addresses.ts'
import { invalidFields, RequestError } from '../../lib/errors.ts'
import {
  addCounts,
  deleteBlock,
  insertBlock,
  listActiveBlocks,
  listBlocks,
  sweepAddresses,
} from './addresses.sql.ts'
import type { AddressBlock } from './addresses.types.ts'

export type LimiterOptions = {
  database: Database
  limit: number
  blockMinutes: number
  exempt: readonly Network[]
  onProblem: (text: string, error: unknown) => void
}

export type Limiter = AddressLimiter & {
  /** Shares this node's counts, and reads the other nodes' counts and the blocks. */
  synchronize(): Promise<void>
  sweep(): Promise<void>
  close(): Promise<void>
}

export const WINDOW_SECONDS = 300
const WINDOW_MS = WINDOW_SECONDS * 1_000
const SYNCHRONIZE_MS = 250
/**
 * Exchanges between two readings of the blocks while this node knows of none. A network that another node has blocked
 * is found by its count, which every exchange brings; a lifted block needs a reading, and this node then knows of one.
 */
const READ_BLOCKS_EVERY = 4
const ADDRESSES_MAX = 100_000
const BLOCKS_MAX = 100_000

/**
 * Window of a network, in monotonic times. The database's clock decides windows and blocks; a node only counts down to
 * them.
 */
type Window = { startedMs: number; shared: number; unshared: number }
type Block = { untilMs: number /** false until the database has it */; shared: boolean }

/**
 * Limits requests by network (`networkOf`): an IPv4 address, or a /64 of IPv6. It counts in memory and shares the
 * counts four times a second, so that no request waits for the database. Several nodes together may therefore admit too
 * many requests for a quarter of a second; one node alone admits none too many. The request that crosses the limit
 * waits until its block is written, so that a restart cannot lose the block.
 */
export async function openLimiter(options: LimiterOptions): Promise<Limiter> {
  const { database, limit } = options
  const counts: Counts = { options, windows: new Map(), blocks: new Map() }
  const isExempt = rememberExempt(options.exempt)
  let sharing: Promise<void> | undefined
  let synchronizing: Promise<void> | undefined
  let exchanges = 0

  async function exchange(): Promise<void> {
    // Counts that are sent twice at once would count twice.
    await sharing?.catch(() => {})
    await exchangeCounts(counts)
    await exchangeBlocks(counts)
  }

  function synchronize(): Promise<void> {
    synchronizing ??= exchange().finally(() => {
      synchronizing = undefined
    })
    return synchronizing
  }

  function exchangeAtInterval(): Promise<void> {
    exchanges += 1
    if (counts.blocks.size > 0 || exchanges % READ_BLOCKS_EVERY === 0) return synchronize()
    sharing ??= (synchronizing ?? exchangeCounts(counts)).finally(() => {
      sharing = undefined
    })
    return sharing
  }

  await synchronize()
  const timer = setInterval(() => {
    exchangeAtInterval().catch((error) =>
      options.onProblem('request counts could not be shared with the other nodes; tried again soon', error),
    )
  }, SYNCHRONIZE_MS)
  timer.unref()

  return {
    admit: (address) => (isExempt(address) ? unlimited(limit) : count(counts, networkOf(address))),
    peek(address) {
      const now = performance.now()
      const network = networkOf(address)
      const existing = blockOf(counts, network, now)
      if (existing !== undefined) return blocked(limit, existing, now)
      const window = counts.windows.get(network)
      return window === undefined
        ? unlimited(limit)
        : admitted(limit, window.shared + window.unshared, window, now)
    },
    synchronize,
    sweep: () => sweepAddresses(database, WINDOW_SECONDS),
    async close() {
      clearInterval(timer)
      await (synchronizing ?? sharing)?.catch(() => {})
      await synchronize().catch(() => {})
    },
  }
}

/** Counts and blocks of one node, by network. */
type Counts = {
  readonly options: LimiterOptions
  readonly windows: Map<string, Window>
  readonly blocks: Map<string, Block>
}

/** Counts one request of the network. */
function count(counts: Counts, network: string): Admission | Promise<Admission> {
  const { limit } = counts.options
  const now = performance.now()
  const existing = blockOf(counts, network, now)
  if (existing !== undefined) return blocked(limit, existing, now)
  const window = windowOf(counts, network, now)
  window.unshared += 1
  const requests = window.shared + window.unshared
  if (requests > limit) return block(counts, network, requests)
  return admitted(limit, requests, window, now)
}

function windowOf({ windows }: Counts, address: string, now: number): Window {
  const existing = windows.get(address)
  if (existing !== undefined && now - existing.startedMs < WINDOW_MS) return existing
  if (windows.size >= ADDRESSES_MAX) forgetOldest(windows)
  const fresh = { startedMs: now, shared: 0, unshared: 0 }
  windows.delete(address)
  windows.set(address, fresh)
  return fresh
}

function blockOf({ windows, blocks }: Counts, address: string, now: number): Block | undefined {
  const found = blocks.get(address)
  if (found === undefined || found.untilMs > now) return found
  blocks.delete(address)
  windows.delete(address)
  return undefined
}

async function block({ options, blocks }: Counts, address: string, requests: number): Promise<Admission> {
  const { database, limit, blockMinutes } = options
  const local: Block = { untilMs: performance.now() + blockMinutes * 60_000, shared: false }
  blocks.set(address, local)
  try {
    const remainingMs = await insertBlock(database, { address, requests, minutes: blockMinutes })
    local.untilMs = performance.now() + remainingMs
    local.shared = true
  } catch (error) {
    options.onProblem(`the block of ${address} is not shared yet`, error)
  }
  return blocked(limit, local, performance.now())
}

async function exchangeCounts(counts: Counts): Promise<void> {
  const { options, windows, blocks } = counts
  const now = performance.now()
  const sending = new Map<string, number>()
  for (const [address, window] of windows) {
    if (now - window.startedMs >= WINDOW_MS) windows.delete(address)
    else if (window.unshared > 0) sending.set(address, window.unshared)
  }
  if (sending.size === 0) return
  const sent = [...sending].map(([address, requests]) => ({
    address,
    requests,
    windowAgeMs: now - (windows.get(address)?.startedMs ?? now),
  }))
  for (const total of await addCounts(options.database, sent, WINDOW_SECONDS)) {
    const window = windows.get(total.address)
    if (window === undefined) continue
    window.unshared -= sending.get(total.address) ?? 0
    window.shared = total.requests
    window.startedMs = performance.now() - total.windowAgeMs
    if (total.requests > options.limit && !blocks.has(total.address)) {
      await block(counts, total.address, total.requests)
    }
  }
}

async function exchangeBlocks(counts: Counts): Promise<void> {
  const { options, windows, blocks } = counts
  for (const [address, local] of blocks) {
    if (local.shared) continue
    const window = windows.get(address)
    await block(counts, address, (window?.shared ?? 0) + (window?.unshared ?? 0))
  }
  const sharedBefore = new Set([...blocks].filter(([, each]) => each.shared).map(([address]) => address))
  const active = await listActiveBlocks(options.database, BLOCKS_MAX)
  const now = performance.now()
  for (const { address, remainingMs } of active) {
    sharedBefore.delete(address)
    blocks.set(address, { untilMs: now + remainingMs, shared: true })
  }
  // A block that the database had before and no longer has was lifted.
  for (const address of sharedBefore) {
    blocks.delete(address)
    windows.delete(address)
  }
}

/** Matches each address once and keeps the result: matching networks costs more than the rest of the admission. */
function rememberExempt(exempt: readonly Network[]): (address: string) => boolean {
  if (exempt.length === 0) return () => false
  const known = new Map<string, boolean>()
  return (address) => {
    const remembered = known.get(address)
    if (remembered !== undefined) return remembered
    if (known.size >= ADDRESSES_MAX) known.clear()
    const found = isInNetworks(address, exempt)
    known.set(address, found)
    return found
  }
}

function admitted(limit: number, requests: number, window: Window, now: number): Admission {
  const resetMs = Math.max(0, window.startedMs + WINDOW_MS - now)
  return {
    limit,
    remaining: Math.max(0, limit - requests),
    resetSeconds: Math.ceil(resetMs / 1_000),
    blockedForSeconds: 0,
  }
}

function blocked(limit: number, block: Block, now: number): Admission {
  const seconds = Math.max(1, Math.ceil((block.untilMs - now) / 1_000))
  return { limit, remaining: 0, resetSeconds: seconds, blockedForSeconds: seconds }
}

function unlimited(limit: number): Admission {
  return { limit, remaining: limit, resetSeconds: WINDOW_SECONDS, blockedForSeconds: 0 }
}

function forgetOldest(windows: Map<string, Window>): void {
  const oldest = windows.keys().next()
  if (oldest.done !== true) windows.delete(oldest.value)
}

const LIST_MAX = 1_000

/** Lists the networks blocked now, the newest first: IPv4 addresses, and /64s of IPv6. */
export function listBlockedAddresses(database: Database): Promise<AddressBlock[]> {
  return listBlocks(database, LIST_MAX)
}

/**
 * Lifts the block of the network to which an address belongs, and returns it as it was. The network itself may be given
 * too, as the list shows it. Every node admits it again within a second.
 */
export async function liftBlock(database: Database, address: string): Promise<AddressBlock> {
  const network = readNetwork(address)
  const lifted = await deleteBlock(database, network)
  if (lifted !== undefined) return lifted
  throw new RequestError({ status: 404, code: 'not_found', publicText: `${network} is not blocked.` })
}

/** Network to which an address belongs. Answers 400 for a text that is neither an address nor such a network. */
function readNetwork(text: string): string {
  const address = text.trim().replace(/\/(?:32|64)$/, '')
  const found = parseAddress(address)
  const length = text.trim().slice(address.length)
  const isWhole = length === '' || length === (found?.kind() === 'ipv4' ? '/32' : '/64')
  if (found !== undefined && isWhole) return networkOf(address)
  throw invalidFields({ address: ['The address must be an IPv4 or IPv6 address, or an IPv6 /64.'] })
}
