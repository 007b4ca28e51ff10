import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CasesBench, OpenVoiding, VoidingProvider } from '../../testing/cases.ts'
import {
  APPROVED,
  callerOf,
  createVoidingProvider,
  FAULTS_BEFORE_RECEIPT,
  openCasesBench,
  REFUSED,
  requestFor,
  UNDECIDED,
} from '../../testing/cases.ts'
import { expectSoundMoney } from '../../testing/payments/payments.ts'
import { FAILED, providersOf, SUCCEEDED } from '../../testing/providers/scripted-provider.ts'
import { runs } from '../../testing/runs.ts'
import { listDriftedCounts as listDrifted } from '../payments/limits/service.ts'
import { verifyLedger } from '../wallet/ledger/audit.service.ts'
import { chainEntries } from '../wallet/ledger/chain.jobs.ts'
import { approveCase, refuseCase, resolveDispute, takeCase } from './operators.service.ts'
import { isClosed, mayMove } from './rules.ts'
import type { Cases } from './service.ts'
import type { CaseKind, CaseState } from './types.ts'

// Any requests, answers, repeats and races: at most one refund for each payment, and only legal states of cases.

let bench: CasesBench
let cases: Cases

beforeAll(async () => {
  bench = await openCasesBench()
  cases = bench.casesAt('production')
})
afterAll(() => bench.close())

const PAYMENTS = 2
const COST = 10_000n
const BALANCE = 100_000n

const ANSWERS = {
  approved: APPROVED,
  refused: REFUSED,
  pending: UNDECIDED,
  unknown: FAULTS_BEFORE_RECEIPT,
} as const
type Answer = keyof typeof ANSWERS

type Step =
  | { kind: 'open'; payment: number; as: CaseKind; times: number }
  | { kind: 'ask'; answer: Answer; isAged: boolean; nodes: number }
  | { kind: 'approve' | 'refuse' | 'resolve' | 'take'; payment: number; times: number }
  | { kind: 'late' }
  | { kind: 'report'; payment: number; said: 'succeeded' | 'failed' }

const payment = fc.nat(PAYMENTS - 1)
const times = fc.integer({ min: 1, max: 3 })
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('open' as const),
        payment,
        as: fc.constantFrom<CaseKind>('void', 'dispute'),
        times,
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('ask' as const),
        answer: fc.constantFrom<Answer>('approved', 'refused', 'pending', 'unknown'),
        isAged: fc.boolean(),
        nodes: fc.integer({ min: 1, max: 2 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constantFrom('approve' as const, 'refuse' as const, 'resolve' as const, 'take' as const),
        payment,
        times,
      }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'late' as const }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('report' as const),
        payment,
        said: fc.constantFrom('succeeded' as const, 'failed' as const),
      }),
    },
  ),
  { maxLength: 14 },
)

// ── The model ──

type ModelCase = {
  number: string
  kind: CaseKind
  state: CaseState
  /** True: a node is to ask the provider; also after the end of the case, if the provider had the question by then. */
  isAsked: boolean
  wasAsked: boolean
  isDue: boolean
}
type ModelPayment = { id: bigint; isVoided: boolean; cases: ModelCase[]; contradicted: Set<string> }
type World = { resellerId: bigint; payments: ModelPayment[]; provider: VoidingProvider; nodes: OpenVoiding[] }

const openOf = ({ cases: all }: ModelPayment) => all.find(({ state }) => !isClosed(state))

function move(found: ModelCase, state: CaseState, by: 'provider' | 'operator'): void {
  expect(mayMove(found.state, state)).toBe(true)
  found.state = state
  if (isClosed(state) && (by === 'provider' || !found.wasAsked)) found.isAsked = false
}

async function openCases(world: World, step: Extract<Step, { kind: 'open' }>): Promise<void> {
  const model = world.payments[step.payment] as ModelPayment
  const results = await Promise.all(
    Array.from({ length: step.times }, () =>
      cases.open(step.as, callerOf(world.resellerId), requestFor(step.as, model)),
    ),
  )
  const opened = results.filter((result) => result.kind === 'opened')
  const expected = model.isVoided ? 'voided_before' : 'already_open'
  expect(opened).toHaveLength(model.isVoided || openOf(model) !== undefined ? 0 : 1)
  for (const { kind } of results) if (kind !== 'opened') expect(kind).toBe(expected)
  for (const { number } of opened) {
    if (step.as === 'void') for (const earlier of model.cases) earlier.isAsked = false
    model.cases.push({
      number,
      kind: step.as,
      state: 'open',
      isAsked: step.as === 'void',
      wasAsked: false,
      isDue: true,
    })
  }
}

async function askProvider(world: World, step: Extract<Step, { kind: 'ask' }>): Promise<void> {
  const asked = world.payments.flatMap((model) => model.cases.filter(({ isAsked }) => isAsked))
  if (step.isAged) {
    for (const found of asked) {
      await bench.database.query(
        `update case_work w set next_at = now() - interval '1 second' from cases c
          where c.number = $1 and w.reseller_id = c.reseller_id and w.case_id = c.id`,
        [found.number],
      )
      found.isDue = true
    }
  }
  world.provider.answer = () => ANSWERS[step.answer]
  await Promise.all(world.nodes.slice(0, step.nodes).map((node) => node.runOnce()))
  for (const model of world.payments) {
    for (const found of model.cases.filter(({ isAsked, isDue }) => isAsked && isDue)) {
      applyDecision(model, found, step.answer)
    }
  }
}

