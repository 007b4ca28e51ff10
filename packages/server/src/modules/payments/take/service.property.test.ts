import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DatabaseClock } from '../../../db/clock.ts'
import { openDatabaseClock } from '../../../db/clock.ts'
import type { FailpointName } from '../../../lib/failpoints.ts'
import { FAILPOINTS } from '../../../lib/failpoints.ts'
import { sampleReseller } from '../../../testing/accounts.ts'
import type { Books, Life } from '../../../testing/payments/payment-lives.ts'
import { accountOf, createBooks, startProcess } from '../../../testing/payments/payment-lives.ts'
import type { Behaviour, Model, ModelPayment, Said } from '../../../testing/payments/payment-model.ts'
import {
  arrives,
  BEHAVIOURS,
  decisionOf,
  findModelPayment,
  firstAnswer,
  isHeld,
  isOpen,
  queryDueInModel,
  recordOutcomeInModel,
  takeInModel,
} from '../../../testing/payments/payment-model.ts'
import type { PaymentsBench } from '../../../testing/payments/payments.ts'
import {
  expectSoundMoney,
  LATER,
  NO_EXTRAS,
  openPaymentsBench,
  until,
} from '../../../testing/payments/payments.ts'
import { FAILED, PENDING, SUCCEEDED } from '../../../testing/providers/scripted-provider.ts'
import { runs } from '../../../testing/runs.ts'
import { advanceClock, listChanges } from '../core/sql.ts'
import { mayMove } from '../core/states.rules.ts'
import type { PaymentCode } from '../core/types.ts'
import type { PayResult } from './service.ts'

let bench: PaymentsBench
let clock: DatabaseClock

beforeAll(async () => {
  bench = await openPaymentsBench()
  clock = await openDatabaseClock(bench.database)
})
afterAll(async () => {
  clock.close()
  await bench.close()
})

// ── Random actions ──

type Step =
  | { kind: 'deposit'; reseller: number; ringgit: number }
  | {
      kind: 'pay'
      reseller: number
      refid: number
      behaviour: Behaviour
      ringgit: number
      dieAt: FailpointName | null
    }
  | { kind: 'ask'; leasesRanOut: boolean }
  | { kind: 'let_go'; which: number }
  | { kind: 'report'; which: number; said: Said }
  | { kind: 'die' }

const RESELLERS = 2
const reseller = fc.nat(RESELLERS - 1)
const steps = fc.array(
  fc.oneof<fc.WeightedArbitrary<Step>[]>(
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('deposit' as const),
        reseller,
        ringgit: fc.integer({ min: 1, max: 60 }),
      }),
    },
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant('pay' as const),
        reseller,
        refid: fc.nat(5),
        behaviour: fc.constantFrom(...BEHAVIOURS),
        ringgit: fc.constantFrom(5, 10, 35),
        dieAt: fc.option(fc.constantFrom(...FAILPOINTS), { nil: null, freq: 2 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('ask' as const), leasesRanOut: fc.boolean() }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('let_go' as const), which: fc.nat(20) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('report' as const),
        which: fc.nat(20),
        said: fc.constantFrom<Said>(SUCCEEDED, FAILED, PENDING, { kind: 'voided' }, { kind: 'voided' }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('die' as const) }) },
  ),
  { minLength: 4, maxLength: 22 },
)

// ── Service and model together ──

type World = {
  readonly model: Model
  readonly ids: Map<ModelPayment, bigint>
  readonly books: Books
  readonly resellers: readonly bigint[]
  readonly lives: Life[]
  life: Life
}

function createWorld(resellers: readonly bigint[]): World {
  const books = createBooks()
  const life = startProcess(bench, clock, books)
  const model: Model = { balances: resellers.map(() => 0n), payments: [] }
  return { model, ids: new Map(), books, resellers, lives: [life], life }
}

/** Starts a new process; no payment is awaited any more. */
function restart(world: World): void {
  for (const payment of world.model.payments) payment.isAwaited = false
  world.life = startProcess(bench, clock, world.books)
  world.lives.push(world.life)
}

function resellerOf(world: World, index: number): bigint {
  return world.resellers[index] as bigint
}

function at(world: World, which: number): ModelPayment | undefined {
  const { payments } = world.model
  return payments.length === 0 ? undefined : payments[which % payments.length]
}

