import { randomUUID } from 'node:crypto'
import type { Database, Tx } from '../db/database.ts'
import { joined } from '../db/joined.ts'
import type { Vault } from '../db/vault.ts'
import { dayOf, startOfDayMs } from '../lib/dates.ts'
import { assert } from '../lib/errors.ts'
import type { Amount } from '../lib/money.ts'
import { UNITS_PER_RINGGIT } from '../lib/money.ts'
import type { Reseller } from '../modules/accounts/types.ts'
import type { Caller } from '../modules/auth/types.ts'
import { takeCase, writeMessage } from '../modules/cases/operators.service.ts'
import { createCases } from '../modules/cases/service.ts'
import { reportTransfer } from '../modules/deposits/service.ts'
import type { BackfilledPayment } from '../modules/payments/reports/backfill.service.ts'
import { insertBackfill } from '../modules/payments/reports/backfill.service.ts'
import type { BackfilledMovement } from '../modules/wallet/balance/backfill.service.ts'
import { createThresholds } from '../modules/wallet/balance/thresholds.service.ts'
import type { World } from './history.ts'
import { DAYS } from './history.ts'
import type { Weights } from './payments.ts'
import { judgeOrder, makePayments, shopTime } from './payments.ts'
import { randomFrom } from './random.ts'
import { printSlip } from './slip.ts'
import { providerOf } from './supplier.ts'

// The shop in whose name a visitor looks around: small, busy today as on every day, and with a little of everything
// that asks for a person. Programs use the other two resellers, whose money does not run out.

export type SeededShop = {
  readonly reseller: Reseller
  /** API key that paid. */
  readonly memberId: string
  readonly admin: { readonly userId: bigint; readonly username: string }
}

/** Parts of the runtime that the shop needs. */
type Parts = { readonly database: Database; readonly vault: Vault }

/** Writes the shop's past, and today as far as it has come. Returns its payments. */
export async function seedShopHistory(
  tx: Tx,
  { vault }: Pick<Parts, 'vault'>,
  world: World,
  { reseller, memberId }: SeededShop,
): Promise<BackfilledPayment[]> {
  const payments = await listPayments(world, reseller, memberId)
  await insertBackfill(tx, vault, {
    resellerId: reseller.id,
    payments,
    otherMovements: listDeposits(payments, dayOf(world.nowMs)),
  })
  return payments
}

// ── Payments ──

const SEED = 20_260_901
const PREFIX = 'KS'
const PAYMENTS_PER_DAY = 24
const USUAL_MAX: Amount = 40n * UNITS_PER_RINGGIT
const MINUTE_MS = 60_000

/** Small sums: a shop at a corner sells reloads, and seldom a gift card. */
const WEIGHTS: Weights = { reload: 14, mobile_data: 4, pin: 3, electricity: 1, bill_payment: 1, game: 1 }
const SOLD_SELDOM: Weights = { student_loan: 0, gift_card: 0, voucher: 0, esim: 0, other: 0 }

async function listPayments(
  { snapshotFor, nowMs }: World,
  reseller: Reseller,
  memberId: string,
): Promise<BackfilledPayment[]> {
  const random = randomFrom(SEED)
  const snapshot = snapshotFor(reseller)
  const today = dayOf(nowMs)
  const times = Array.from({ length: (DAYS + 1) * PAYMENTS_PER_DAY }, (_, index) =>
    shopTime(today - Math.floor(index / PAYMENTS_PER_DAY), random),
  )
    .filter((time) => time < nowMs - MINUTE_MS)
    .sort((a, b) => a - b)
  const weights = { ...WEIGHTS, ...SOLD_SELDOM }
  const plan = { memberId, prefix: PREFIX, weights, usualMax: USUAL_MAX, times, endMs: nowMs }
  const payments = await makePayments(plan, snapshot, random)
  const product = snapshot.products.get(STUCK.product)
  assert(product !== undefined, 'the shop sells what is stuck')
  const at = startOfDayMs(today) - STUCK_SINCE_MS
  payments.push({
    ...(await judgeOrder(product, STUCK, `${PREFIX}-00000`, 'Counter 1')),
    provider: providerOf(STUCK.product),
    sender: '203.0.113.10',
    memberId,
    createdAt: new Date(at),
    steps: [{ kind: 'processing', at: new Date(at + UNANSWERED_AFTER_MS) }],
  })
  return payments
}