function applyDecision(model: ModelPayment, found: ModelCase, answer: Answer): void {
  if (answer === 'pending' || answer === 'unknown') {
    found.isDue = false
    found.wasAsked = true
  } else if (isClosed(found.state)) {
    const state = answer === 'approved' ? 'resolved' : 'refused'
    if (found.state !== state && (state === 'refused' || !model.isVoided))
      model.contradicted.add(found.number)
    found.isAsked = false
  } else {
    move(found, answer === 'approved' ? 'resolved' : 'refused', 'provider')
    if (answer === 'approved') model.isVoided = true
  }
}

async function operate(world: World, step: Extract<Step, { times: number }>): Promise<void> {
  if (step.kind === 'open') return
  const model = world.payments[step.payment] as ModelPayment
  const found = model.cases.at(-1)
  if (found === undefined) return
  const context = { database: bench.database }
  const acts = {
    approve: () => approveCase(context, found.number, { evidence: 'x' }),
    refuse: () => refuseCase(context, found.number, 'No'),
    resolve: () => resolveDispute(context, found.number, 'Done'),
    take: () => takeCase(context, found.number),
  }
  const results = await Promise.allSettled(Array.from({ length: step.times }, acts[step.kind]))
  const done = results.filter(({ status }) => status === 'fulfilled')
  const state = (
    { approve: 'resolved', refuse: 'refused', resolve: 'resolved', take: 'in_progress' } as const
  )[step.kind]
  const isFitting =
    (step.kind !== 'approve' || found.kind === 'void') &&
    (step.kind !== 'resolve' || found.kind === 'dispute')
  expect(done).toHaveLength(isFitting && mayMove(found.state, state) ? 1 : 0)
  for (const result of results)
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ status: 409 })
  if (done.length === 0) return
  move(found, state, 'operator')
  if (step.kind === 'approve') model.isVoided = true
}

async function beLate(world: World): Promise<void> {
  for (const model of world.payments) {
    const found = openOf(model)
    if (found === undefined) continue
    await bench.database.query(
      'update cases set watch_at = now() where number = $1 and watch_at is not null',
      [found.number],
    )
  }
  await world.nodes[0]?.watchOnce()
}

async function reportOutcome(
  { resellerId, payments }: World,
  step: Extract<Step, { kind: 'report' }>,
): Promise<void> {
  const { id } = payments[step.payment] as ModelPayment
  const outcome = step.said === 'failed' ? FAILED : SUCCEEDED
  expect(await bench.node.resolver.submit({ resellerId, id, outcome, attempt: 1, nextMs: 0 })).toBe(false)
}

function take(world: World, step: Step): Promise<void> {
  switch (step.kind) {
    case 'open':
      return openCases(world, step)
    case 'ask':
      return askProvider(world, step)
    case 'late':
      return beLate(world)
    case 'report':
      return reportOutcome(world, step)
    default:
      return operate(world, step)
  }
}

async function expectAsInModel({ resellerId, payments, nodes }: World): Promise<void> {
  let balance = BALANCE - COST * BigInt(PAYMENTS)
  for (const { id, isVoided, cases: all, contradicted } of payments) {
    expect(await bench.codeOf({ resellerId, id })).toBe(isVoided ? 53 : 20)
    if (isVoided) balance += COST
    for (const { number, state, isAsked } of all) {
      expect(await bench.caseOf(number)).toMatchObject({ state, is_asked: isAsked })
      const alerts = (await bench.alertsAbout(number)).filter(({ kind }) => kind === 'void_contradiction')
      expect(alerts).toHaveLength(contradicted.has(number) ? 1 : 0)
    }
  }
  expect(await bench.balanceOf(resellerId)).toBe(balance)
  expect(nodes.flatMap(({ problems }) => problems)).toEqual([])
}

it('wallets, payments and cases are what the model says, whatever was asked, answered and raced', async () => {
  const provider = createVoidingProvider(UNDECIDED)
  const nodes = [bench.voidingAt(providersOf(provider)), bench.voidingAt(providersOf(provider))]
  await fc.assert(
    fc.asyncProperty(steps, async (drawn) => {
      await bench.database.query('truncate case_work')
      const resellerId = await bench.newReseller(BALANCE)
      const payments: ModelPayment[] = []
      for (let index = 0; index < PAYMENTS; index += 1) {
        const { id } = await bench.succeed(resellerId, { cost: COST })
        payments.push({ id, isVoided: false, cases: [], contradicted: new Set() })
      }
      const world: World = { resellerId, payments, provider, nodes }
      for (const step of drawn) {
        await take(world, step)
        await expectAsInModel(world)
      }
    }),
    { numRuns: runs(40) },
  )
  await expectSoundMoney(bench.database)
  const { database, vault } = bench
  await chainEntries({ database, vault })
  expect((await verifyLedger({ database, vault, listDrifted })).breaks).toEqual([])
})
