import type { Tx } from '../db/database.ts'
import type { Vault } from '../db/vault.ts'
import { dayOf, startOfDayMs } from '../lib/dates.ts'
import type { Amount } from '../lib/money.ts'
import { UNITS_PER_RINGGIT } from '../lib/money.ts'
import type { Reseller } from '../modules/accounts/types.ts'
import type { Snapshot } from '../modules/catalog/model/types.ts'
import { loadCatalog } from '../modules/catalog/store/load.service.ts'
import { openSnapshotCache } from '../modules/catalog/store/snapshot-cache.service.ts'
import type { BackfilledPayment } from '../modules/payments/reports/backfill.service.ts'
import { insertBackfill, readNow } from '../modules/payments/reports/backfill.service.ts'
import type { BackfilledMovement } from '../modules/wallet/balance/backfill.service.ts'
import { makePayments, shopTime } from './payments.ts'
import type { Random } from './random.ts'
import { randomFrom } from './random.ts'

/** One reseller's month of payments, and its size. */
export type DemoHistory = {
  readonly reseller: Reseller
  /** API key that paid. */
  readonly memberId: string
  /** Prefix of the refids. */
  readonly prefix: string
  readonly paymentCount: number
  /** Deposits of the first day. Their sum is also the wallet's balance at the end. */
  readonly deposits: readonly Amount[]
}

/** World in which a past is written: what each reseller can buy, and the time by the database's clock. */
export type World = { readonly snapshotFor: (reseller: Reseller) => Snapshot; readonly nowMs: number }

export async function readWorld(tx: Tx): Promise<World> {
  const state = await loadCatalog(tx)
  const cache = openSnapshotCache()
  const now = await readNow(tx)
  return { snapshotFor: (reseller) => cache.snapshotFor(state, reseller), nowMs: now.getTime() }
}

/**
 * Writes a month that ends with yesterday, so that today is empty for the visitor. Every seeding writes the
 * same month, except for its dates. Returns its payments.
 */
export async function seedDemoHistory(
  tx: Tx,
  vault: Vault,
  { snapshotFor, nowMs }: World,
  histories: readonly DemoHistory[],
): Promise<BackfilledPayment[]> {
  const today = dayOf(nowMs)
  const all: BackfilledPayment[] = []
  for (const [index, history] of histories.entries()) {
    const payments = await listPayments(
      history,
      snapshotFor(history.reseller),
      today,
      randomFrom(SEED + index),
    )
    await insertBackfill(tx, vault, {
      resellerId: history.reseller.id,
      payments,
      otherMovements: listMovements(history.deposits, payments, today),
    })
    all.push(...payments)
  }
  return all
}

const SEED = 20_260_801
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Days of history: all of them are within the last thirty days at any time of today. */
export const DAYS = 29

async function listPayments(
  { memberId, prefix, paymentCount }: DemoHistory,
  snapshot: Snapshot,
  today: number,
  random: Random,
): Promise<BackfilledPayment[]> {
  const times = Array.from({ length: paymentCount }, () => shopTime(today - 1 - random(DAYS), random))
  const endMs = startOfDayMs(today)
  return makePayments({ memberId, prefix, times: times.sort((a, b) => a - b), endMs }, snapshot, random)
}

// ── Other movements ──

const FIRST_DEPOSIT_MS = 7 * HOUR_MS
const WEEKLY_MS = 7 * HOUR_MS + 30 * MINUTE_MS
const WEEKLY_AFTER_DAYS = [7, 14, 21, 28]
const WEEKLY_STEP: Amount = 50n * UNITS_PER_RINGGIT
const COMMISSION_AFTER_DAYS = 24

/**
 * Lists the opening deposits and the movements that bring the wallet back to its first balance: round weekly
 * deposits for nearly all of the spending, and a commission for the rest.
 */
function listMovements(
  deposits: readonly Amount[],
  payments: readonly BackfilledPayment[],
  today: number,
): BackfilledMovement[] {
  const spent = payments
    .filter(({ steps }) => steps.at(-1)?.kind === 'succeeded')
    .reduce((sum, { decision }) => sum + decision.cost, 0n)
  const weeks = BigInt(WEEKLY_AFTER_DAYS.length)
  const weekly = ((spent - 1n) / (weeks * WEEKLY_STEP)) * WEEKLY_STEP
  const firstDay = today - DAYS
  const on = (day: number, timeMs: number) => ({ paymentId: null, at: new Date(startOfDayMs(day) + timeMs) })
  return [
    ...deposits.map(
      (amount): BackfilledMovement => ({
        kind: 'deposit',
        amount,
        remarks: 'Demo deposit',
        ...on(firstDay, FIRST_DEPOSIT_MS),
      }),
    ),
    ...WEEKLY_AFTER_DAYS.map(
      (days): BackfilledMovement => ({
        kind: 'deposit',
        amount: weekly,
        remarks: 'Weekly deposit',
        ...on(firstDay + days, WEEKLY_MS),
      }),
    ),
    {
      kind: 'commission',
      amount: spent - weeks * weekly,
      remarks: 'Commission',
      ...on(firstDay + COMMISSION_AFTER_DAYS, WEEKLY_MS),
    },
  ]
}