/** Payment to staging's account that its provider never answers about. */
const STUCK = { product: 'KITA', account: '60123453003', amount: '50', extras: {} } as const
/** Yesterday at twenty to nine in the evening, so that its due time is over at any time of today. */
const STUCK_SINCE_MS = 200 * MINUTE_MS
const UNANSWERED_AFTER_MS = 10_000

// ── Money ──

const LASTS_DAYS = 9n
const RATE_DAYS = 7
const WEEK_DAYS = 7
const WEEKS = 4
const OPENS_MS = 7 * 60 * MINUTE_MS
const ROUND: Amount = 10n * UNITS_PER_RINGGIT

/**
 * Lists round deposits, one a week, that leave what the shop spends in nine days at the rate of its last seven whole
 * days.
 */
function listDeposits(payments: readonly BackfilledPayment[], today: number): BackfilledMovement[] {
  const spentFrom = (fromDay: number, untilDay: number) =>
    payments
      .filter(({ createdAt }) => {
        const day = dayOf(createdAt.getTime())
        return day >= fromDay && day < untilDay
      })
      .filter(({ steps }) => steps.at(-1)?.kind === 'succeeded' || steps.at(-1)?.kind === 'processing')
      .reduce((sum, { decision }) => sum + decision.cost, 0n)
  const firstDay = today - DAYS
  const weekly = Array.from({ length: WEEKS }, (_, week) => {
    const from = firstDay + (week + 1) * WEEK_DAYS
    return { day: from, amount: roundUp(spentFrom(from - WEEK_DAYS, from)) }
  })
  const end = (spentFrom(today - RATE_DAYS, today) * LASTS_DAYS) / BigInt(RATE_DAYS)
  const deposited = weekly.reduce((sum, { amount }) => sum + amount, 0n)
  const opening = { day: firstDay, amount: roundUp(end + spentFrom(firstDay, today + 1) - deposited) }
  return [opening, ...weekly].map(({ day, amount }) => ({
    kind: 'deposit',
    amount,
    remarks: 'Bank transfer',
    paymentId: null,
    at: new Date(startOfDayMs(day) + OPENS_MS),
  }))
}

function roundUp(amount: Amount): Amount {
  return ((amount + ROUND - 1n) / ROUND) * ROUND
}

// ── Work for a person ──

const WARNS_BELOW: Amount = 1_000n * UNITS_PER_RINGGIT
const TRANSFER = { amount: 1_500n * UNITS_PER_RINGGIT, bankReference: 'KS-4711' } as const

/** Adds a threshold, two cases, and a transfer that nobody has credited yet. */
export async function seedShopWork(
  tx: Tx,
  { database, vault }: Parts,
  { nowMs }: World,
  { reseller, memberId, admin }: SeededShop,
  payments: readonly BackfilledPayment[],
): Promise<void> {
  const within = joined(tx, database)
  await createThresholds(within).set(reseller, WARNS_BELOW)
  const nothing = (): never => {
    throw new Error('a dispute asks nothing about its product')
  }
  const cases = createCases({
    database: within,
    vault,
    catalog: { base: nothing },
    environment: 'staging',
    onCommitted: () => {},
  })
  const succeeded = payments.filter(({ steps }) => steps.at(-1)?.kind === 'succeeded').slice(-2)
  const caller: Caller = {
    reseller: { ...reseller, allowsAddress: () => true },
    kind: 'key',
    memberId,
    scopes: new Set(['support']),
  }
  const numbers: string[] = []
  for (const { request } of succeeded) {
    const payment = { refid: request.refid }
    const opened = await cases.open('dispute', caller, {
      payment,
      emails: [],
      refund: null,
      requestId: randomUUID(),
    })
    assert(opened.kind === 'opened', 'a success of the shop has no case yet')
    numbers.push(opened.number)
  }
  const [taken] = numbers
  assert(taken !== undefined, 'the shop has sold something')
  await takeCase({ database: within }, taken)
  await writeMessage({ database: within }, taken, 'We have asked the supplier for the proof of delivery.')
  const slip = printSlip([
    'BANK DEMO',
    'To: Warung',
    `From: ${reseller.name}`,
    'Reference: KS-4711',
    'MYR 1,500.00',
  ])
  await reportTransfer(
    tx,
    vault,
    { ...admin, reseller },
    { ...TRANSFER, transferredOn: dayOf(nowMs), note: 'Paid in at the counter' },
    { kind: 'pdf', bytes: slip },
  )
}
