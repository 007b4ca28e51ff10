import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CasesBench } from '../../testing/cases.ts'
import {
  callerOf,
  createVoidingProvider,
  expectVoided,
  numberOf,
  openCasesBench,
  openVoid,
  requestFor,
  UNDECIDED,
} from '../../testing/cases.ts'
import { expectSoundMoney } from '../../testing/payments/payments.ts'
import { providersOf } from '../../testing/providers/scripted-provider.ts'
import { createTestClocks } from '../payments/core/clock.service.ts'
import type { Payment } from '../payments/core/types.ts'
import type { Cases } from './service.ts'
import type { CaseKey, DueFilter, NewCase } from './sql.ts'
import {
  approveVoid,
  changeCase,
  countOpenCases,
  findCase,
  hasOpenCase,
  listCases,
  listCasesOfPayment,
  listDueCases,
  listMessages,
  openCase,
  watchCases,
} from './sql.ts'
import type { Case, CaseFilter } from './types.ts'

let bench: CasesBench
let cases: Cases
let resellerId: bigint
let stranger: bigint

beforeAll(async () => {
  bench = await openCasesBench()
  cases = bench.casesAt('production')
})
afterAll(() => bench.close())
beforeEach(async () => {
  // Voids that an earlier test left must not be found by this one.
  await bench.database.query('truncate case_work')
  resellerId = await bench.newReseller(100_000n)
  stranger = await bench.newReseller(100_000n)
})
afterAll(() => expectSoundMoney(bench.database))

async function openDispute(payment: Payment): Promise<string> {
  return numberOf(await cases.open('dispute', callerOf(payment.resellerId), requestFor('dispute', payment)))
}

async function keyOf(whose: bigint, number: string): Promise<CaseKey> {
  return { resellerId: whose, id: (await bench.caseOf(number)).id }
}

/** Gives a case the id of another account's case: the key of a case is its account and its id. */
async function shareId(number: string, other: string): Promise<void> {
  const key = `from cases o, cases t where o.number = $1 and t.number = $2 and x.reseller_id = o.reseller_id`
  for (const table of ['case_work', 'case_messages']) {
    await bench.database.query(`update ${table} x set case_id = t.id ${key} and x.case_id = o.id`, [
      number,
      other,
    ])
  }
  await bench.database.query(`update cases x set id = t.id ${key} and x.id = o.id`, [number, other])
}

const approve = (key: CaseKey) =>
  approveVoid(bench.database, key, { author: 'operator', text: 'Approved.', evidence: 'letter' })
const refuse = (key: CaseKey) =>
  changeCase(bench.database, key, { state: 'refused', author: 'operator', text: 'No.' })

describe('the approval of a void', () => {
  it('an approval of another account’s case, or of a dispute, finds no void, and moves nothing', async () => {
    const payment = await bench.succeed(resellerId)
    const disputed = await bench.succeed(resellerId)
    const number = await openVoid(cases, payment)
    const dispute = await openDispute(disputed)
    for (const key of [await keyOf(stranger, number), await keyOf(resellerId, dispute)]) {
      await expect(approve(key)).rejects.toThrow('query returned no rows')
    }
    expect([await bench.codeOf(payment), await bench.codeOf(disputed)]).toEqual([20, 20])
    expect(await bench.balanceOf(resellerId)).toBe(80_000n)
    for (const each of [number, dispute]) expect(await bench.caseOf(each)).toMatchObject({ state: 'open' })
  })

  it('an approval is of the account’s own case, though another account has one with the same id', async () => {
    const payment = await bench.succeed(resellerId)
    const theirs = await openVoid(cases, await bench.succeed(stranger))
    const mine = await openVoid(cases, payment)
    await refuse(await keyOf(stranger, theirs))
    await shareId(mine, theirs)
    expect(await approve(await keyOf(stranger, theirs))).toBe('refused_before')
    expect(await approve(await keyOf(resellerId, mine))).toBe('approved')
    await expectVoided(bench, payment)
    expect(await bench.caseOf(theirs)).toMatchObject({ state: 'refused' })
  })

  it('an approval that comes again, or after a refusal, says so and refunds nothing', async () => {
    const [payment, other] = [await bench.succeed(resellerId), await bench.succeed(stranger)]
    const approved = await keyOf(resellerId, await openVoid(cases, payment))
    const refused = await keyOf(stranger, await openVoid(cases, other))
    await refuse(refused)
    expect(await approve(approved)).toBe('approved')
    expect(await approve(approved)).toBe('resolved_before')
    expect(await approve(refused)).toBe('refused_before')
    await expectVoided(bench, payment)
    expect(await bench.codeOf(other)).toBe(20)
  })

  it('an approval of a payment that was voided without its case ends the case, and refunds nothing more', async () => {
    const payment = await bench.succeed(resellerId)
    const number = await openVoid(cases, payment)
    const { id } = payment
    await bench.node.resolver.submit({ resellerId, id, outcome: { kind: 'voided' }, nextMs: 0 })
    expect(await approve(await keyOf(resellerId, number))).toBe('approved')
    await expectVoided(bench, payment)
    expect(await bench.caseOf(number)).toMatchObject({ state: 'resolved' })
  })

  it('an approval after a refusal is told to operators, though a later case of the payment is open that does not ask for the refund', async () => {
    const payment = await bench.succeed(resellerId)
    const number = await openVoid(cases, payment)
    await refuse(await keyOf(resellerId, number))
    const later = await openDispute(payment)
    // Questions for another payment of the account, and for a case of another account with the id of the later one.
    await openVoid(cases, await bench.succeed(resellerId))
    await shareId(await openVoid(cases, await bench.succeed(stranger)), later)
    expect(await approve(await keyOf(resellerId, number))).toBe('refused_before')
    expect(await bench.alertsAbout(number)).toEqual([{ kind: 'void_contradiction', severity: 'critical' }])
    expect(await bench.codeOf(payment)).toBe(20)
  })
})

