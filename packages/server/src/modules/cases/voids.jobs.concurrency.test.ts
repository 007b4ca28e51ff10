import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CasesBench } from '../../testing/cases.ts'
import {
  APPROVED,
  callerOf,
  createVoidingProvider,
  openCasesBench,
  openVoid,
  REFUSED,
  requestFor,
} from '../../testing/cases.ts'
import { expectSoundMoney, LEASE_MS, letBatchesWait } from '../../testing/payments/payments.ts'
import { FAILED, providersOf } from '../../testing/providers/scripted-provider.ts'
import { HELD_CLOCK, STEADY_CLOCK } from '../../testing/steady-clock.ts'
import type { Payment } from '../payments/core/types.ts'
import type { VoidAnswer } from '../providers/port/types.ts'
import { approveCase, refuseCase } from './operators.service.ts'
import type { Cases } from './service.ts'
import { claimVoids } from './voids.sql.ts'

const NODES = 5
const ROUNDS = 8

let bench: CasesBench
let nodes: { cases: Cases; database: CasesBench['database'] }[]
let resellerId: bigint

beforeAll(async () => {
  bench = await openCasesBench()
  await letBatchesWait(bench.database)
  nodes = Array.from({ length: NODES }, () => {
    const database = bench.openAnother()
    return { database, cases: bench.casesAt('production', database) }
  })
})
afterAll(() => bench.close())
beforeEach(async () => {
  await bench.database.query('truncate case_work')
  resellerId = await bench.newReseller(1_000_000n)
})
afterAll(() => expectSoundMoney(bench.database))

const nodeAt = (index: number) => nodes[index % NODES] as (typeof nodes)[number]
const contextAt = (index: number) => ({ database: nodeAt(index).database })

async function refundsOf(payment: Payment): Promise<number> {
  const entries = await bench.entriesOf(payment.resellerId)
  return entries.filter(({ kind, payment_id }) => kind === 'refund' && payment_id === payment.id).length
}

/** Expects that money and case agree: refunded exactly when the case is resolved. */
async function expectOneMind(payment: Payment, number: string): Promise<string> {
  const { state, is_asked } = await bench.caseOf(number)
  expect({ state, is_asked }).toEqual({ state: expect.stringMatching(/resolved|refused/), is_asked: false })
  const isVoided = state === 'resolved'
  expect(await bench.codeOf(payment)).toBe(isVoided ? 53 : 20)
  expect(await refundsOf(payment)).toBe(isVoided ? 1 : 0)
  const ends = (await bench.factsOf(payment.resellerId)).filter(
    ({ type, data }) => data.number === number && (type === 'case.resolved' || type === 'case.refused'),
  )
  expect(ends).toMatchObject([{ type: `case.${state}` }])
  return state
}

describe('fifty that ask at once, on several nodes', () => {
  it.each([
    ['for a void', ['void']],
    ['for a dispute', ['dispute']],
    ['for either', ['void', 'dispute']],
  ] as const)('%s make one case', async (_, kinds) => {
    const payment = await bench.succeed(resellerId)
    const results = await Promise.all(
      Array.from({ length: 50 }, (_each, index) => {
        const kind = kinds[index % kinds.length] as (typeof kinds)[number]
        return nodeAt(index).cases.open(kind, callerOf(resellerId), requestFor(kind, payment))
      }),
    )
    expect(results.filter(({ kind }) => kind === 'opened')).toHaveLength(1)
    expect(results.filter(({ kind }) => kind === 'already_open')).toHaveLength(49)
    const { rows } = await bench.database.query('select number from cases where payment_id = $1', [
      payment.id,
    ])
    expect(rows).toHaveLength(1)
  })

  it('while the void is approved find it open or voided, and nothing is opened on what was voided', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const payment = await bench.succeed(resellerId)
      const number = await openVoid(nodeAt(0).cases, payment)
      const asked = Array.from({ length: 12 }, (_, index) =>
        nodeAt(index).cases.open('dispute', callerOf(resellerId), requestFor('dispute', payment)),
      )
      const [, ...results] = await Promise.all([
        approveCase(contextAt(round), number, { evidence: 'x' }),
        ...asked,
      ])
      for (const { kind } of results) expect(['already_open', 'voided_before']).toContain(kind)
      expect(await expectOneMind(payment, number)).toBe('resolved')
    }
  })
})

