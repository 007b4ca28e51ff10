import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openDatabase } from '../../db/database.ts'
import type { CasesBench } from '../../testing/cases.ts'
import {
  APPROVED,
  BILL,
  createVoidingProvider,
  expectUntouched,
  expectVoided,
  FAULTS_BEFORE_RECEIPT,
  openCasesBench,
  openVoid,
  REFUSED,
  UNDECIDED,
} from '../../testing/cases.ts'
import { openBreakableLine } from '../../testing/network/breakable-line.ts'
import { beginAttempt } from '../../testing/payments/dispatching.ts'
import { newOutcomes } from '../../testing/payments/outcomes.ts'
import { expectSoundMoney, LEASE_MS, payWith } from '../../testing/payments/payments.ts'
import { FAILED, NEVER, providersOf, SUCCEEDED } from '../../testing/providers/scripted-provider.ts'
import { listChanges } from '../payments/core/sql.ts'
import type { Provider } from '../providers/port/types.ts'
import { approveCase, refuseCase, takeCase } from './operators.service.ts'
import type { Cases } from './service.ts'

let bench: CasesBench
let cases: Cases
let resellerId: bigint

const POLL = { timeout: 60_000 }

beforeAll(async () => {
  bench = await openCasesBench()
  cases = bench.casesAt('production')
})
afterAll(() => bench.close())
beforeEach(async () => {
  // Voids that an earlier test left must not be found by this one.
  await bench.database.query('truncate case_work')
  resellerId = await bench.newReseller(100_000n)
})
afterAll(() => expectSoundMoney(bench.database))

const context = () => ({ database: bench.database })

/** Opens a case of a void that is to be asked for, and a node that asks this provider. */
async function openOne(provider: Provider, settings: { leaseMs?: number } = {}) {
  const payment = await bench.succeed(resellerId)
  const number = await openVoid(cases, payment)
  return { payment, number, voiding: bench.voidingAt(providersOf(provider), settings) }
}

