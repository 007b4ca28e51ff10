import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { HeldNode } from '../../../testing/payments/held-nodes.ts'
import { openHeldNode } from '../../../testing/payments/held-nodes.ts'
import type { PaymentsBench } from '../../../testing/payments/payments.ts'
import {
  commandFor,
  databaseMs,
  expectSoundMoney,
  LATER,
  openPaymentsBench,
  until,
} from '../../../testing/payments/payments.ts'
import { runs } from '../../../testing/runs.ts'
import type { IntakeResult } from './intake.types.ts'

// Requests for a few refids, signed and received in any order, whose statements arrive at the database in any other
// order. A request that is older than a rejection of its refid must not create a payment.

let bench: PaymentsBench
let wires: HeldNode[]

beforeAll(async () => {
  bench = await openPaymentsBench()
  // A node sends one batch at a time, so each node holds back one request.
  wires = Array.from({ length: 5 }, () => openHeldNode(bench))
})
afterAll(() => bench.close())

type Step =
  | {
      kind: 'send'
      refid: number
      signedAt: number | null
      cost: number
      isJudgedNo: boolean
      lifeMs: number
    }
  | { kind: 'arrive'; which: number }
  | { kind: 'arrive_together'; which: readonly number[] }
  | { kind: 'deposit' }

const steps = fc.array(
  fc.oneof<fc.WeightedArbitrary<Step>[]>(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('send' as const),
        refid: fc.nat(2),
        signedAt: fc.option(fc.integer({ min: 100, max: 103 }), { nil: null, freq: 4 }),
        cost: fc.constantFrom(1, 1, 40),
        isJudgedNo: fc.boolean(),
        // The client of some requests has given up before they can arrive.
        lifeMs: fc.constantFrom(600_000, 600_000, 600_000, -1),
      }),
    },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('arrive' as const), which: fc.nat(4) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('arrive_together' as const),
        which: fc.uniqueArray(fc.nat(4), { minLength: 2, maxLength: 4 }),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'deposit' as const }) },
  ),
  { minLength: 5, maxLength: 30 },
)

type Request = {
  readonly refid: number
  readonly signedAt: number | null
  readonly receivedAtMs: number
  readonly isLate: boolean
  readonly isJudgedNo: boolean
  readonly cost: number
  readonly result: Promise<IntakeResult>
}

/** Verdict that the client got, and the moments between which it was decided. */
type Answered = Request & {
  readonly verdict: IntakeResult['verdict']
  readonly afterMs: number
  readonly beforeMs: number
}

type World = {
  readonly resellerId: bigint
  readonly underway: Map<number, Request>
  readonly answers: Answered[]
}

async function act(world: World, step: Step): Promise<void> {
  switch (step.kind) {
    case 'send':
      return send(world, step)
    case 'deposit':
      return bench.deposit(world.resellerId, 20n)
    case 'arrive':
      return arrive(world, [step.which])
    case 'arrive_together':
      return arrive(world, step.which)
  }
}

async function send(world: World, step: Extract<Step, { kind: 'send' }>): Promise<void> {
  const free = wires.findIndex((_, index) => !world.underway.has(index))
  const wire = wires[free]
  if (wire === undefined) return
  const { signedAt: signedAtSeconds, isJudgedNo } = step
  const receivedAtMs = await databaseMs(bench.database)
  const times = { signedAtSeconds, receivedAtMs, notAfterMs: receivedAtMs + step.lifeMs }
  const change = { refid: `P-${step.refid}`, cost: BigInt(step.cost), isJudgedNo, times }
  const { sent } = wire
  const result = wire.intake.submit(commandFor(world.resellerId, change), LATER)
  await until('it is on the wire', () => wire.sent > sent)
  world.underway.set(free, { ...step, receivedAtMs, isLate: step.lifeMs < 0, result })
}

async function arrive(world: World, which: readonly number[]): Promise<void> {
  const arriving = which.flatMap((index) => world.underway.get(index) ?? [])
  const afterMs = await databaseMs(bench.database)
  for (const index of which) if (world.underway.delete(index)) void letAllThrough(index, arriving)
  const results = await Promise.all(arriving.map(({ result }) => result))
  const beforeMs = await databaseMs(bench.database)
  for (const [index, request] of arriving.entries()) {
    world.answers.push({ ...request, verdict: (results[index] as IntakeResult).verdict, afterMs, beforeMs })
  }
}

/** Lets the statement through, and the query for existing payments that may follow it. */
async function letAllThrough(index: number, arriving: readonly Request[]): Promise<void> {
  let isOver = false
  void Promise.allSettled(arriving.map(({ result }) => result)).then(() => {
    isOver = true
  })
  await until('it is answered', () => {
    if (!isOver) wires[index]?.letThrough()
    return isOver
  })
}

const REJECTED = new Set(['absent', 'insufficient', 'outranked'])

/** Tells whether a payment was certainly created after the rejection by a request that is certainly older than it. */
function breaks(created: Answered, rejection: Answered): boolean {
  if (created.refid !== rejection.refid || created.beforeMs < rejection.afterMs) return false
  if (created.afterMs < rejection.beforeMs) return false
  const { signedAt } = created
  const isSignedBefore = signedAt !== null && rejection.signedAt !== null && signedAt < rejection.signedAt
  return isSignedBefore || created.receivedAtMs < rejection.afterMs
}

function expectTruth({ answers }: World): void {
  const createds = answers.filter(({ verdict }) => verdict === 'created')
  const rejections = answers.filter(({ verdict }) => REJECTED.has(verdict))
  for (const created of createds) {
    expect(created).toMatchObject({ isLate: false, isJudgedNo: false })
    for (const rejection of rejections)
      expect([created, rejection, breaks(created, rejection)]).toContain(false)
    // Each refid has one payment, and no client is told afterwards that there is none.
    expect(createds.filter(({ refid }) => refid === created.refid)).toHaveLength(1)
    const denied = rejections.filter(
      ({ refid, afterMs }) => refid === created.refid && afterMs >= created.beforeMs,
    )
    expect(denied).toEqual([])
  }
  for (const { verdict, isLate } of answers) expect(isLate && REJECTED.has(verdict)).toBe(false)
}

/** Expects a reason for every `outranked` request: an earlier rejection that it may be older than. */
function expectService({ answers }: World): void {
  for (const [index, request] of answers.entries()) {
    if (request.verdict !== 'outranked') continue
    const earlier = answers.filter(
      (each, place) =>
        place !== index &&
        each.refid === request.refid &&
        REJECTED.has(each.verdict) &&
        each.afterMs <= request.beforeMs,
    )
    const isOlder = (each: Answered) =>
      request.receivedAtMs <= each.beforeMs ||
      (request.signedAt !== null && each.signedAt !== null && request.signedAt < each.signedAt)
    expect([request, earlier.some(isOlder)]).toContain(true)
  }
}

it('no request creates a payment after a rejection that it is older than, or after its time, whatever is delayed', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (drawn) => {
      const world: World = { resellerId: await bench.newReseller(30n), underway: new Map(), answers: [] }
      for (const step of drawn) await act(world, step)
      await arrive(world, [...world.underway.keys()])
      expectTruth(world)
      expectService(world)
    }),
    { numRuns: runs(60) },
  )
  await expectSoundMoney(bench.database)
})