it('a void that every node asks for is asked by one at a time and refunded once', async () => {
  const payments = await Promise.all(Array.from({ length: 10 }, () => bench.succeed(resellerId)))
  const numbers = await Promise.all(payments.map((payment, index) => openVoid(nodeAt(index).cases, payment)))
  const provider = createVoidingProvider(APPROVED)
  const voidings = Array.from({ length: NODES }, () => bench.voidingAt(providersOf(provider)))
  const claimed = await Promise.all(voidings.map((voiding) => voiding.runOnce()))
  expect(claimed.reduce((sum, each) => sum + each, 0)).toBe(10)
  expect(provider.voidsAsked).toHaveLength(10)
  for (const [index, payment] of payments.entries()) {
    expect(await expectOneMind(payment, numbers[index] as string)).toBe('resolved')
  }
})

it('a node that was away for longer than its lease refunds nothing again', async () => {
  const payment = await bench.succeed(resellerId)
  const number = await openVoid(nodeAt(0).cases, payment)
  const slow = createVoidingProvider(APPROVED)
  const answers: ((answer: VoidAnswer) => void)[] = []
  slow.answer = () => new Promise((resolve) => answers.push(resolve))
  const away = bench.voidingAt(providersOf(slow)).runOnce()
  while (answers.length === 0) await new Promise((resolve) => setImmediate(resolve))
  await bench.ageCase(number, 3_600)
  const other = bench.voidingAt(providersOf(createVoidingProvider(APPROVED)))
  expect(await other.runOnce()).toBe(1)
  expect(await expectOneMind(payment, number)).toBe('resolved')
  answers[0]?.(APPROVED)
  await away
  expect(await expectOneMind(payment, number)).toBe('resolved')
})

it('a void whose lease seems to be over is not taken over while the database’s clock is not believed', async () => {
  const number = await openVoid(nodeAt(0).cases, await bench.succeed(resellerId))
  const claim = async (believedUntil: Date) =>
    (await claimVoids(bench.database, { limit: 10, leaseMs: 0, believedUntil })).map((work) => work.number)
  expect(await claim(new Date(0))).toEqual([number])
  expect(await claim(new Date(0))).toEqual([])
  expect(await claim(STEADY_CLOCK.believedUntil())).toEqual([number])
})

it('a node that saw the database’s clock move asks for new voids, and for none that another node may be asking for', async () => {
  const [taken, fresh] = [await bench.succeed(resellerId), await bench.succeed(resellerId)]
  const number = await openVoid(nodeAt(0).cases, taken)
  const believedUntil = STEADY_CLOCK.believedUntil()
  const terms = { limit: 10, leaseMs: LEASE_MS, believedUntil }
  expect(await claimVoids(bench.database, terms)).toHaveLength(1)
  await bench.ageCase(number, 3_600)
  await openVoid(nodeAt(0).cases, fresh)
  const provider = createVoidingProvider(APPROVED)
  const providers = providersOf(provider)
  expect(await bench.voidingAt(providers, { leaseClock: HELD_CLOCK }).runOnce()).toBe(1)
  expect(await bench.codeOf(fresh)).toBe(53)
  expect(await bench.codeOf(taken)).toBe(20)
  expect(await bench.voidingAt(providers).runOnce()).toBe(1)
  expect(await bench.codeOf(taken)).toBe(53)
})

it.each([
  ['refuse', 'an approving provider', APPROVED],
  ['approve', 'a refusing provider', REFUSED],
  ['both', 'an approving provider', APPROVED],
  ['both', 'a refusing provider', REFUSED],
] as const)('operators who %s, raced with %s: one word holds, one refund at most', async (who, _, answer) => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const payment = await bench.succeed(resellerId)
    const number = await openVoid(nodeAt(round).cases, payment)
    const voiding = bench.voidingAt(providersOf(createVoidingProvider(answer)))
    const words = [0, 1, 2, 3].flatMap((index) => [
      ...(who === 'refuse' ? [] : [() => approveCase(contextAt(index), number, { evidence: 'x' })]),
      ...(who === 'approve' ? [] : [() => refuseCase(contextAt(index), number, 'No')]),
    ])
    const contradiction = () =>
      bench.node.resolver.submit({ resellerId, id: payment.id, outcome: FAILED, attempt: 1, nextMs: 0 })
    const results = await Promise.allSettled([
      ...words.map((say) => say()),
      voiding.runOnce(),
      contradiction(),
    ])
    for (const result of results) {
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ status: 409, code: 'case_closed' })
    }
    expect(voiding.problems).toEqual([])
    await expectOneMind(payment, number)
  }
})
