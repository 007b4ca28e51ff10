import type { Tx } from '../db/database.ts'
import type { Vault } from '../db/vault.ts'
import { startOfDayMs } from '../lib/dates.ts'
import { assert } from '../lib/errors.ts'
import type { FailureCode } from '../lib/failure-codes.ts'
import type { Amount } from '../lib/money.ts'
import { UNITS_PER_RINGGIT } from '../lib/money.ts'
import type { Reseller } from '../modules/accounts/types.ts'
import type { EffectiveProduct, ProductKind, Snapshot } from '../modules/catalog/product/types.ts'
import { loadCatalog } from '../modules/catalog/store/load.service.ts'
import { openSnapshotCache } from '../modules/catalog/store/snapshot-cache.service.ts'
import { readPaymentRequest } from '../modules/payments/payment/request.rules.ts'
import type { Decision, PaymentRequest } from '../modules/payments/payment/types.ts'
import type { BackfilledPayment, BackfilledStep } from '../modules/payments/reports/backfill.service.ts'
import { insertBackfill, readToday } from '../modules/payments/reports/backfill.service.ts'
import type { JudgeInput } from '../modules/payments/take/judge.rules.ts'
import { findOptionsRequest, judge } from '../modules/payments/take/judge.rules.ts'
import { outputOf } from '../modules/providers/simulator/behaviour.rules.ts'
import { simulatedOptions } from '../modules/providers/simulator/options.rules.ts'
import type { BackfilledMovement } from '../modules/wallet/balance/backfill.service.ts'
import type { Customer, OrderBody } from './orders.ts'
import { fillOrder, makeCustomers } from './orders.ts'
import type { Random } from './random.ts'
import { pick, randomFrom } from './random.ts'
import { providerOf } from './supplier.ts'

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

/**
 * Writes a month that ends with yesterday, so that today is empty for the visitor. Every seeding writes the
 * same month, except for its dates. Returns its payments.
 */
