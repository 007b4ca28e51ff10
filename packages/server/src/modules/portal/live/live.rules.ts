import type { LiveRow } from '../../events/live/live.types.ts'
import type { EventData } from '../../events/types.ts'

/** Changes of an account that its open pages are told, each thing once with its newest state. */
export type AccountChanges = {
  readonly paymentIds: readonly bigint[]
  /** Balance after the newest movement; undefined: none moved. */
  readonly balance: { readonly amount: bigint; readonly at: Date } | undefined
  /** Threshold that was crossed downwards; undefined: none was. */
  readonly threshold: bigint | undefined
  readonly hasNewCatalog: boolean
  /** Orders of the checkout that have ended. */
  readonly endedOrders: number
  readonly troubles: readonly OwnChange[]
  readonly cases: readonly OwnChange[]
  /** Deposit requests that were refused. An accepted one is told as a movement of the balance. */
  readonly refusals: readonly OwnChange[]
}

export type OwnChange = { readonly type: string; readonly data: EventData; readonly at: Date }

const TROUBLES = new Set(['delivery.failed', 'endpoint.paused'])

/** Sums up new rows of a feed, in their order. */
export function changesOf(rows: readonly LiveRow[]): AccountChanges {
  const paymentIds = new Set<bigint>()
  const cases = new Map<unknown, OwnChange>()
  const others: OwnChange[] = []
  let balance: AccountChanges['balance']
  let threshold: bigint | undefined
  let hasNewCatalog = false
  let endedOrders = 0
  for (const row of rows) {
    const { source, type, at } = row
    if (source === 'taken' || source === 'moved' || source === 'refunded') paymentIds.add(row.subject)
    if (source === 'catalog') hasNewCatalog = true
    if (source === 'order') endedOrders += 1
    // A payment's state names a balance too, but as it was at another time.
    if (source !== 'moved' && row.amount !== null && row.balance !== null) {
      balance = { amount: row.balance, at }
    }
    if (source !== 'own' || type === null) continue
    const change = { type, data: row.data ?? {}, at }
    if (type === 'balance.low') threshold = unitsOf(change.data.threshold)
    else if (type.startsWith('case.')) cases.set(change.data.number, change)
    else others.push(change)
  }
  return {
    paymentIds: [...paymentIds],
    balance,
    threshold,
    hasNewCatalog,
    endedOrders,
    troubles: others.filter(({ type }) => TROUBLES.has(type)),
    cases: [...cases.values()],
    refusals: others.filter(({ type }) => type === 'deposit.refused'),
  }
}

/** Reads a number that jsonb gives back for a bigint: it is exact far beyond any wallet. */
function unitsOf(value: unknown): bigint | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : undefined
}