describe('a step of a case', () => {
  it('a message leaves the case waiting for a person; a step to another state does not', async () => {
    const number = await openDispute(await bench.succeed(resellerId))
    const key = await keyOf(resellerId, number)
    const step = { author: 'operator', text: 'We look into it.' } as const
    expect(await changeCase(bench.database, key, { ...step, state: null })).toBe(true)
    expect(await bench.alertsAbout(number)).toEqual([{ kind: 'case_waiting', severity: 'warning' }])
    expect(await changeCase(bench.database, key, { ...step, state: 'in_progress' })).toBe(true)
    expect(await bench.alertsAbout(number)).toEqual([])
  })

  it('the end of a case ends its own questions, and not those of another account’s case with the same id', async () => {
    const theirs = await openVoid(cases, await bench.succeed(stranger))
    const mine = await openVoid(cases, await bench.succeed(resellerId))
    await shareId(mine, theirs)
    await refuse(await keyOf(resellerId, mine))
    expect(await bench.caseOf(mine)).toMatchObject({ state: 'refused', is_asked: false })
    expect(await bench.caseOf(theirs)).toMatchObject({ state: 'open', is_asked: true })
  })

  it('each change is told to operators’ pages', async () => {
    const number = await openDispute(await bench.succeed(resellerId))
    await refuse(await keyOf(resellerId, number))
    const told = (await bench.factsOf(0n)).filter(({ data }) => data.number === number)
    expect(told).toEqual(
      ['open', 'refused'].map((state) => ({
        type: 'case.changed',
        data: { number, kind: 'dispute', state },
      })),
    )
  })
})

describe('a case that is opened', () => {
  const newCase = ({ id, refid }: Payment): NewCase => ({
    resellerId,
    paymentId: id,
    kind: 'dispute',
    refid,
    cc: [],
    refund: null,
    memberId: '1',
    requestId: randomUUID(),
    text: 'Opened.',
    dueAfterSeconds: 86_400,
    isWorked: true,
    asks: false,
  })

  it('is found by its request that is run again, though it is closed and another one is open', async () => {
    const payment = await bench.succeed(resellerId)
    const given = newCase(payment)
    const opened = await openCase(bench.database, given)
    if (opened.verdict !== 'opened') throw new Error(opened.verdict)
    await refuse(await keyOf(resellerId, opened.number))
    const later = await openCase(bench.database, newCase(payment))
    expect(later).toMatchObject({ verdict: 'opened' })
    expect(await openCase(bench.database, given)).toEqual(opened)
    expect(later).not.toEqual(opened)
  })

  it('is due, and told to operators as late, after the given time', async () => {
    const opened = await openCase(bench.database, newCase(await bench.succeed(resellerId)))
    if (opened.verdict !== 'opened') throw new Error(opened.verdict)
    const { rows } = await bench.database.query(
      `select due_at - opened_at = interval '1 day' as is_due_after, watch_at = due_at as is_watched_then
         from cases where number = $1`,
      [opened.number],
    )
    expect(rows).toEqual([{ is_due_after: true, is_watched_then: true }])
  })
})

it('cases past their due time are told to operators one after the other, however few at a time', async () => {
  const numbers = [
    await openDispute(await bench.succeed(resellerId)),
    await openDispute(await bench.succeed(resellerId)),
  ]
  for (const number of numbers) await bench.ageCase(number, 3 * 86_400)
  const counts: number[] = []
  for (let run = 0; run < 3; run += 1) counts.push(await watchCases(bench.database, 1, 3_600))
  expect(counts).toEqual([1, 1, 0])
  for (const number of numbers) {
    expect(await bench.alertsAbout(number)).toContainEqual({ kind: 'case_overdue', severity: 'critical' })
  }
})

it('the test clock brings the next question to a provider nearer', async () => {
  await openVoid(cases, await bench.succeed(resellerId))
  const voiding = bench.voidingAt(providersOf(createVoidingProvider(UNDECIDED)))
  expect(await voiding.runOnce()).toBe(1)
  expect(await voiding.runOnce()).toBe(0)
  await createTestClocks(bench.database).advance(resellerId, 3_600)
  expect(await voiding.runOnce()).toBe(1)
})

