import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { LeaseClock } from '../../../db/lease-clock.ts'
import { noFailpoint } from '../../../lib/failpoints.ts'
import { beginAttempt, recoveryAt } from '../../../testing/payments/dispatching.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import { expectSoundMoney, openPaymentsBench, payWith, until } from '../../../testing/payments/payments.ts'
import type { ScriptedProvider } from '../../../testing/providers/scripted-provider.ts'
import {
  createScriptedProvider,
  FAILED,
  NOT_ACTED,
  NOT_FOUND,
  PENDING,
  providersOf,
  SUCCEEDED,
  UNKNOWN,
} from '../../../testing/providers/scripted-provider.ts'
import { STEADY_CLOCK } from '../../../testing/steady-clock.ts'
import type { Provider } from '../../providers/port/types.ts'
import type { Providers } from '../../providers/registry.service.ts'
import { advanceClock, listChanges } from '../core/sql.ts'
import type { Payment } from '../core/types.ts'
import { createAttempts } from './attempts.service.ts'
import type { Recovery } from './recovery.jobs.ts'
import { findAttemptProvider } from './work.sql.ts'

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
})
afterEach(async () => {
  await Promise.all(started.splice(0).map((recovery) => recovery.stop()))
  await expectSoundMoney(bench.database)
})

const LEASE_S = 60
const NOW = STEADY_CLOCK.believedUntil()
const PROOF_S = 30

/** Creates a recovery that runs only when it is told to: its own turns are a day apart. */
function recoveryWith(...providers: readonly Provider[]): Recovery & { problems: string[] } {
  return recoveryAmong(providersOf(...providers))
}

function recoveryAmong(
  providers: Providers,
  times: Parameters<typeof recoveryAt>[2] = {},
): ReturnType<typeof recoveryAt> {
  const recovery = recoveryAt(bench, providers, times)
  started.push(recovery)
  return recovery
}

async function pay(): Promise<Payment> {
  return payWith(node, await bench.newReseller(10_000n), { extras: { icNumber: '900101145678' } })
}

async function detailsOf({ resellerId, id }: Payment): Promise<string[]> {
  return (await listChanges(bench.database, resellerId, id, 20)).map(({ detail }) => detail)
}

function referencesOf(orders: ScriptedProvider['submitted'], payment: Payment): string[] {
  return orders.map(({ reference }) => reference).filter((each) => each.startsWith(`W${payment.id}-`))
}

