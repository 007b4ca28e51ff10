import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { beginAttempt, recoveryAt } from '../../../testing/payments/dispatching.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import { expectSoundMoney, LEASE_MS, openPaymentsBench, payWith } from '../../../testing/payments/payments.ts'
import type { ScriptedProvider } from '../../../testing/providers/scripted-provider.ts'
import {
  createScriptedProvider,
  FAILED,
  NOT_FOUND,
  PENDING,
  providersOf,
  SUCCEEDED,
  UNKNOWN,
} from '../../../testing/providers/scripted-provider.ts'
import { HELD_CLOCK, STEADY_CLOCK } from '../../../testing/steady-clock.ts'
import type { QueryAnswer } from '../../providers/port/types.ts'
import { advanceClock, listChanges } from '../core/sql.ts'
import type { Payment } from '../core/types.ts'
import type { Recovery } from './recovery.jobs.ts'
import { beginAttempts, countUnfinishedPayments } from './work.sql.ts'

let bench: PaymentsBench
let node: Node
const started: Recovery[] = []

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})
afterAll(() => bench.close())
beforeEach(async () => {
  // Work that another test left must not be found by this one.
  await bench.database.query(`update payment_work set next_at = now() + interval '1 day'`)
  await bench.database.query('truncate payment_open_attempts')
})
afterEach(async () => {
  await Promise.all(started.splice(0).map((recovery) => recovery.stop()))
  await expectSoundMoney(bench.database)
})

const LEASE_S = LEASE_MS / 1_000
const PROOF_S = 30

function recoveryWith(provider: ScriptedProvider, leaseClock = STEADY_CLOCK): Recovery {
  const recovery = recoveryAt(bench, providersOf(provider), { leaseClock })
  started.push(recovery)
  return recovery
}

const asks = (answer: QueryAnswer, code = 'scripted') => createScriptedProvider(PENDING, answer, { code })

/** Creates a payment whose attempt 2 was begun, and may have been sent, before attempt 1 is reported as succeeded. */
async function payWithTwoAttempts(): Promise<Payment> {
  const payment = await payWith(node, await bench.newReseller(10_000n))
  await beginSecond(payment)
  await report(payment, 1)
  expect(await bench.codeOf(payment)).toBe(20)
  return payment
}

async function beginSecond({ resellerId, id }: Payment): Promise<void> {
  const work = { reseller_id: resellerId, payment_id: id, attempt: 1 }
  await beginAttempt(bench.database, work, LEASE_MS, 'as a test')
}

function report({ resellerId, id }: Payment, attempt: number, outcome = SUCCEEDED): Promise<boolean> {
  return node.resolver.submit({ resellerId, id, attempt, outcome, nextMs: 1_000 })
}

async function ageOpen({ id }: Payment, seconds: number): Promise<void> {
  await bench.database.query(
    `update payment_open_attempts set submitted_at = submitted_at - make_interval(secs => $2),
            next_at = next_at - make_interval(secs => $2) where payment_id = $1`,
    [id, seconds],
  )
}

async function openOf({ id }: Payment): Promise<unknown[]> {
  const { rows } = await bench.database.query(
    'select attempt, provider, questions from payment_open_attempts where payment_id = $1 order by attempt',
    [id],
  )
  return rows
}

async function alertsAbout(...subjects: readonly string[]): Promise<unknown[]> {
  const { rows } = await bench.database.query(
    'select kind, severity, text from operator_alerts where subject = any ($1) and cleared_at is null',
    [subjects],
  )
  return rows
}

const stepsOf = async ({ resellerId, id }: Payment) =>
  (await listChanges(bench.database, resellerId, id, 20)).map(({ kind, detail }) => `${kind}: ${detail}`)