describe('a void that the provider approves', () => {
  it('is refunded, voided, written on the timeline and told, and its case is resolved', async () => {
    const { payment, number, voiding } = await openOne(createVoidingProvider(APPROVED))
    expect(await voiding.runOnce()).toBe(1)
    await expectVoided(bench, payment)
    expect(await bench.caseOf(number)).toMatchObject({ state: 'resolved', is_asked: false })
    expect(await bench.messagesOf(number)).toMatchObject([
      { author: 'reseller' },
      { author: 'system', text: expect.stringContaining('approved') },
    ])
    expect((await listChanges(bench.database, resellerId, payment.id, 10)).at(-1)).toMatchObject({
      kind: 'state',
      code: 53,
      detail: `Refund; case ${number}: void approved by scripted`,
    })
    const told = (await bench.factsOf(resellerId)).map(({ type }) => type)
    expect(told).toEqual(['case.opened', 'case.resolved'])
    expect(await bench.noticesOf(resellerId)).toHaveLength(2)
    const { rows } = await bench.database.query<{ source: string; at: Date }>(
      `select source, xmin::text as commit from event_facts
        where reseller_ids = array[$1::bigint] and id > (select max(id) from event_facts where type = 'case.opened'
          and reseller_ids = array[$1::bigint]) order by id`,
      [resellerId],
    )
    expect(rows.map(({ source }) => source)).toEqual(['moved', 'refunded', 'own'])
    expect(new Set(rows.map((row) => (row as unknown as { commit: string }).commit)).size).toBe(1)
    expect(voiding.problems).toEqual([])
  })

  it('is asked for by the reference of the attempt that succeeded, at the provider that had it', async () => {
    const [first, second] = [
      createVoidingProvider(REFUSED, 'first'),
      createVoidingProvider(APPROVED, 'second'),
    ]
    const payment = await payWith(bench.node, resellerId, {
      product: BILL,
      provider: 'first',
      extras: { icNumber: '900101145678' },
    })
    await beginAttempt(
      bench.database,
      { reseller_id: resellerId, payment_id: payment.id, attempt: 1 },
      LEASE_MS,
      'test',
    )
    await bench.database.query(
      `update payment_changes set provider = 'second' where payment_id = $1 and kind = 'attempt'`,
      [payment.id],
    )
    await bench.database.query(`update payments set provider = 'second' where id = $1`, [payment.id])
    await bench.node.resolver.submit({
      resellerId,
      id: payment.id,
      outcome: SUCCEEDED,
      attempt: 2,
      nextMs: 0,
    })
    await openVoid(cases, payment)
    await bench.voidingAt(providersOf(first, second)).runOnce()
    expect(first.voidsAsked).toEqual([])
    expect(second.voidsAsked).toMatchObject([
      {
        reference: `W${payment.id}-2`,
        productCode: BILL,
        account: payment.account,
        icNumber: '900101145678',
      },
    ])
    await expectVoided(bench, payment)
  })

  it('after the case was refused moves nothing, and an operator is told', async () => {
    const provider = createVoidingProvider(APPROVED)
    const { payment, number, voiding } = await openOne(provider)
    provider.answer = async () => {
      await refuseCase(context(), number, 'The biller said no on the phone')
      return APPROVED
    }
    await voiding.runOnce()
    await expectUntouched(bench, payment)
    expect(await bench.caseOf(number)).toMatchObject({ state: 'refused' })
    expect(await bench.alertsAbout(number)).toEqual([{ kind: 'void_contradiction', severity: 'critical' }])
  })

  it('after an operator refused what the provider still had moves nothing, and an operator is told', async () => {
    const provider = createVoidingProvider(UNDECIDED)
    const { payment, number, voiding } = await openOne(provider)
    await voiding.runOnce()
    await refuseCase(context(), number, 'The biller said no on the phone')
    expect(await bench.caseOf(number)).toMatchObject({ state: 'refused', is_asked: true })
    provider.answer = () => APPROVED
    await bench.ageCase(number, 60)
    expect(await voiding.runOnce()).toBe(1)
    await expectUntouched(bench, payment)
    expect(await bench.alertsAbout(number)).toEqual([{ kind: 'void_contradiction', severity: 'critical' }])
    expect(await bench.caseOf(number)).toMatchObject({ state: 'refused', is_asked: false })
  })

  it('is no contradiction when a later case of the payment asks for it, and is refunded by that one', async () => {
    const provider = createVoidingProvider(UNDECIDED)
    const { payment, number, voiding } = await openOne(provider)
    const slow = bench.voidingAt(providersOf(provider))
    await voiding.runOnce()
    await refuseCase(context(), number, 'No')
    await bench.ageCase(number, 60)
    let later = ''
    provider.answer = async () => {
      later = await openVoid(cases, payment)
      return APPROVED
    }
    await slow.runOnce()
    await expectUntouched(bench, payment)
    expect(await bench.caseOf(number)).toMatchObject({ is_asked: false })
    provider.answer = () => APPROVED
    await voiding.runOnce()
    await expectVoided(bench, payment)
    expect(await bench.caseOf(later)).toMatchObject({ state: 'resolved', is_asked: false })
    expect(await bench.alertsAbout(number)).toEqual([])
  })

  it('after an operator approved it is not refunded again', async () => {
    const provider = createVoidingProvider(APPROVED)
    const { payment, number, voiding } = await openOne(provider)
    provider.answer = async () => {
      await approveCase(context(), number, { evidence: 'letter' })
      return APPROVED
    }
    await voiding.runOnce()
    await expectVoided(bench, payment)
    expect(await bench.alertsAbout(number)).toEqual([])
    expect(await bench.messagesOf(number)).toHaveLength(2)
  })

  it('although the provider said meanwhile that the order had failed is refunded once', async () => {
    const provider = createVoidingProvider(APPROVED)
    const { payment, number, voiding } = await openOne(provider)
    const contradict = () =>
      bench.node.resolver.submit({ resellerId, id: payment.id, outcome: FAILED, attempt: 1, nextMs: 0 })
    expect(await contradict()).toBe(false)
    await expectUntouched(bench, payment)
    provider.answer = async () => {
      await contradict()
      return APPROVED
    }
    await voiding.runOnce()
    expect(await contradict()).toBe(false)
    await expectVoided(bench, payment)
    expect(await bench.caseOf(number)).toMatchObject({ state: 'resolved' })
  })
})

describe('a void that the provider refuses', () => {
  it('is refused with its reason, and stays paid', async () => {
    const { payment, number, voiding } = await openOne(createVoidingProvider(REFUSED))
    await voiding.runOnce()
    await expectUntouched(bench, payment)
    expect(await bench.caseOf(number)).toMatchObject({ state: 'refused', is_asked: false })
    expect((await bench.messagesOf(number)).at(-1)).toEqual({
      author: 'system',
      text: 'The biller refused the void: too late',
    })
    expect((await bench.factsOf(resellerId)).at(-1)).toMatchObject({
      type: 'case.refused',
      data: { number, state: 'refused', transaction_id: String(payment.id) },
    })
    expect(await voiding.runOnce()).toBe(0)
  })

  it('after an operator approved it stays refunded, and an operator is told', async () => {
    const provider = createVoidingProvider(REFUSED)
    const { payment, number, voiding } = await openOne(provider)
    provider.answer = async () => {
      await approveCase(context(), number, { evidence: 'letter' })
      return REFUSED
    }
    await voiding.runOnce()
    await expectVoided(bench, payment)
    expect(await bench.alertsAbout(number)).toEqual([{ kind: 'void_contradiction', severity: 'critical' }])
  })
})