describe('an order that the provider never heard of', () => {
  it('is not sent again while the one before may still arrive: until the lease and the grace are over', async () => {
    const payment = await pay()
    const provider = createScriptedProvider(SUCCEEDED, NOT_FOUND)
    const recovery = recoveryWith(provider)
    // The holder could send the order until shortly before the lease ended.
    await bench.age(payment, LEASE_S + 1)
    await recovery.runOnce()
    expect(provider.submitted).toEqual([])
    await advanceClock(bench.database, payment.resellerId, PROOF_S - 5)
    await recovery.runOnce()
    expect(provider.submitted).toEqual([])
    expect(await bench.codeOf(payment)).toBe(1)
    await advanceClock(bench.database, payment.resellerId, 10)
    await recovery.runOnce()
    expect(referencesOf(provider.submitted, payment)).toEqual([`W${payment.id}-1`])
    expect(await bench.codeOf(payment)).toBe(20)
  })

  it.each([
    {
      what: 'the same reference where one reference acts once: a late twin is a duplicate there',
      repeatsReference: true,
      attempt: 1,
      noted: 'repeat: attempt 1 again, under the same reference: the provider never heard of the one before',
    },
    {
      what: 'a new reference where the provider cannot repeat one',
      repeatsReference: false,
      attempt: 2,
      noted: 'attempt: attempt 2: the provider never heard of the one before',
    },
  ])('is sent again as it was, written down before, under $what', async (expected) => {
    const { repeatsReference, attempt, noted } = expected
    const payment = await pay()
    await bench.age(payment, LEASE_S + PROOF_S + 1)
    const seen: unknown[] = []
    const provider = createScriptedProvider(
      async () => {
        const changes = await listChanges(bench.database, payment.resellerId, payment.id, 10)
        seen.push(await bench.workOf(payment), ...changes.map(({ kind, detail }) => `${kind}: ${detail}`))
        return SUCCEEDED
      },
      NOT_FOUND,
      { repeatsReference },
    )
    await recoveryWith(provider).runOnce()
    expect(seen).toEqual([expect.objectContaining({ attempt, is_leased: true }), noted])
    expect(provider.submitted).toEqual([
      expect.objectContaining({
        reference: `W${payment.id}-${attempt}`,
        productCode: 'NOVA',
        account: payment.account,
        amount: payment.amount,
        faceValue: payment.faceValue,
        icNumber: '900101145678',
      }),
    ])
  })

  it('is sent at once, without being asked about, when whoever had it has said that it was not sent', async () => {
    const payment = await pay()
    const attempts = createAttempts({ database: node.database, leaseMs: 60_000, failpoint: noFailpoint })
    await attempts.release({ resellerId: payment.resellerId, paymentId: payment.id, attempt: 1, lease: 1 })
    const provider = createScriptedProvider(UNKNOWN, NOT_FOUND)
    const recovery = recoveryWith(provider)
    await recovery.runOnce()
    expect(provider.asked).toEqual([])
    expect(referencesOf(provider.submitted, payment)).toEqual([`W${payment.id}-2`])
    expect((await listChanges(bench.database, payment.resellerId, payment.id, 10))[0]?.detail).toBe(
      'attempt 2: the one before was never sent',
    )
    // The next attempt was sent, and the provider is asked about that attempt only.
    await bench.age(payment, LEASE_S + 1)
    await recovery.runOnce()
    expect(provider.submitted).toHaveLength(1)
    expect(provider.asked).toHaveLength(1)
  })

  it('is asked about all the same at a shelf, which sold it when it was taken', async () => {
    const payment = await pay()
    const attempts = createAttempts({ database: node.database, leaseMs: 60_000, failpoint: noFailpoint })
    await attempts.release({ resellerId: payment.resellerId, paymentId: payment.id, attempt: 1, lease: 1 })
    const shelf = createScriptedProvider(SUCCEEDED, SUCCEEDED, { reservesStock: true })
    await recoveryWith(shelf).runOnce()
    expect(shelf.submitted).toEqual([])
    expect(await bench.codeOf(payment)).toBe(20)
  })

  it('goes to nobody else where it can be repeated, and waits while its provider is interrupted', async () => {
    const payment = await pay()
    await bench.age(payment, LEASE_S + PROOF_S + 1)
    const lost = createScriptedProvider(SUCCEEDED, NOT_FOUND)
    const other = createScriptedProvider(SUCCEEDED, SUCCEEDED, { code: 'other' })
    let isOpen = true
    const recovery = recoveryAmong({ ...providersOf(other, lost), isOpen: () => isOpen })
    await recovery.runOnce()
    expect([...lost.submitted, ...other.submitted]).toEqual([])
    expect(await bench.codeOf(payment)).toBe(1)
    isOpen = false
    await bench.age(payment, LEASE_S)
    await recovery.runOnce()
    expect(other.submitted).toEqual([])
    expect(referencesOf(lost.submitted, payment)).toEqual([`W${payment.id}-1`])
  })

  it('fails with 47 where it could be repeated and its provider was disabled, and the money is back', async () => {
    const payment = await pay()
    await bench.age(payment, LEASE_S + PROOF_S + 1)
    const provider = createScriptedProvider(SUCCEEDED, NOT_FOUND)
    await recoveryAmong({ ...providersOf(provider), takesOrders: () => false }).runOnce()
    expect(provider.submitted).toEqual([])
    expect(await bench.codeOf(payment)).toBe(47)
    expect(await bench.balanceOf(payment.resellerId)).toBe(10_000n)
  })

  it.each([
    ['not acted on', NOT_ACTED],
    ['unsent', { kind: 'unsent', reason: 'frozen' } as const],
  ])(
    'an order that is %s when it is repeated goes to no other provider: the first one may arrive',
    async (_, outcome) => {
      const payment = await pay()
      await bench.age(payment, LEASE_S + PROOF_S + 1)
      const lost = createScriptedProvider(outcome, NOT_FOUND)
      const other = createScriptedProvider(SUCCEEDED, SUCCEEDED, { code: 'other' })
      await recoveryWith(lost, other).runOnce()
      expect(lost.submitted).toHaveLength(1)
      expect(other.submitted).toEqual([])
      expect(await bench.codeOf(payment)).toBe(1)
      expect(await bench.workOf(payment)).toMatchObject({ attempt: 1, is_leased: false })
    },
  )

  it('an order that fails when it is repeated is asked about: the first one may have arrived', async () => {
    const payment = await pay()
    await bench.age(payment, LEASE_S + PROOF_S + 1)
    let isArrived = false
    const late = createScriptedProvider(
      () => {
        // The supplier has the first order by now, and refuses this one as a duplicate.
        isArrived = true
        return Promise.resolve(FAILED)
      },
      () => Promise.resolve(isArrived ? SUCCEEDED : NOT_FOUND),
    )
    const recovery = recoveryWith(late)
    await recovery.runOnce()
    expect(late.submitted).toHaveLength(1)
    expect(await bench.codeOf(payment)).toBe(1)
    await bench.age(payment, LEASE_S)
    await recovery.runOnce()
    expect(await bench.codeOf(payment)).toBe(20)
    expect(await bench.balanceOf(payment.resellerId)).toBe(0n)
  })

  it('is sent to whoever takes such orders now where it cannot be repeated, and the timeline says so', async () => {
    const payment = await pay()
    await bench.age(payment, LEASE_S + PROOF_S + 1)
    const lost = createScriptedProvider(SUCCEEDED, NOT_FOUND, { repeatsReference: false })
    const other = createScriptedProvider(SUCCEEDED, SUCCEEDED, { code: 'other' })
    await recoveryWith(other, lost).runOnce()
    expect(lost.submitted).toEqual([])
    expect(referencesOf(other.submitted, payment)).toEqual([`W${payment.id}-2`])
    expect(await bench.codeOf(payment)).toBe(20)
    const changes = await listChanges(bench.database, payment.resellerId, payment.id, 10)
    expect(changes[0]?.detail).toBe(
      'attempt 2 at other instead of scripted: the provider never heard of the one before',
    )
    expect(await findAttemptProvider(bench.database, payment, 1)).toBe('scripted')
  })

  it('fails with 47 when nobody takes such orders now, and the money is back', async () => {
    const payment = await pay()
    await bench.age(payment, LEASE_S + PROOF_S + 1)
    const provider = createScriptedProvider(SUCCEEDED, NOT_FOUND, { repeatsReference: false })
    const passedOver = [{ provider: 'scripted', obstacle: 'interrupted' }] as const
    const choose = () => ({ kind: 'closed', passedOver }) as const
    await recoveryAmong({ ...providersOf(provider), choose }).runOnce()
    expect(await detailsOf(payment)).toEqual([
      'nobody takes it now: scripted is interrupted',
      'Service_Unavailable',
    ])
    expect(provider.submitted).toEqual([])
    expect(await bench.codeOf(payment)).toBe(47)
    expect(await bench.balanceOf(payment.resellerId)).toBe(10_000n)
  })

  it('never is, at a provider whose "never heard of it" proves nothing', async () => {
    const payment = await pay()
    await bench.age(payment, 86_400)
    const provider = createScriptedProvider(SUCCEEDED, NOT_FOUND, { notFoundProvesAfterMs: null })
    await recoveryWith(provider).runOnce()
    expect(provider.submitted).toEqual([])
    expect(await bench.codeOf(payment)).toBe(1)
    expect(await bench.balanceOf(payment.resellerId)).toBe(0n)
  })

  it('is sent again by one node alone, when two have found it at once', async () => {
    const payments = await Promise.all(Array.from({ length: 10 }, pay))
    for (const payment of payments) await bench.age(payment, LEASE_S + PROOF_S + 1)
    let isAsking = 0
    let go = () => {}
    const bothAsk = new Promise<void>((resolve) => {
      go = resolve
    })
    const provider = createScriptedProvider(PENDING, async () => {
      isAsking += 1
      if (isAsking === 2 * payments.length) go()
      await bothAsk
      return NOT_FOUND
    })
    const first = recoveryWith(provider).runOnce()
    await until('the first has asked', () => provider.asked.length === payments.length)
    // The first recovery is treated as paused for longer than its lease: a second one claims the same work, and the
    // first does not know.
    for (const payment of payments) await bench.age(payment, LEASE_S + 1)
    const second = recoveryWith(provider).runOnce()
    expect(await Promise.all([first, second])).toEqual([payments.length, payments.length])
    for (const payment of payments) {
      expect(referencesOf(provider.submitted, payment)).toEqual([`W${payment.id}-1`])
    }
  })

  it.each([
    { repeatsReference: true, attempts: [1, 1] },
    { repeatsReference: false, attempts: [2, 3] },
  ])('fails with 47 after three sendings, and the money is back: $attempts', async (expected) => {
    const { repeatsReference, attempts } = expected
    const payment = await pay()
    const provider = createScriptedProvider(UNKNOWN, NOT_FOUND, { repeatsReference })
    const recovery = recoveryWith(provider)
    for (const attempt of attempts) {
      await bench.age(payment, LEASE_S + PROOF_S + 1)
      await recovery.runOnce()
      expect(await bench.workOf(payment)).toMatchObject({ attempt })
      expect(await bench.balanceOf(payment.resellerId)).toBe(0n)
    }
    await bench.age(payment, LEASE_S + PROOF_S + 1)
    await recovery.runOnce()
    expect(referencesOf(provider.submitted, payment)).toEqual(
      attempts.map((attempt) => `W${payment.id}-${attempt}`),
    )
    expect(await detailsOf(payment)).toContain(
      `the provider never heard of attempt ${attempts[1]}, and it was the last`,
    )
    expect(await bench.codeOf(payment)).toBe(47)
    expect(await bench.balanceOf(payment.resellerId)).toBe(10_000n)
  })

  it('counts its grace from the present attempt, also when that was written down and never sent', async () => {
    const payment = await pay()
    await bench.age(payment, 3_600)
    const work = { reseller_id: payment.resellerId, payment_id: payment.id, attempt: 1, code: 0 } as const
    await beginAttempt(bench.database, work, LEASE_S * 1_000, 'its node died right after')
    const provider = createScriptedProvider(SUCCEEDED, NOT_FOUND)
    const recovery = recoveryWith(provider)
    expect(await recovery.runOnce()).toBe(0)
    await bench.age(payment, LEASE_S + 1)
    await recovery.runOnce()
    expect(provider.submitted).toEqual([])
    await bench.age(payment, PROOF_S)
    await recovery.runOnce()
    expect(referencesOf(provider.submitted, payment)).toEqual([`W${payment.id}-2`])
  })
})