describe('a success of an earlier attempt', () => {
  it('ends the payment, and the later attempt is asked about, under its own reference, when its lease is over', async () => {
    const payment = await payWithTwoAttempts()
    const provider = asks(PENDING)
    const recovery = recoveryWith(provider)
    await recovery.runOnce()
    expect(provider.asked).toEqual([])
    await ageOpen(payment, LEASE_S + 1)
    await recovery.runOnce()
    expect(provider.asked.map(({ reference }) => reference)).toEqual([`W${payment.id}-2`])
    expect(await openOf(payment)).toEqual([{ attempt: 2, provider: 'scripted', questions: 1 }])
    expect(provider.submitted).toEqual([])
  })

  it('followed by a second fulfilment raises a critical alert with both references, and moves no money', async () => {
    const payment = await payWithTwoAttempts()
    await ageOpen(payment, LEASE_S + 1)
    await recoveryWith(asks(SUCCEEDED)).runOnce()
    expect(await alertsAbout(String(payment.id))).toEqual([
      {
        kind: 'payment_contradiction',
        severity: 'critical',
        text: expect.stringContaining(`references W${payment.id}-2 and W${payment.id}-1`),
      },
    ])
    expect(await openOf(payment)).toEqual([])
    expect(await bench.codeOf(payment)).toBe(20)
    expect(await bench.balanceOf(payment.resellerId)).toBe(0n)
  })

  it('followed by a second fulfilment is an alert also when the payment was voided meanwhile', async () => {
    const payment = await payWithTwoAttempts()
    const { resellerId, id } = payment
    await node.resolver.submit({ resellerId, id, outcome: { kind: 'voided' }, nextMs: 0 })
    await ageOpen(payment, LEASE_S + 1)
    await recoveryWith(asks(SUCCEEDED)).runOnce()
    expect(await alertsAbout(String(id))).toMatchObject([{ severity: 'critical' }])
    expect(await bench.codeOf(payment)).toBe(53)
  })

  it('followed by a failure closes the later attempt, and the timeline says so without an alert', async () => {
    const payment = await payWithTwoAttempts()
    await ageOpen(payment, LEASE_S + 1)
    const provider = asks(FAILED)
    const recovery = recoveryWith(provider)
    await recovery.runOnce()
    expect(await openOf(payment)).toEqual([])
    expect((await stepsOf(payment)).at(-1)).toBe(
      `late: attempt 2 (W${payment.id}-2) failed with 48; it was not the present one any more`,
    )
    expect(await alertsAbout(String(payment.id), `W${payment.id}-2`)).toEqual([])
    await ageOpen(payment, 3_600)
    await recovery.runOnce()
    expect(provider.asked).toHaveLength(1)
  })

  it('followed by “not found” is asked about until that proves that the later attempt never arrived', async () => {
    const payment = await payWithTwoAttempts()
    await ageOpen(payment, LEASE_S + 1)
    const recovery = recoveryWith(asks(NOT_FOUND))
    await recovery.runOnce()
    expect(await openOf(payment)).toMatchObject([{ attempt: 2, questions: 1 }])
    await advanceClock(bench.database, payment.resellerId, PROOF_S + 1)
    await recovery.runOnce()
    expect(await openOf(payment)).toEqual([])
    expect((await stepsOf(payment)).at(-1)).toBe(
      `late: attempt 2 (W${payment.id}-2) was never heard of by scripted`,
    )
  })

  it('leaves nothing open when the later attempt is known not to have been sent', async () => {
    const payment = await payWith(node, await bench.newReseller(10_000n))
    await beginSecond(payment)
    await bench.database.query('update payment_work set is_unsent = true where payment_id = $1', [payment.id])
    await report(payment, 1)
    expect(await openOf(payment)).toEqual([])
  })
})

