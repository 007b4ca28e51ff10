import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DatabaseClock } from '../../../db/clock.ts'
import { openDatabaseClock } from '../../../db/clock.ts'
import { assert } from '../../../lib/errors.ts'
import { sampleReseller } from '../../../testing/accounts.ts'
import {
  moneyProduct,
  PERCENTAGE,
  sampleBase,
  sampleLevel,
} from '../../../testing/catalog/catalog-samples.ts'
import { dispatcherAmong } from '../../../testing/payments/dispatching.ts'
import { compileAccount } from '../../../testing/payments/judging.ts'
import { limitReseller } from '../../../testing/payments/limits.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import {
  databaseMs,
  expectSoundMoney,
  LATER,
  LEASE_MS,
  NO_EXTRAS,
  newRefid,
  openPaymentsBench,
} from '../../../testing/payments/payments.ts'
import { createScriptedProvider, PENDING, providersOf } from '../../../testing/providers/scripted-provider.ts'
import { runs } from '../../../testing/runs.ts'
import type { KeyCaps } from '../../accounts/types.ts'
import type { Caller } from '../../auth/types.ts'
import { EMPTY_STATE } from '../../catalog/model/state.rules.ts'
import type { Snapshot } from '../../catalog/model/types.ts'
import { createDynamicOptions } from '../../providers/options.service.ts'
import { simulatedOptions } from '../../providers/simulator/options.rules.ts'
import { createBalances } from '../../wallet/balance/balances.service.ts'
import { advanceClock } from '../core/sql.ts'
import type { Payment, PaymentRequest } from '../core/types.ts'
import { createPreviews } from '../take/preview.service.ts'
import type { Payments } from '../take/service.ts'
import { createPayments } from '../take/service.ts'
import { createQuoteBook } from './book.service.ts'
import type { Quotes } from './service.ts'
import { createQuotes } from './service.ts'

// Quotes, prices, duplicates, limits, caps and midnights in any order, against a model that knows the rules alone.

const RM = 10_000n
const QUOTE_SECONDS = 300
const WINDOW_SECONDS = 120
const CAPS: KeyCaps = { purposeId: 7n, maxAmount: 38n * RM, dailyCap: 90n * RM, monthlyCap: null }
/** Wholesale prices, in parts of 1e8 of the face value. */
const PRICES = [90_000_000n, 95_000_000n] as const

let bench: PaymentsBench
let node: Node
let clock: DatabaseClock
let quotes: Quotes
let payments: Payments
let price: bigint = PRICES[0]

const snapshots = new Map<bigint, Snapshot>(
  PRICES.map((unitPrice) => [
    unitPrice,
    compileAccount(
      sampleBase({ products: [moneyProduct()] }),
      sampleLevel({ KITA: { ...PERCENTAGE, unitPrice } }),
    ) as Snapshot,
  ]),
)

function snapshotFor(): Snapshot {
  const snapshot = snapshots.get(price)
  assert(snapshot !== undefined, 'each price has its snapshot')
  return snapshot
}

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
  clock = await openDatabaseClock(bench.database)
  const { database, vault } = bench
  const providers = providersOf(createScriptedProvider(PENDING))
  const settings = {
    ...{
      database,
      vault,
      clock,
      providers,
      leaseMs: LEASE_MS,
      isStaging: false,
      quoteSeconds: QUOTE_SECONDS,
    },
    catalog: { snapshotFor, base: () => EMPTY_STATE.base },
    dynamicOptions: createDynamicOptions({ provider: simulatedOptions }),
    intake: node.intake,
    dispatcher: dispatcherAmong(node, providers),
    onProblem: () => {},
  }
  const book = createQuoteBook(settings)
  payments = createPayments({ ...settings, quoteBook: book })
  quotes = createQuotes({
    ...settings,
    book,
    previews: createPreviews(settings),
    balances: createBalances(database),
    isInterrupted: () => false,
  })
})
afterAll(async () => {
  clock.close()
  await bench.close()
})

// ── Random actions ──

const WHAT = fc.record({
  account: fc.constantFrom('60129000001', '60129000002'),
  ringgit: fc.constantFrom(10n, 20n, 40n),
  isCapped: fc.boolean(),
})
const PAY = fc.record({
  ...{ what: WHAT, allowsDuplicate: fc.boolean() },
  /** Quote that is paid, counted from the last; null: the price list says the cost. */
  quote: fc.option(fc.nat(3), { freq: 4 }),
  /** True: the body is not what was quoted. */
  isOther: fc.boolean(),
})
const LIMIT = fc.record({
  scope: fc.constantFrom('account' as const, 'reseller' as const),
  period: fc.constantFrom('day' as const, 'month' as const),
  payments: fc.constantFrom(1, 3, 5),
})
const STEP = fc.oneof(
  { weight: 5, arbitrary: fc.record({ ask: WHAT }) },
  { weight: 6, arbitrary: fc.record({ pays: fc.array(PAY, { minLength: 1, maxLength: 5 }) }) },
  { weight: 2, arbitrary: fc.record({ ends: fc.nat(), isVoid: fc.boolean() }) },
  // The clock begins 150 seconds before midnight.
  { weight: 2, arbitrary: fc.record({ seconds: fc.constantFrom(60, 151, 301, 86_400, 40 * 86_400) }) },
  { weight: 1, arbitrary: fc.record({ limits: fc.array(LIMIT, { maxLength: 2 }) }) },
  { weight: 1, arbitrary: fc.record({ price: fc.constantFrom(...PRICES) }) },
)