async function act(world: World, step: Step): Promise<void> {
  switch (step.kind) {
    case 'deposit': {
      const amount = BigInt(step.ringgit) * 10_000n
      await bench.deposit(resellerOf(world, step.reseller), amount)
      world.model.balances[step.reseller] = (world.model.balances[step.reseller] as bigint) + amount
      return
    }
    case 'pay':
      return pay(world, step)
    case 'ask':
      return ask(world, step.leasesRanOut)
    case 'let_go': {
      const payment = at(world, step.which)
      return payment && letGo(world, payment)
    }
    case 'report': {
      const payment = at(world, step.which)
      return payment && reportOutcome(world, payment, step.said)
    }
    case 'die':
      world.life.isDead = true
      restart(world)
      return
  }
}

async function pay(world: World, step: Extract<Step, { kind: 'pay' }>): Promise<void> {
  const amount = BigInt(step.ringgit) * 10_000n
  const existing = findModelPayment(world.model, step.reseller, step.refid)
  world.life.dieAt = step.dieAt
  const result = await submit(world, step, amount)
  const isTaken = step.dieAt !== 'intake.before'
  const asked = { ...step, amount, cost: (amount * 985n) / 1_000n }
  const created = existing === undefined && isTaken ? takeInModel(world.model, asked) : undefined
  if (created !== undefined) await follow(world, created, step.dieAt)
  if (result !== undefined) compare(world, result, asked, existing ?? created, existing !== undefined)
  await settle(world)
  if (world.life.isDead) restart(world)
  world.life.dieAt = null
}

/** Submits a payment; undefined: the process died, so the client got no answer. */
async function submit(
  world: World,
  step: Extract<Step, { kind: 'pay' }>,
  amount: bigint,
): Promise<PayResult | undefined> {
  const submitted = world.life.payments.pay({
    caller: {
      reseller: sampleReseller({ id: resellerOf(world, step.reseller) }),
      kind: 'key',
      memberId: '1',
      scopes: new Set(['pay']),
    },
    request: {
      refid: `R${step.refid}`,
      product: 'KITA',
      account: accountOf(step.behaviour),
      amount,
      remarks: '',
      extras: NO_EXTRAS,
      problems: {},
    },
    sender: '203.0.113.7',
    deadlineMs: LATER,
  })
  if (step.dieAt === null || !step.dieAt.startsWith('intake.')) return submitted
  await expect(submitted).rejects.toMatchObject({ status: 504 })
  return undefined
}

/** Records in the model what becomes of a new payment before the first question about it. */
async function follow(world: World, payment: ModelPayment, dieAt: FailpointName | null): Promise<void> {
  const { rows } = await bench.database.query<{ id: bigint }>(
    'select id from payments where reseller_id = $1 and refid = $2',
    [resellerOf(world, payment.reseller), `R${payment.refid}`],
  )
  expect(rows).toHaveLength(1)
  world.ids.set(payment, rows[0]?.id as bigint)
  if (dieAt === 'intake.committed' || dieAt === 'dispatch.before') return
  payment.isBooked = arrives(payment.behaviour, 1)
  if (isHeld(payment.behaviour, 1)) {
    payment.isAwaited = true
    return
  }
  const answer = firstAnswer(payment.behaviour, 1)
  const isRefund = answer.kind === 'failed'
  if (dieAt === 'dispatch.sent' || dieAt === (isRefund ? 'refund.before' : 'resolve.before')) return
  recordOutcomeInModel(world.model, payment, answer)
}

function compare(
  world: World,
  result: PayResult,
  asked: Pick<ModelPayment, 'behaviour' | 'amount' | 'cost'>,
  payment: ModelPayment | undefined,
  isPoll: boolean,
): void {
  if (payment === undefined) {
    expect(result).toMatchObject({ kind: 'rejected', rejection: { code: 43 } })
    return
  }
  const isSame = payment.behaviour === asked.behaviour && payment.amount === asked.amount
  expect(result.kind).toBe(isSame ? 'payment' : 'conflict')
  if (result.kind === 'rejected') return
  expect(result.payment.id).toBe(world.ids.get(payment))
  expect(result.payment.cost).toBe(payment.cost)
  expect(result.payment.code).toBe(isPoll ? payment.code : 0)
}