describe('an attempt that nobody decides about', () => {
  it.each([
    ['pending', PENDING],
    ['unknown', UNKNOWN],
  ])('(%s) is asked about for ever, and operators are told once', async (_, answer) => {
    const payment = await payWithTwoAttempts()
    const recovery = recoveryWith(asks(answer))
    for (let round = 1; round <= 14; round += 1) {
      await ageOpen(payment, 3_600)
      expect(await recovery.runOnce()).toBe(1)
      expect(await openOf(payment)).toMatchObject([{ questions: round }])
    }
    expect(await alertsAbout(`W${payment.id}-2`)).toMatchObject([
      { kind: 'attempt_undecided', severity: 'warning' },
    ])
    await ageOpen(payment, 3_600)
    await recoveryWith(asks(FAILED)).runOnce()
    expect(await alertsAbout(`W${payment.id}-2`)).toEqual([])
  })

  it('waits while its provider is not configured, which cannot be removed for so long', async () => {
    const payment = await payWithTwoAttempts()
    await ageOpen(payment, LEASE_S + 1)
    const before = await countUnfinishedPayments(bench.database, 'scripted')
    await recoveryWith(asks(SUCCEEDED, 'other')).runOnce()
    expect(await openOf(payment)).toMatchObject([{ attempt: 2, questions: 1 }])
    await ageOpen(payment, 3_600)
    await recoveryWith(asks(FAILED)).runOnce()
    expect(await countUnfinishedPayments(bench.database, 'scripted')).toBe(before - 1)
  })

  it('is not taken over while the database’s clock is not believed, and is asked about then if nobody has it', async () => {
    const payment = await payWithTwoAttempts()
    await ageOpen(payment, LEASE_S + 1)
    const provider = asks(PENDING)
    await recoveryWith(provider, HELD_CLOCK).runOnce()
    expect(provider.asked).toEqual([])
    await recoveryWith(provider).runOnce()
    expect(provider.asked).toHaveLength(1)
    // No node holds the attempt now: a question that is due is not a takeover.
    await ageOpen(payment, 3_600)
    await recoveryWith(provider, HELD_CLOCK).runOnce()
    expect(provider.asked).toHaveLength(2)
  })

  it('is no proof that it never arrived, when only the database’s clock says that the time is over', async () => {
    const payment = await payWithTwoAttempts()
    await ageOpen(payment, LEASE_S + 1)
    const provider = asks(NOT_FOUND)
    await recoveryWith(provider).runOnce()
    await ageOpen(payment, LEASE_S + PROOF_S + 1)
    await recoveryWith(provider, HELD_CLOCK).runOnce()
    expect(provider.asked).toHaveLength(2)
    expect(await openOf(payment)).toMatchObject([{ attempt: 2, questions: 2 }])
  })

  it('is asked about by one node at a time, however many look', async () => {
    const payments = await Promise.all(Array.from({ length: 10 }, payWithTwoAttempts))
    for (const payment of payments) await ageOpen(payment, LEASE_S + 1)
    const provider = asks(PENDING)
    await Promise.all(Array.from({ length: 5 }, () => recoveryWith(provider).runOnce()))
    expect(provider.asked).toHaveLength(payments.length)
  })
})