type What = { readonly account: string; readonly ringgit: bigint; readonly isCapped: boolean }
type Pay = {
  readonly what: What
  readonly quote: number | null
  readonly isOther: boolean
  readonly allowsDuplicate: boolean
}
type Rule = { scope: 'account' | 'reseller'; period: 'day' | 'month'; payments: number }

// ── The model ──

type Quoted = { id: string; what: What; cost: bigint; ends: number; isPaid: boolean }
type Paid = { what: What; cost: bigint; at: number; isAlive: boolean; payment: Payment }

/** Reseller of one run, with what the model knows of it. Times are seconds by its clock. */
type World = {
  readonly reseller: bigint
  readonly begunMs: number
  readonly quotes: Quoted[]
  readonly paid: Paid[]
  limits: readonly Rule[]
  moved: number
}

const DAY = 86_400
const dayOf = (at: number) => Math.floor((at + 8 * 3_600) / DAY)
const monthOf = (at: number) => new Date((at + 8 * 3_600) * 1_000).toISOString().slice(0, 7)
const nowIn = ({ begunMs, moved }: World) => Math.floor(begunMs / 1_000) + moved

/** Says why a payment would be refused now; undefined: it fits every rule. */
function refusalOf(world: World, what: What, cost: bigint, allowsDuplicate: boolean): string | undefined {
  const now = nowIn(world)
  const alive = world.paid.filter(({ isAlive }) => isAlive)
  const isSame = (each: Paid) =>
    each.what.account === what.account && each.what.ringgit === what.ringgit && each.at > now - WINDOW_SECONDS
  if (!allowsDuplicate && alive.some(isSame)) return 'Possible_Duplicate'
  const isUsedUp = ({ scope, period, payments: most }: Rule) => {
    const isThen = (at: number) =>
      period === 'day' ? dayOf(at) === dayOf(now) : monthOf(at) === monthOf(now)
    const used = alive.filter(
      (each) => isThen(each.at) && (scope === 'reseller' || each.what.account === what.account),
    )
    return used.length >= most
  }
  if (world.limits.some(isUsedUp)) return 'Limit'
  if (!what.isCapped) return undefined
  const today = alive.filter((each) => each.what.isCapped && dayOf(each.at) === dayOf(now))
  const spent = today.reduce((sum, each) => sum + each.cost, 0n)
  return cost > (CAPS.maxAmount ?? 0n) || spent + cost > (CAPS.dailyCap ?? 0n) ? 'Cap' : undefined
}

const listCost = ({ ringgit }: What) => (ringgit * RM * price) / 100_000_000n

// ── The service beside it ──

function callerOf({ reseller }: World, { isCapped }: What): Caller {
  return {
    reseller: sampleReseller({ id: reseller, duplicateWindowSeconds: WINDOW_SECONDS }),
    kind: 'key',
    memberId: '1',
    scopes: new Set(['pay'] as const),
    ...(isCapped && { purposeId: CAPS.purposeId, caps: CAPS }),
  }
}

function requestFor(
  { account, ringgit }: What,
  terms: Partial<PaymentRequest['terms']> = {},
): PaymentRequest {
  return {
    ...{ refid: newRefid(), product: 'KITA', account, amount: ringgit * RM, remarks: '', extras: NO_EXTRAS },
    terms: { quoteId: null, costMax: null, allowsDuplicate: false, ...terms },
    problems: {},
  }
}

async function ask(world: World, what: What): Promise<void> {
  const answer = await quotes.quote(callerOf(world, what), requestFor(what), LATER)
  // A duplicate is a warning, no refusal.
  const expected = refusalOf(world, what, listCost(what), true) === undefined ? 'quoted' : 'rejected'
  expect(answer.kind).toBe(expected)
  if (answer.kind !== 'quoted') return
  const { id, cost } = answer.shown.quote
  expect(cost).toBe(listCost(what))
  world.quotes.push({ id, what, cost, ends: nowIn(world) + QUOTE_SECONDS, isPaid: false })
}

type Sent = Pay & { readonly quoted: Quoted | undefined; readonly body: What; readonly cost: bigint }

function sentOf(world: World, pay: Pay): Sent {
  const quoted = pay.quote === null ? undefined : world.quotes.at(-1 - pay.quote)
  const same = quoted?.what ?? pay.what
  const body = pay.isOther && quoted !== undefined ? { ...same, ringgit: same.ringgit + 1n } : same
  return { ...pay, quoted, body, cost: quoted?.cost ?? listCost(body) }
}