async function ask(world: World, leasesRanOut: boolean): Promise<void> {
  for (const id of world.resellers) {
    await advanceClock(bench.database, id, 3_600)
    if (!leasesRanOut) continue
    await bench.database.query(
      `update payment_work set submitted_at = submitted_at - interval '1 hour', next_at = next_at - interval '1 hour'
        where reseller_id = $1 and is_leased`,
      [id],
    )
  }
  await world.life.recovery.runOnce()
  queryDueInModel(world.model, leasesRanOut)
}

async function letGo(world: World, payment: ModelPayment): Promise<void> {
  if (!payment.isBooked || !isHeld(payment.behaviour, payment.sendings) || payment.isLetGo) return
  payment.isLetGo = true
  world.books.letGo(`W${world.ids.get(payment)}-1`, payment.behaviour)
  if (payment.isAwaited) recordOutcomeInModel(world.model, payment, decisionOf(payment.behaviour))
  payment.isAwaited = false
  await settle(world)
}

async function reportOutcome(world: World, payment: ModelPayment, outcome: Said): Promise<void> {
  const id = world.ids.get(payment) as bigint
  const command = { resellerId: resellerOf(world, payment.reseller), id, outcome, nextMs: 1_000 }
  const before = payment.code as PaymentCode
  recordOutcomeInModel(world.model, payment, outcome)
  expect(await world.life.resolver.submit(command)).toBe(payment.code !== before)
}

/** Waits until only the orders that the provider holds back are under way. */
async function settle(world: World): Promise<void> {
  const { dispatcher } = world.life
  const awaited = world.model.payments.filter((payment) => payment.isAwaited).length
  await until('what was sent is written down', () => world.life.isDead || dispatcher.underway === awaited)
}

async function expectAgreement(world: World): Promise<void> {
  const balances = await Promise.all(world.resellers.map(bench.balanceOf))
  expect(balances).toEqual(world.model.balances)
  const { rows } = await bench.database.query<{ id: bigint; code: number }>(
    'select id, code from payments where reseller_id = any ($1)',
    [world.resellers],
  )
  const expected = world.model.payments.map((payment) => [world.ids.get(payment), payment.code])
  expect(new Map(rows.map(({ id, code }) => [id, code]))).toEqual(new Map(expected as [bigint, number][]))
}

/**
 * Ends all payments: time passes, the provider decides, and an operator decides the rest. No payment stays under way.
 */
async function finish(world: World): Promise<void> {
  for (const payment of world.model.payments) await letGo(world, payment)
  for (let hour = 0; hour < 4; hour += 1) await ask(world, true)
  for (const payment of world.model.payments) if (isOpen(payment)) await reportOutcome(world, payment, FAILED)
  await expectAgreement(world)
  for (const payment of world.model.payments) await expectLawfulLife(world, payment)
  for (const times of world.books.acted.values()) expect(times).toBe(1)
  await expectSoundMoney(bench.database)
}

async function expectLawfulLife(world: World, payment: ModelPayment): Promise<void> {
  const id = world.ids.get(payment) as bigint
  const changes = await listChanges(bench.database, resellerOf(world, payment.reseller), id, 100)
  let code: PaymentCode = 0
  for (const change of changes.filter(({ kind }) => kind === 'state')) {
    expect({ from: code, to: change.code, isMove: mayMove(code, change.code) }).toMatchObject({
      isMove: true,
    })
    code = change.code
  }
  expect(code).toBe(payment.code)
}

async function close(world: World): Promise<void> {
  world.books.letAllGo()
  await Promise.all(world.lives.map(({ recovery }) => recovery.stop()))
}

it('money and states are those of the model, whatever is paid, answered, lost, repeated, voided and crashed', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (drawn) => {
      const resellers = await Promise.all(Array.from({ length: RESELLERS }, () => bench.newReseller()))
      const world = createWorld(resellers)
      try {
        for (const index of resellers.keys())
          await act(world, { kind: 'deposit', reseller: index, ringgit: 60 })
        for (const step of drawn) {
          await act(world, step)
          await expectAgreement(world)
        }
        await finish(world)
      } finally {
        await close(world)
      }
    }),
    { numRuns: runs(50) },
  )
})