describe('the lists of cases', () => {
  const numbersOf = (found: readonly Case[]) => found.map(({ number }) => number)

  it('open cases are listed by their due times, page by page, of one account or of all', async () => {
    const open = async (whose: bigint, ageSeconds: number, isVoid = false) => {
      const payment = await bench.succeed(whose)
      const number = isVoid ? await openVoid(cases, payment) : await openDispute(payment)
      await bench.ageCase(number, ageSeconds)
      return number
    }
    const third = await open(resellerId, 20, true)
    const second = await open(resellerId, 50)
    const first = await open(resellerId, 100)
    const closed = await open(resellerId, 200)
    const theirs = await open(stranger, 70)
    await refuse(await keyOf(resellerId, closed))
    const step = { state: 'in_progress', author: 'operator', text: 'Taken.' } as const
    await changeCase(bench.database, await keyOf(resellerId, first), step)
    const list = async (change: Partial<DueFilter>) =>
      numbersOf(
        await listDueCases(bench.database, {
          resellerId,
          state: null,
          kind: null,
          afterId: null,
          limit: 50,
          ...change,
        }),
      )
    expect(await list({})).toEqual([first, second, third])
    expect(await list({ limit: 2 })).toEqual([first, second])
    expect(await list({ afterId: (await bench.caseOf(second)).id })).toEqual([third])
    expect(await list({ state: 'open' })).toEqual([second, third])
    expect(await list({ state: 'in_progress' })).toEqual([first])
    expect(await list({ kind: 'void' })).toEqual([third])
    const ours = new Set([first, second, third, closed, theirs])
    const all = await list({ resellerId: null, limit: 1_000 })
    expect(all.filter((number) => ours.has(number))).toEqual([first, theirs, second, third])
  })

  it('open cases are counted, and those among them that are late', async () => {
    const before = await countOpenCases(bench.database)
    const late = await openDispute(await bench.succeed(resellerId))
    const closed = await openDispute(await bench.succeed(resellerId))
    await openDispute(await bench.succeed(resellerId))
    for (const number of [late, closed]) await bench.ageCase(number, 30 * 86_400)
    await refuse(await keyOf(resellerId, closed))
    expect(await countOpenCases(bench.database)).toEqual({
      open: before.open + 2,
      overdue: before.overdue + 1,
    })
  })

  it('a span of time has the case that was opened when it begins, and not the one that was opened when it ends', async () => {
    const number = await openDispute(await bench.succeed(resellerId))
    await bench.database.query(
      `update cases set opened_at = date_trunc('milliseconds', opened_at) where number = $1`,
      [number],
    )
    const atMs = (await findCase(bench.database, resellerId, number))?.openedAt.getTime() ?? Number.NaN
    const list = async (change: Partial<CaseFilter>) => {
      const any = { state: null, kind: null, fromMs: null, untilMs: null, beforeId: null, limit: 50 }
      return numbersOf(await listCases(bench.database, resellerId, { ...any, ...change }))
    }
    expect(await list({ fromMs: atMs })).toEqual([number])
    expect(await list({ fromMs: atMs + 1 })).toEqual([])
    expect(await list({ untilMs: atMs })).toEqual([])
    expect(await list({ untilMs: atMs + 1 })).toEqual([number])
  })

  it('the cases of a payment are its own, newest first', async () => {
    const payment = await bench.succeed(resellerId)
    const first = await openDispute(payment)
    await refuse(await keyOf(resellerId, first))
    const second = await openDispute(payment)
    await openDispute(await bench.succeed(resellerId))
    const list = async (whose: bigint, limit: number) =>
      numbersOf(await listCasesOfPayment(bench.database, whose, payment.id, limit))
    expect(await list(resellerId, 10)).toEqual([second, first])
    expect(await list(resellerId, 1)).toEqual([second])
    expect(await list(stranger, 10)).toEqual([])
  })

  it('a payment has an open case when it has one itself', async () => {
    const [payment, other] = [await bench.succeed(resellerId), await bench.succeed(resellerId)]
    const number = await openDispute(payment)
    expect(await hasOpenCase(bench.database, payment)).toBe(true)
    expect(await hasOpenCase(bench.database, other)).toBe(false)
    expect(await hasOpenCase(bench.database, { resellerId: stranger, id: payment.id })).toBe(false)
    await refuse(await keyOf(resellerId, number))
    expect(await hasOpenCase(bench.database, payment)).toBe(false)
  })

  it('the messages of a case are its own, though another account has a case with the same id', async () => {
    const theirs = await openDispute(await bench.succeed(stranger))
    const mine = await openDispute(await bench.succeed(resellerId))
    await openDispute(await bench.succeed(resellerId))
    await shareId(mine, theirs)
    const key = await keyOf(resellerId, mine)
    await changeCase(bench.database, key, { state: null, author: 'operator', text: 'Hello.' })
    const messages = await listMessages(bench.database, key, 10)
    expect(messages.map(({ author }) => author)).toEqual(['reseller', 'operator'])
    expect(await listMessages(bench.database, await keyOf(stranger, theirs), 10)).toHaveLength(1)
  })
})