/** Says why it would be refused now, by its quote or by the rules. */
function whyNot(world: World, { quoted, body, cost, allowsDuplicate }: Sent): string | undefined {
  if (quoted !== undefined) {
    if (body.ringgit !== quoted.what.ringgit) return 'Quote_Mismatch'
    if (quoted.isPaid) return 'Quote_Used'
    if (quoted.ends <= nowIn(world)) return 'Quote_Expired'
  }
  return refusalOf(world, body, cost, allowsDuplicate)
}

/** Pays at once. Each that passed fits what was there before it, in the order of the ledger; the others fit no more. */
async function payAll(world: World, pays: readonly Pay[]): Promise<void> {
  const sent = pays.map((pay) => sentOf(world, pay))
  const results = await Promise.all(
    sent.map(({ body, quoted, allowsDuplicate }) =>
      payments.pay({
        caller: callerOf(world, body),
        request: requestFor(body, { quoteId: quoted?.id ?? null, allowsDuplicate }),
        sender: '203.0.113.7',
        deadlineMs: LATER,
      }),
    ),
  )
  const taken = results.flatMap((result, index) =>
    result.kind === 'payment' ? [{ payment: result.payment, one: sent[index] as Sent }] : [],
  )
  // Identities of one millisecond need not be in the order of the commit: the balances are.
  for (const { payment, one } of taken.sort((a, b) =>
    Number(b.payment.balanceAfter - a.payment.balanceAfter),
  )) {
    expect(whyNot(world, one)).toBe(undefined)
    expect(payment.cost).toBe(one.cost)
    if (one.quoted !== undefined) one.quoted.isPaid = true
    world.paid.push({ what: one.body, cost: payment.cost, at: nowIn(world), isAlive: true, payment })
  }
  for (const [index, result] of results.entries()) {
    if (result.kind !== 'rejected') continue
    const why = whyNot(world, sent[index] as Sent)
    expect(why, result.rejection.remarks).toBeDefined()
    if (pays.length === 1) expect(result.rejection.remarks).toContain(why)
  }
}

const SUCCEEDED = {
  kind: 'succeeded',
  output: { serialNumber: '', pin: '', expiry: '', voucherLink: '', note: '' },
} as const
const FAILED = { kind: 'failed', code: 48, reason: 'no' } as const

async function end({ paid }: World, number: number, isVoid: boolean): Promise<void> {
  const found = paid[number % Math.max(paid.length, 1)]
  if (found === undefined || !found.isAlive) return
  found.isAlive = false
  const { resellerId, id } = found.payment
  const outcomes = isVoid ? [SUCCEEDED, { kind: 'voided' } as const] : [FAILED]
  for (const outcome of outcomes) await node.resolver.submit({ resellerId, id, nextMs: 0, outcome })
}

async function limit(world: World, given: readonly Rule[]): Promise<void> {
  const byKey = new Map(given.map((each) => [`${each.scope} ${each.period}`, each]))
  world.limits = [...byKey.values()]
  await bench.database.query('delete from reseller_limits where reseller_id = $1', [world.reseller])
  for (const each of world.limits) await limitReseller(bench.database, world.reseller, each)
}

async function move(world: World, seconds: number): Promise<void> {
  world.moved += seconds
  await bench.database.transaction((tx) => advanceClock(tx, world.reseller, seconds))
}

async function openWorld(): Promise<World> {
  const reseller = await bench.newReseller(1_000_000n * RM)
  const world: World = {
    ...{ reseller, begunMs: await databaseMs(bench.database), quotes: [], paid: [], limits: [], moved: 0 },
  }
  const untilMidnight = DAY - ((nowIn(world) + 8 * 3_600) % DAY)
  await move(world, untilMidnight + DAY - 150)
  return world
}

it('a payment that passed fits the rules at its commit, a quote pays once and says the cost, in whatever order quotes, payments, ends, midnights, prices and limits come', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 4, maxLength: 16 }), async (steps) => {
      const world = await openWorld()
      for (const step of steps) {
        if ('ask' in step) await ask(world, step.ask)
        else if ('pays' in step) await payAll(world, step.pays)
        else if ('ends' in step) await end(world, step.ends, step.isVoid)
        else if ('seconds' in step) await move(world, step.seconds)
        else if ('limits' in step) await limit(world, step.limits)
        else price = step.price
      }
      const { rows } = await bench.database.query<{ id: string; payment_id: bigint | null }>(
        'select id, payment_id from quotes where reseller_id = $1',
        [world.reseller],
      )
      const paidIds = rows.filter((row) => row.payment_id !== null).map(({ id }) => id)
      expect(paidIds.sort()).toEqual(world.quotes.flatMap(({ id, isPaid }) => (isPaid ? [id] : [])).sort())
    }),
    { numRuns: runs(120) },
  )
  await expectSoundMoney(bench.database)
})