describe('when the database’s clock may have been moved', () => {
  /** Clock of a node that has just noticed a step: it trusts no end of a lease. */
  const held: LeaseClock = { believedUntil: () => new Date(0), steadyForMs: () => 0 }

  it('no lease is taken over, and questions that are due are asked all the same', async () => {
    const [leased, asked] = [await pay(), await pay()]
    await node.resolver.submit({ ...asked, attempt: 1, outcome: PENDING, nextMs: 0 })
    await bench.age(leased, LEASE_S + 1)
    await bench.age(asked, LEASE_S + 1)
    const provider = createScriptedProvider(SUCCEEDED, SUCCEEDED)
    await recoveryAmong(providersOf(provider), { leaseClock: held }).runOnce()
    expect(referencesOf(provider.asked, leased)).toEqual([])
    expect(await bench.codeOf(leased)).toBe(0)
    expect(await bench.codeOf(asked)).toBe(20)
    await recoveryWith(provider).runOnce()
    expect(await bench.codeOf(leased)).toBe(20)
  })

  it('a lease is taken over only as far as its end is believed', async () => {
    const payment = await pay()
    // The clock was set forward by ten minutes, and no node has noticed it yet.
    await bench.age(payment, 600)
    const provider = createScriptedProvider(SUCCEEDED, SUCCEEDED)
    const believedUntil = () => new Date(Date.now() - 600_000)
    const unaware = { believedUntil, steadyForMs: () => Number.POSITIVE_INFINITY }
    await recoveryAmong(providersOf(provider), { leaseClock: unaware }).runOnce()
    expect(provider.asked).toEqual([])
  })

  it.each([
    [
      'before anybody has looked',
      { believedUntil: () => new Date(Date.now() - 600_000), steadyForMs: () => 1e9 },
    ],
    ['until as much time has passed without a step', { believedUntil: () => NOW, steadyForMs: () => 89_000 }],
  ])('“not found” proves nothing on the strength of it, %s', async (_, leaseClock) => {
    const payment = await pay()
    await node.resolver.submit({ ...payment, attempt: 1, outcome: PENDING, nextMs: 0 })
    await bench.age(payment, 600)
    const provider = createScriptedProvider(SUCCEEDED, NOT_FOUND)
    await recoveryAmong(providersOf(provider), { leaseClock }).runOnce()
    expect(referencesOf(provider.asked, payment)).toHaveLength(1)
    expect(provider.submitted).toEqual([])
  })
})
