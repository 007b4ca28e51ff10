import { startOfDayMs } from '../lib/dates.ts'
import { assert } from '../lib/errors.ts'
import type { FailureCode } from '../lib/failure-codes.ts'
import type { Amount } from '../lib/money.ts'
import { UNITS_PER_RINGGIT } from '../lib/money.ts'
import type { EffectiveProduct, ProductKind, Snapshot } from '../modules/catalog/model/types.ts'
import { readPaymentRequest } from '../modules/payments/core/request.rules.ts'
import type { Decision, PaymentRequest } from '../modules/payments/core/types.ts'
import type { BackfilledPayment, BackfilledStep } from '../modules/payments/reports/backfill.service.ts'
import type { JudgeInput } from '../modules/payments/take/judge.rules.ts'
import { findOptionsRequest, judge } from '../modules/payments/take/judge.rules.ts'
import { outputOf } from '../modules/providers/simulator/behaviour.rules.ts'
import { simulatedOptions } from '../modules/providers/simulator/options.rules.ts'
import type { OrderBody } from './orders.ts'
import { fillOrder, makeCustomers } from './orders.ts'
import type { Random } from './random.ts'
import { pick } from './random.ts'
import { providerOf } from './supplier.ts'

// Payments of the demo's past: who bought what and when, and how each of them ended.

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

// ── Times ──

/** Sales of a shop by hour, from eight in the morning: before work, at lunch, and most of all after work. */
const OPENS_AT = 8
const BY_HOUR = [5, 7, 5, 4, 8, 9, 4, 3, 4, 7, 10, 11, 8, 4]
const HOURS = BY_HOUR.flatMap((weight, index) => Array.from({ length: weight }, () => OPENS_AT + index))

/** Returns an instant of the day at which a shop is open, in milliseconds. */
export function shopTime(day: number, random: Random): number {
  return startOfDayMs(day) + pick(HOURS, random) * HOUR_MS + random(HOUR_MS)
}

// ── Payments ──

export type PaymentPlan = {
  /** API key that paid. */
  readonly memberId: string
  /** Prefix of the refids. */
  readonly prefix: string
  /** Weight of a kind in the choice of products; 1 where it is not named. 0: it is not sold. */
  readonly weights?: Weights
  /** Largest amount that customers type, unless the product wants more. */
  readonly usualMax?: Amount
  /** Instants of creation, oldest first. */
  readonly times: readonly number[]
  /** Instant before which all of them have ended. */
  readonly endMs: number
}

const PAYMENTS_PER_CUSTOMER = 5
const USUAL_MAX = 250n * UNITS_PER_RINGGIT

export async function makePayments(
  { memberId, prefix, weights = WEIGHTS, usualMax = USUAL_MAX, times, endMs }: PaymentPlan,
  snapshot: Snapshot,
  random: Random,
): Promise<BackfilledPayment[]> {
  const shelf = listWeighted(snapshot, weights)
  const customers = makeCustomers(Math.ceil(times.length / PAYMENTS_PER_CUSTOMER), random)
  const payments: BackfilledPayment[] = []
  let failures = 0
  for (const [index, createdMs] of times.entries()) {
    const product = pick(shelf, random)
    const refid = `${prefix}-${String(index + 1).padStart(5, '0')}`
    const body = await fillOrder(product, pick(customers, random), usualMax, random)
    const order = await judgeOrder(product, body, refid, pick(REMARKS, random))
    const failure = random(FAILS_ONE_IN) === 0 ? FAILURES[failures++ % FAILURES.length] : undefined
    payments.push({
      ...order,
      provider: providerOf(product.product.code),
      sender: `203.0.113.${10 + random(3)}`,
      memberId,
      createdAt: new Date(createdMs),
      steps: stepsOf(product, failure, createdMs, endMs, random),
    })
  }
  return payments
}

// ── Purchases ──

const INTERRUPTED = 'FP'

export type Weights = Partial<Record<ProductKind, number>>

const WEIGHTS: Weights = {
  reload: 9,
  mobile_data: 4,
  electricity: 6,
  pin: 2,
}

/**
 * Lists the products that the account may buy; popular kinds appear several times, so that they are picked more
 * often.
 */
function listWeighted(snapshot: Snapshot, weights: Weights): EffectiveProduct[] {
  return [...snapshot.products.values()]
    .filter((each) => each.isActive && each.product.code !== INTERRUPTED)
    .flatMap((each) => Array.from({ length: weights[each.product.kind] ?? 1 }, () => each))
}

const REMARKS = ['', '', '', 'Counter 1', 'Counter 2']

type Judged = { readonly request: PaymentRequest; readonly decision: Decision }

/** Judges the request like every payment: a payment that the judge refuses cannot be in the history. */
export async function judgeOrder(
  product: EffectiveProduct,
  body: OrderBody,
  refid: string,
  remarks: string,
): Promise<Judged> {
  const read = readPaymentRequest({ ...body, refid, remarks })
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

const FAILS_ONE_IN = 17
const VOIDED_ONE_IN = 4

type Failure = { readonly code: FailureCode; readonly reason: string }

const FAILURES: readonly Failure[] = [
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
  failure: Failure | undefined,
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
  if (failure !== undefined) {
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
