import { setTimeout as delay } from 'node:timers/promises'
import type { LeaseClock } from '../../../db/lease-clock.ts'
import { claimLeased } from '../../../db/leases.ts'
import { createAlarm } from '../../../lib/alarm.ts'
import { createAwaitedPayments } from './awaited.service.ts'
import type { FulfilSettings } from './service.ts'
import { seeTo, termOf } from './service.ts'
import { nextLookMs } from './units.rules.ts'
import type { OrderWork } from './work.sql.ts'
import { claimOrders, lookAgain, lookNow } from './work.sql.ts'

export type FulfillingSettings = FulfilSettings & {
  readonly leaseMs: number
  readonly leaseClock: LeaseClock
  readonly everyMs?: number
}

export type Fulfilling = {
  /** Looks for due orders. To be called after an order was confirmed. */
  wake(): void
  /** Looks at the order of this payment, if this node waits for it. To be called after a payment moved. */
  noteMove(payment: { readonly resellerId: bigint; readonly id: bigint }): void
  /** Claims due orders now; resolves when they have been seen to, with their number. */
  runOnce(): Promise<number>
  stop(): Promise<void>
}

const EVERY_MS = 1_000
/** Limit of orders under way at the same time on one node; the others wait in the database. */
const UNDERWAY_MAX = 20
/** Limit of payments that a node remembers to be waiting for. The poll finds the others. */
const AWAITED_MAX = 10_000
const STOP_MAX_MS = 3_000

/** Times orders out and pays confirmed ones, on any node. An order that a node left behind is found by its lease. */
export function startFulfilling(settings: FulfillingSettings): Fulfilling {
  const { database, onProblem, everyMs = EVERY_MS } = settings
  const underway = new Set<Promise<void>>()
  const awaited = createAwaitedPayments(AWAITED_MAX)
  const alarm = createAlarm()
  let isStopped = false
  let isWoken = false

  function wake(): void {
    isWoken = true
    alarm.ring()
  }

  async function claimDue(): Promise<number> {
    const room = UNDERWAY_MAX - underway.size
    if (room <= 0) return 0
    const leased = await claimLeased(settings, room, (terms) => claimOrders(database, terms))
    for (const work of leased.work) {
      const seen: Promise<void> = seeTo(settings, work, termOf(settings, leased))
        .then((paymentIds) => awaited.remember(work, paymentIds))
        .catch((error) => putOff(settings, work, error))
        .finally(() => {
          underway.delete(seen)
          // More orders may be due than there was room for.
          if (leased.work.length === room) wake()
        })
      underway.add(seen)
    }
    return leased.work.length
  }

  async function run(): Promise<void> {
    while (!isStopped) {
      isWoken = false
      await claimDue().catch((error) => onProblem('orders could not be claimed; tried again soon', error))
      if (!isWoken && !isStopped) await alarm.sleep(everyMs)
    }
  }

  const running = run()
  return {
    wake,
    noteMove(payment) {
      const key = awaited.take(payment)
      if (key === undefined) return
      lookNow(database, key).then(wake, (error) => onProblem('an order waits for its next look', error))
    },
    async runOnce() {
      const claimed = await claimDue()
      await Promise.all(underway)
      return claimed
    },
    async stop() {
      isStopped = true
      alarm.end()
      await running
      await Promise.race([Promise.all(underway), delay(STOP_MAX_MS, undefined, { ref: false })])
    },
  }
}

/** Gives an order back after an error. If that fails too, its lease ends by itself. */
async function putOff({ database, onProblem }: FulfillingSettings, work: OrderWork, error: unknown) {
  onProblem(`order ${work.id} of reseller ${work.resellerId} is left for the next look`, error)
  await lookAgain(database, work, nextLookMs(work.looks)).catch(() => {})
}