describe('a void that the provider does not decide', () => {
  it.each([
    ['pending', UNDECIDED],
    ['unknown', FAULTS_BEFORE_RECEIPT],
  ])('%s: is asked again later, and never refunded by guess', async (_, answer) => {
    const provider = createVoidingProvider(answer)
    const { payment, number, voiding } = await openOne(provider)
    for (let questions = 1; questions <= 3; questions += 1) {
      expect(await voiding.runOnce()).toBe(1)
      expect(await voiding.runOnce()).toBe(0)
      expect(await bench.caseOf(number)).toMatchObject({ state: 'open', is_asked: true, questions })
      await bench.ageCase(number, 60)
    }
    await expectUntouched(bench, payment)
    expect(new Set(provider.voidsAsked.map(({ reference }) => reference)).size).toBe(1)
    provider.answer = () => APPROVED
    await voiding.runOnce()
    await expectVoided(bench, payment)
  })

  it('because it throws, is unknown', async () => {
    const provider = createVoidingProvider(APPROVED)
    provider.answer = () => Promise.reject(new Error('a bug in the connector'))
    const { payment, number, voiding } = await openOne(provider)
    await voiding.runOnce()
    await expectUntouched(bench, payment)
    expect(await bench.caseOf(number)).toMatchObject({ state: 'open', questions: 1 })
  })

  it('because it never answers, is let go before the lease ends', async () => {
    const provider = createVoidingProvider(APPROVED)
    provider.answer = () => NEVER
    const { number, voiding } = await openOne(provider, { leaseMs: 200 })
    // A lease can end before it is used on a busy machine; then another begins.
    await expect
      .poll(async () => {
        await voiding.runOnce()
        return (await bench.caseOf(number)).questions
      }, POLL)
      .toBe(1)
    expect(await bench.caseOf(number)).toMatchObject({ state: 'open', is_asked: true })
  })

  it('is put off by nobody who no longer has it', async () => {
    const slow = createVoidingProvider(UNDECIDED)
    const { number, voiding } = await openOne(slow)
    const answers: (() => void)[] = []
    slow.answer = () => new Promise((resolve) => answers.push(() => resolve(UNDECIDED)))
    const away = voiding.runOnce()
    await expect.poll(() => answers.length, POLL).toBe(1)
    await bench.ageCase(number, 3_600)
    const other = createVoidingProvider(UNDECIDED)
    other.answer = async () => {
      answers[0]?.()
      await away
      return UNDECIDED
    }
    await bench.voidingAt(providersOf(other)).runOnce()
    expect(await bench.caseOf(number)).toMatchObject({ questions: 1 })
  })

  it('a void without a decision by the due time is told to operators each day, can be taken, and the provider is still asked', async () => {
    const provider = createVoidingProvider(UNDECIDED)
    const { payment, number, voiding } = await openOne(provider)
    await voiding.runOnce()
    expect(await voiding.watchOnce()).toBe(0)
    await bench.ageCase(number, 3 * 86_400)
    expect(await voiding.watchOnce()).toBe(1)
    expect(await voiding.watchOnce()).toBe(0)
    expect(await bench.caseOf(number)).toMatchObject({ state: 'open', is_asked: true })
    expect(await bench.alertsAbout(number)).toEqual([{ kind: 'case_overdue', severity: 'critical' }])
    await bench.database.query('update operator_alerts set cleared_at = now() where subject = $1', [number])
    await bench.ageCase(number, 86_400)
    expect(await voiding.watchOnce()).toBe(1)
    expect(await bench.alertsAbout(number)).toEqual([{ kind: 'case_overdue', severity: 'critical' }])
    expect(await takeCase(context(), number)).toMatchObject({ case: { state: 'in_progress' } })
    await expectUntouched(bench, payment)
    provider.answer = () => APPROVED
    expect(await voiding.runOnce()).toBe(1)
    await expectVoided(bench, payment)
    expect(await bench.alertsAbout(number)).toEqual([])
  })
})

describe('a decision that comes while the database is away', () => {
  it.each([
    ['an approval is refunded once', APPROVED, 'resolved'],
    ['a refusal closes the case', REFUSED, 'refused'],
  ] as const)('%s, and the provider is not asked again', async (_, answer, state) => {
    const line = await openBreakableLine(bench.connection)
    const database = openDatabase({ connection: line.connection, connectionsMax: 4, applicationName: 'test' })
    const outcomes = newOutcomes({ database, vault: bench.vault })
    const provider = createVoidingProvider(answer)
    provider.answer = () => {
      line.cut()
      return answer
    }
    const payment = await bench.succeed(resellerId)
    const number = await openVoid(cases, payment)
    const voiding = bench.voidingAt(providersOf(provider), { database, outcomes })
    await outcomes.start()
    await voiding.runOnce()
    expect(outcomes.kept).toBe(1)
    expect((await bench.caseOf(number)).state).toBe('open')
    line.mend()
    await vi.waitFor(async () => expect((await bench.caseOf(number)).state).toBe(state), POLL)
    if (state === 'resolved') await expectVoided(bench, payment)
    expect(provider.voidsAsked).toHaveLength(1)
    await voiding.stop()
    await outcomes.close()
    await database.close()
    await line.close()
  })
})
