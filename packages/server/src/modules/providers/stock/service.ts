import type { GroupCommit } from '../../../db/commits/group-commit.ts'
import { createGroupCommit } from '../../../db/commits/group-commit.ts'
import type { Database } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import type { OnProblem } from '../../../lib/observing/payment-stages.ts'
import type { ConnectorKind } from '../connections/connections.types.ts'
import type { Order, Outcome, Provider } from '../port/types.ts'
import { isOver, UNSENT } from '../port/unsent.service.ts'
import { openWithFreshKeys } from './keys.service.ts'
import { contextOf, outputOf, paymentIdOf, unpackContent } from './rules.ts'
import { listSold } from './sql.ts'
import type { SoldItem } from './types.ts'

export type StockSettings = {
  database: Database
  vault: Vault
  onProblem: OnProblem
}

export const STOCK_KIND = 'stock'

/** Has nothing to configure: every connection of this kind sells from the same stock. */
export function createStockKind(settings: StockSettings): ConnectorKind {
  return {
    kind: STOCK_KIND,
    check(config, secrets) {
      const isPlain = typeof config === 'object' && config !== null && !Array.isArray(config)
      if (!isPlain) return [{ path: '', message: 'must be an object' }]
      return [
        ...Object.keys(config).map((path) => ({ path, message: 'the stock has no such setting' })),
        ...Object.keys(secrets).map((name) => ({
          path: `secrets.${name}`,
          message: 'the stock has no secrets',
        })),
      ]
    },
    create: ({ code }) => createStockProvider({ code, ...settings }),
  }
}

const TIMEOUT_MS = 2_000
const CONCURRENCY_MAX = 512

type Reads = GroupCommit<bigint, SoldItem | undefined>

/**
 * Offers our own stock as a provider. The commit that took the payment also bound an item to it, so an order only
 * reads which one: it can be repeated at will and always gives the same answer.
 */
export function createStockProvider(settings: StockSettings & { code: string }): Provider {
  const reads = openReads(settings.database)
  const readItem = (order: Order, signal: AbortSignal) => unlessAborted(signal, find(settings, reads, order))
  return {
    code: settings.code,
    submitTimeoutMs: TIMEOUT_MS,
    queryTimeoutMs: TIMEOUT_MS,
    // No item is ever bound after the commit that takes the payment.
    notFoundProvesAfterMs: 0,
    repeatsReference: true,
    concurrencyMax: CONCURRENCY_MAX,
    ratePerSecond: null,
    reservesStock: true,
    async submit(order, signal, notAfterMs) {
      if (isOver(notAfterMs)) return UNSENT
      const answer = await readItem(order, signal)
      return answer.kind === 'not_found'
        ? { kind: 'not_acted', code: 45, reason: 'no item of the stock was reserved for this payment' }
        : answer
    },
    query: readItem,
    voids: {
      requestVoid: async () => ({
        kind: 'refused',
        reason: 'a PIN that may have been seen cannot be taken back',
      }),
    },
  }
}

const BATCH_MAX = 256
const QUEUE_MAX = 20_000
const LANES = 2

/** Reads orders that arrive together in one statement. */
function openReads(database: Database): Reads {
  return createGroupCommit({
    name: 'stock',
    batchMax: BATCH_MAX,
    queueMax: QUEUE_MAX,
    lanes: LANES,
    async execute(paymentIds) {
      const sold = await listSold(database, paymentIds)
      return paymentIds.map((id) => sold.get(id))
    },
  })
}

type ItemAnswer = Outcome | { readonly kind: 'not_found' }

async function find(
  { vault, onProblem }: StockSettings,
  reads: Reads,
  { reference }: Order,
): Promise<ItemAnswer> {
  const paymentId = paymentIdOf(reference)
  if (paymentId === undefined) return { kind: 'not_found' }
  try {
    const item = await reads.submit(paymentId)
    if (item === undefined) return { kind: 'not_found' }
    const packed = await openWithFreshKeys(vault, contextOf(item.fingerprint), item.sealed)
    return { kind: 'succeeded', output: outputOf(unpackContent(packed), item.expiry) }
  } catch (error) {
    onProblem(`the item of payment ${paymentId} could not be read`, error, { paymentId })
    return { kind: 'unknown', reason: 'the stock could not be read' }
  }
}

function unlessAborted(signal: AbortSignal, answer: Promise<ItemAnswer>): Promise<ItemAnswer> {
  const gaveUp: ItemAnswer = { kind: 'unknown', reason: 'the stock was not read in time' }
  if (signal.aborted) return Promise.resolve(gaveUp)
  return new Promise((resolve) => {
    const giveUp = () => resolve(gaveUp)
    signal.addEventListener('abort', giveUp, { once: true })
    void answer.then((read) => {
      signal.removeEventListener('abort', giveUp)
      resolve(read)
    })
  })
}