export async function seedDemoHistory(
  tx: Tx,
  vault: Vault,
  histories: readonly DemoHistory[],
): Promise<BackfilledPayment[]> {
  const state = await loadCatalog(tx)
  const cache = openSnapshotCache()
  const today = await readToday(tx)
  const all: BackfilledPayment[] = []
  for (const [index, history] of histories.entries()) {
    const random = randomFrom(SEED + index)
    const snapshot = cache.snapshotFor(state, history.reseller)
    const payments = await listPayments(history, snapshot, today, random)
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
const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** Days of history: all of them are within the last thirty days at any time of today. */
const DAYS = 29
const OPENS_MS = 8 * HOUR_MS
const CLOSES_MS = 22 * HOUR_MS
const PAYMENTS_PER_CUSTOMER = 5

async function listPayments(
  history: DemoHistory,
  snapshot: Snapshot,
  today: number,
  random: Random,
): Promise<BackfilledPayment[]> {
  const shelf = listWeighted(snapshot)
  const customers = makeCustomers(Math.ceil(history.paymentCount / PAYMENTS_PER_CUSTOMER), random)
  const times = Array.from(
    { length: history.paymentCount },
    () => startOfDayMs(today - 1 - random(DAYS)) + OPENS_MS + random(CLOSES_MS - OPENS_MS),
  ).sort((a, b) => a - b)
  const payments: BackfilledPayment[] = []
  for (const [index, createdMs] of times.entries()) {
    const product = pick(shelf, random)
    const refid = `${history.prefix}-${String(index + 1).padStart(5, '0')}`
    const order = await judged(product, refid, pick(customers, random), random)
    payments.push({
      ...order,
      provider: providerOf(product.product.code),
      sender: `203.0.113.${10 + random(3)}`,
      memberId: history.memberId,
      createdAt: new Date(createdMs),
      steps: stepsOf(product, index, createdMs, startOfDayMs(today), random),
    })
  }
  return payments
}

// ── Purchases ──

const INTERRUPTED = 'FP'
const WEIGHTS: Partial<Record<ProductKind, number>> = {
  reload: 9,
  mobile_data: 4,
  electricity: 6,
  pin: 2,
}

/**
 * Lists the products that the account may buy; popular kinds appear several times, so that they are picked more
 * often.
 */
function listWeighted(snapshot: Snapshot): EffectiveProduct[] {
  return [...snapshot.products.values()]
    .filter((each) => each.isActive && each.product.code !== INTERRUPTED)
    .flatMap((each) => Array.from({ length: WEIGHTS[each.product.kind] ?? 1 }, () => each))
}

const REMARKS = ['', '', '', 'Counter 1', 'Counter 2']

/** Judges the request like every payment: a payment that the judge refuses cannot be in the history. */
async function judged(
  product: EffectiveProduct,
  refid: string,
  customer: Customer,
  random: Random,
): Promise<{ request: PaymentRequest; decision: Decision }> {
  const body: OrderBody = await fillOrder(product, customer, random)
  const read = readPaymentRequest({ ...body, refid, remarks: pick(REMARKS, random) })
  assert(read.kind === 'request', 'the demo writes readable requests')
  const { request } = read
  const input: JudgeInput = {
    request,
    reseller: { status: 'active', access: 0 },
    product,
    dynamicOptions: undefined,
    isStaging: true,
  }
  const judgement = judge({ ...input, dynamicOptions: await askProvider(input) })
  if (judgement.kind === 'rejected') {
    throw new Error(`the demo cannot buy ${body.product} for ${body.amount}: ${judgement.rejection.message}`)
  }
  return { request, decision: judgement.decision }
}

async function askProvider(input: JudgeInput): Promise<JudgeInput['dynamicOptions']> {
  const question = findOptionsRequest(input)
  if (question === undefined) return undefined
  const answer = await simulatedOptions.listOptions(question, new AbortController().signal)
  return answer.kind === 'found' ? answer.options : []
}

// ── Outcomes ──

const FAILS_EVERY = 17
const VOIDED_ONE_IN = 4
const FAILURES: readonly { readonly code: FailureCode; readonly reason: string }[] = [
  { code: 48, reason: 'Rejected by the provider' },
  { code: 52, reason: 'Invalid account number' },
  { code: 55, reason: 'Timed out at the provider' },
  { code: 61, reason: 'Invalid denomination' },
]

/**
 * Returns the steps of a payment from its creation to its end. The end is before `endMs`, even if the
 * processing time is longer.
 */
function stepsOf(
  { product }: EffectiveProduct,
  index: number,
  createdMs: number,
  endMs: number,
  random: Random,
): BackfilledStep[] {
  const soon = (fromMs: number, afterMs: number) =>
    new Date(fromMs + Math.min(afterMs, Math.floor((endMs - fromMs) / 2)))
  const isSlow = product.processingTime === '24_hours' || product.processingTime === '3_days'
  const steps: BackfilledStep[] = []
  if (isSlow) steps.push({ kind: 'processing', at: soon(createdMs, 200 + random(2 * SECOND_MS)) })
  const answeredAt = soon(
    createdMs,
    isSlow ? 3 * SECOND_MS + random(20 * HOUR_MS) : 300 + random(5 * SECOND_MS),
  )
  const failure = FAILURES[Math.floor(index / FAILS_EVERY) % FAILURES.length]
  if (failure !== undefined && index % FAILS_EVERY === FAILS_EVERY - 1) {
    return [...steps, { kind: 'failed', at: answeredAt, ...failure }]
  }
  const fulfilment =
    product.processingTime === 'pin' || product.processingTime === 'link' ? product.processingTime : 'plain'
  const submittedAt = new Date(createdMs)
  steps.push({
    kind: 'succeeded',
    at: answeredAt,
    outputFor: (reference) => outputOf({ reference, submittedAt }, fulfilment),
  })
  if (product.isRefundable && random(VOIDED_ONE_IN) === 0) {
    steps.push({ kind: 'voided', at: soon(answeredAt.getTime(), HOUR_MS + random(30 * HOUR_MS)) })
  }
  return steps
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