describe('an earlier attempt of which a node that was away heard that it is undecided', () => {
  async function payWithUndecidedFirst(): Promise<Payment> {
    const payment = await payWith(node, await bench.newReseller(10_000n))
    await beginSecond(payment)
    expect(await report(payment, 1, PENDING)).toBe(false)
    expect(await openOf(payment)).toMatchObject([{ attempt: 1 }])
    return payment
  }

  it('ends the payment when it succeeds first, and the present attempt is asked about from then on', async () => {
    const payment = await payWithUndecidedFirst()
    await ageOpen(payment, 60)
    await recoveryWith(asks(SUCCEEDED)).runOnce()
    expect(await bench.codeOf(payment)).toBe(20)
    expect(await openOf(payment)).toMatchObject([{ attempt: 2 }])
  })

  it('is an alert when it succeeds after the present attempt did', async () => {
    const payment = await payWithUndecidedFirst()
    await report(payment, 2)
    await ageOpen(payment, 60)
    await recoveryWith(asks(SUCCEEDED)).runOnce()
    expect(await alertsAbout(String(payment.id))).toMatchObject([
      { severity: 'critical', text: expect.stringContaining(`W${payment.id}-1 and W${payment.id}-2`) },
    ])
  })

  it('is an alert when it succeeds although the payment has failed for want of a provider', async () => {
    const payment = await payWith(node, await bench.newReseller(10_000n))
    const { resellerId, id } = payment
    const given = { resellerId, paymentId: id, attempt: 1, lease: 1, provider: null, isBegun: false }
    await bench.database.transaction((tx) =>
      beginAttempts(tx, [{ ...given, reason: 'nobody takes it' }], LEASE_MS),
    )
    const outcome = { kind: 'failed', code: 47, reason: 'Service_Unavailable' } as const
    const failed = { resellerId, id, attempt: 1, lease: 1, outcome, isConcluded: true, nextMs: 0 }
    expect(await node.resolver.submit(failed)).toBe(true)
    await report(payment, 1, PENDING)
    expect(await openOf(payment)).toMatchObject([{ attempt: 1 }])
    await ageOpen(payment, 60)
    await recoveryWith(asks(SUCCEEDED)).runOnce()
    expect(await alertsAbout(String(id))).toMatchObject([{ severity: 'critical' }])
    expect(await bench.balanceOf(resellerId)).toBe(10_000n)
  })

  it('is none where the provider itself has decided: an answer may come after its callback', async () => {
    const [succeeded, failed] = await Promise.all([
      payWith(node, await bench.newReseller(10_000n)),
      payWith(node, await bench.newReseller(10_000n)),
    ])
    await report(succeeded, 1)
    await report(failed, 1, FAILED)
    for (const payment of [succeeded, failed]) {
      await report(payment, 1, PENDING)
      expect(await openOf(payment)).toEqual([])
    }
  })

  /** Ends the lease of the present attempt, as time does. */
  const endLease = (payment: Payment) => bench.age(payment, LEASE_S + 1)

  it('holds the payment up when the present attempt fails, until it is decided itself', async () => {
    const payment = await payWithUndecidedFirst()
    for (let time = 0; time < 2; time += 1) expect(await report(payment, 2, FAILED)).toBe(false)
    expect([await bench.codeOf(payment), await bench.balanceOf(payment.resellerId)]).toEqual([0, 0n])
    expect((await stepsOf(payment)).filter((step) => step.startsWith('late:'))).toEqual([
      `late: attempt 2 (W${payment.id}-2) failed with 48; the payment waits for W${payment.id}-1, which is undecided`,
    ])
    await report(payment, 1, FAILED)
    expect(await bench.codeOf(payment)).toBe(0)
    await endLease(payment)
    // The failure was kept: the provider need not say it again, and perhaps cannot be asked at all.
    const provider = asks(UNKNOWN)
    await recoveryWith(provider).runOnce()
    expect(provider.asked).toEqual([])
    expect([await bench.codeOf(payment), await bench.balanceOf(payment.resellerId)]).toEqual([48, 10_000n])
    expect((await stepsOf(payment)).at(-1)).toBe(
      'state: Rejected; reported while another attempt was undecided',
    )
  })

  it('ends the payment when it succeeds after the present attempt has failed, and nothing was given back', async () => {
    const payment = await payWithUndecidedFirst()
    await report(payment, 2, FAILED)
    await ageOpen(payment, 60)
    await recoveryWith(asks(SUCCEEDED)).runOnce()
    expect([await bench.codeOf(payment), await bench.balanceOf(payment.resellerId)]).toEqual([20, 0n])
    expect(await alertsAbout(String(payment.id))).toEqual([])
  })

  it('is noted once when it has failed, and the present attempt goes on', async () => {
    const payment = await payWithUndecidedFirst()
    for (let time = 0; time < 2; time += 1) expect(await report(payment, 1, FAILED)).toBe(false)
    expect((await stepsOf(payment)).filter((step) => step.startsWith('late:'))).toEqual([
      `late: attempt 1 (W${payment.id}-1) failed with 48; it was not the present one any more`,
    ])
    expect(await openOf(payment)).toEqual([])
    expect(await bench.workOf(payment)).toMatchObject({ attempt: 2, is_leased: true })
    expect(await bench.balanceOf(payment.resellerId)).toBe(0n)
  })
})
