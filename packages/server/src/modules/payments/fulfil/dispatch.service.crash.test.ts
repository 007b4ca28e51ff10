import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { noFailpoint } from '../../../lib/failpoints.ts'
import { leaseNowMs } from '../../../lib/lease-time.ts'
import {
  beginAttempt,
  dispatcherAmong,
  dispatchOf,
  recoveryAt,
  takeOver,
} from '../../../testing/payments/dispatching.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import {
  expectSoundMoney,
  LEASE_MS,
  openPaymentsBench,
  payWith,
  until,
} from '../../../testing/payments/payments.ts'
import { freeze } from '../../../testing/providers/provider-checks.ts'
import {
  createScriptedProvider,
  FAILED,
  NOT_ACTED,
  PENDING,
  providersOf,
  SUCCEEDED,
  UNKNOWN,
} from '../../../testing/providers/scripted-provider.ts'
import type { Provider, SubmitOutcome } from '../../providers/port/types.ts'
import { UNSENT } from '../../providers/port/unsent.service.ts'
import type { Payment } from '../core/types.ts'
import { createAttempts } from './attempts.service.ts'
import type { WorkRow } from './work.sql.ts'

// Nodes that were paused for longer than their lease, and do not know it.

let bench: PaymentsBench
let node: Node

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})
afterAll(() => bench.close())
afterAll(() => expectSoundMoney(bench.database))

const dispatcherFor = (...providers: readonly Provider[]) => dispatcherAmong(node, providersOf(...providers))

async function pay(): Promise<Payment> {
  return payWith(node, await bench.newReseller(10_000n))
}

/** Waits until every begun statement has been sent to the database and answered. */
async function nextTurns(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await bench.database.query('select 1')
}

/** Creates a provider that takes one order at a time, and answers when it is told to. */
function createSequentialProvider(settings: Partial<Provider> = {}) {
  const answers: ((outcome: SubmitOutcome) => void)[] = []
  const provider = createScriptedProvider(() => new Promise((resolve) => answers.push(resolve)), UNKNOWN, {
    concurrencyMax: 1,
    ...settings,
  })
  return { provider, answer: () => until('somebody is inside', () => answers.shift()) }
}

async function workOf({ resellerId, id }: Payment): Promise<unknown> {
  const { rows } = await bench.database.query(
    'select attempt, lease, is_leased, is_unsent from payment_work where reseller_id = $1 and payment_id = $2',
    [resellerId, id],
  )
  return rows[0]
}

describe('a process that is frozen right before it sends', () => {
  const frozenAt = (place: string, ms: number) => (name: string) => {
    if (name === place) freeze(ms)
  }

  it.each(['dispatch.before', 'dispatch.confirmed'])(
    'a process that is frozen at %s sends nothing once its lease is over, and says nothing about the provider',
    async (place) => {
      const payment = await pay()
      const provider = createScriptedProvider(SUCCEEDED, UNKNOWN, { submitTimeoutMs: 20 })
      const observed: string[] = []
      const observe = (_: string, { answer }: { answer: string }) => void observed.push(answer)
      const providers = { ...providersOf(provider), observe }
      const dispatcher = dispatcherAmong(node, providers, frozenAt(place, 150))
      // The order is late enough to be confirmed, and its lease ends while the process is frozen.
      await dispatcher.send(dispatchOf(payment, { leaseEndsMs: leaseNowMs() + 120 }))
      expect(provider.submitted).toEqual([])
      expect(observed).toEqual(['unsent'])
      // The order never left, so any node may send it at once.
      expect(await bench.codeOf(payment)).toBe(0)
      expect(await workOf(payment)).toMatchObject({ attempt: 1, is_leased: false, is_unsent: true })
    },
  )

  it('after it was confirmed sends nothing whose answer might come when the lease is over', async () => {
    const payment = await pay()
    const provider = createScriptedProvider(SUCCEEDED, UNKNOWN, { submitTimeoutMs: 30_000 })
    const dispatcher = dispatcherAmong(node, providersOf(provider), frozenAt('dispatch.confirmed', 600))
    const leaseEndsMs = leaseNowMs() + 30_500
    await dispatcher.send(dispatchOf(payment, { leaseEndsMs }))
    expect(provider.submitted).toEqual([])
    expect(await bench.codeOf(payment)).toBe(0)
    expect(await workOf(payment)).toMatchObject({ attempt: 1, is_leased: false, is_unsent: true })
  })

  it('has told the provider’s client the end of the lease as the last moment for the first byte', async () => {
    const payment = await pay()
    const told: (number | undefined)[] = []
    const scripted = createScriptedProvider(SUCCEEDED)
    const provider: Provider = {
      ...scripted,
      submit(order, signal, notAfterMs) {
        told.push(notAfterMs)
        return scripted.submit(order, signal, notAfterMs)
      },
    }
    const leaseEndsMs = leaseNowMs() + provider.submitTimeoutMs + 10_000
    await dispatcherFor(provider).send(dispatchOf(payment, { leaseEndsMs }))
    expect(told).toHaveLength(1)
    expect(told[0]).toBeLessThanOrEqual(leaseEndsMs)
  })

  it('a process that finds the payment with another node takes nothing away from it', async () => {
    const payment = await pay()
    const provider = createScriptedProvider(SUCCEEDED, UNKNOWN, { submitTimeoutMs: 20 })
    const other = createScriptedProvider(SUCCEEDED, UNKNOWN, { code: 'second' })
    const takenOver = takeOver(bench, payment)
    const { lease } = await takenOver
    const dispatcher = dispatcherAmong(node, providersOf(provider, other), frozenAt('dispatch.before', 150))
    const fresh = { ...dispatchOf(payment), leaseEndsMs: leaseNowMs() + 120 }
    await dispatcher.send(fresh)
    expect([...provider.submitted, ...other.submitted]).toEqual([])
    expect(await workOf(payment)).toMatchObject({ attempt: 1, lease, is_leased: true, is_unsent: true })
    expect(await bench.codeOf(payment)).toBe(0)
  })
})

describe('a machine that is suspended, so that its monotonic clock stands still,', () => {
  afterEach(() => vi.restoreAllMocks())

  /** Suspends the machine for so long: the wall clock alone goes on. */
  function suspend(ms: number): void {
    const now = Date.now.bind(Date)
    vi.spyOn(Date, 'now').mockImplementation(() => now() + ms)
  }
  const suspendedAt = (place: string) => (name: string) => {
    if (name === place) suspend(LEASE_MS)
  }

  it('right before the first byte of a first order, sends nothing once its lease is over', async () => {
    const payment = await pay()
    const provider = createScriptedProvider(SUCCEEDED)
    const dispatcher = dispatcherAmong(node, providersOf(provider), suspendedAt('dispatch.before'))
    await dispatcher.send(dispatchOf(payment))
    expect(provider.submitted).toEqual([])
    expect(await workOf(payment)).toMatchObject({ attempt: 1, is_leased: false, is_unsent: true })
  })

  it('after its lease was confirmed, sends nothing once the lease is over', async () => {
    const payment = await pay()
    const provider = createScriptedProvider(SUCCEEDED)
    const dispatcher = dispatcherAmong(node, providersOf(provider), suspendedAt('dispatch.confirmed'))
    await dispatcher.send(dispatchOf(payment, { leaseEndsMs: leaseNowMs() + LEASE_MS - 1_001 }))
    expect(provider.submitted).toEqual([])
    expect(await workOf(payment)).toMatchObject({ attempt: 1, is_leased: false, is_unsent: true })
  })

  it('between the commit that takes a payment and the sending, asks the database and takes nothing from a new holder', async () => {
    const payment = await pay()
    const provider = createScriptedProvider(SUCCEEDED)
    const dispatch = dispatchOf(payment)
    const { lease } = await takeOver(bench, payment)
    suspend(2_000)
    await dispatcherFor(provider).send(dispatch)
    expect(provider.submitted).toEqual([])
    expect(await workOf(payment)).toMatchObject({ attempt: 1, lease, is_leased: true, is_unsent: true })
  })
})

describe('an answer that arrives at a node which was away', () => {
  /**
   * Reports an outcome from a node whose payment was taken over and sent again under the same reference while it waited
   * for the answer.
   */
  async function answerAfterTakeover(outcome: SubmitOutcome): Promise<Payment> {
    const payment = await pay()
    const provider = createScriptedProvider(async () => {
      const work = await takeOver(bench, payment)
      const attempts = createAttempts({ database: bench.database, leaseMs: LEASE_MS, failpoint: noFailpoint })
      const key = { resellerId: payment.resellerId, paymentId: payment.id, attempt: 1, lease: work.lease }
      await attempts.begin({ ...key, provider: null, reason: 'not found', isBegun: true, isRepeat: true })
      return outcome
    })
    await dispatcherFor(provider).send(dispatchOf(payment))
    return payment
  }

  it('“not acted” about a reference that another node sends again neither fails the payment nor moves it', async () => {
    const payment = await answerAfterTakeover(NOT_ACTED)
    expect(await bench.codeOf(payment)).toBe(0)
    expect(await bench.balanceOf(payment.resellerId)).toBe(0n)
    expect(await workOf(payment)).toMatchObject({ attempt: 1, lease: 3, is_leased: true })
  })

  describe.each([
    ['somebody else could take the order', ['second']],
    ['nobody else could take the order', []],
  ])('“not acted” after another node took the payment over to ask about it, when %s', (_, others) => {
    /**
     * Reports "not acted" for a provider that cannot be asked: the other node never learns what became of the order.
     */
    async function answerNotActed(): Promise<{ payment: Payment; work: WorkRow }> {
      const payment = await pay()
      let work: WorkRow | undefined
      const provider = createScriptedProvider(async () => {
        work = await takeOver(bench, payment)
        return NOT_ACTED
      })
      const second = others.map((code) => createScriptedProvider(SUCCEEDED, UNKNOWN, { code }))
      await dispatcherFor(provider, ...second).send(dispatchOf(payment))
      expect(second.flatMap(({ submitted }) => submitted)).toEqual([])
      return { payment, work: work as WorkRow }
    }

    it('leaves the other its lease, and the payment is sent elsewhere at the next claim', async () => {
      const { payment, work } = await answerNotActed()
      expect(await workOf(payment)).toEqual({
        attempt: 1,
        lease: work.lease,
        is_leased: true,
        is_unsent: true,
      })
      await node.resolver.submit({
        ...{ resellerId: payment.resellerId, id: payment.id, attempt: 1, lease: work.lease },
        ...{ outcome: UNKNOWN, nextMs: 0 },
      })
      const next = createScriptedProvider(SUCCEEDED, UNKNOWN, { code: 'third' })
      const recovery = recoveryAt(bench, providersOf(next, createScriptedProvider(SUCCEEDED)))
      await recovery.runOnce()
      await recovery.stop()
      expect(next.submitted.map(({ reference }) => reference)).toEqual([`W${payment.id}-2`])
      expect(await bench.codeOf(payment)).toBe(20)
    })
  })

  it.each([
    ['not acted', NOT_ACTED],
    ['unsent', UNSENT],
  ])('“%s” after its deadline is no unknown order any more', async (_, outcome) => {
    const payment = await pay()
    const { provider, answer } = createSequentialProvider({ submitTimeoutMs: 20 })
    await dispatcherFor(provider).send(dispatchOf(payment))
    expect(await bench.codeOf(payment)).toBe(1)
    const late = await answer()
    late(outcome)
    await until('it is written down', async () => {
      const work = (await workOf(payment)) as { is_unsent: boolean }
      return work.is_unsent
    })
    expect(await workOf(payment)).toEqual({ attempt: 1, lease: 1, is_leased: false, is_unsent: true })
  })

  it('“not acted” after its deadline says nothing about a reference that was sent before', async () => {
    const payment = await pay()
    const { provider, answer } = createSequentialProvider({ submitTimeoutMs: 20 })
    const attempts = createAttempts({ database: bench.database, leaseMs: LEASE_MS, failpoint: noFailpoint })
    const key = { resellerId: payment.resellerId, paymentId: payment.id, attempt: 1, lease: 1 }
    await attempts.begin({ ...key, provider: null, reason: 'not found', isBegun: true, isRepeat: true })
    const dispatcher = dispatcherFor(provider)
    await dispatcher.send(dispatchOf(payment, { lease: 2, isRepeat: true }))
    const late = await answer()
    late(NOT_ACTED)
    await nextTurns()
    expect(await workOf(payment)).toMatchObject({ attempt: 1, is_unsent: false })
  })

  it('“pending” about a reference that another node sends again leaves the other its lease', async () => {
    const payment = await answerAfterTakeover(PENDING)
    expect(await workOf(payment)).toMatchObject({ lease: 3, is_leased: true })
  })

  it.each([
    ['success', SUCCEEDED, 20],
    ['failure', FAILED, 48],
  ])('the provider’s own %s about the same reference ends the payment', async (_, outcome, code) => {
    expect(await bench.codeOf(await answerAfterTakeover(outcome))).toBe(code)
  })

  it('“pending” about an attempt that is not the present one keeps that one open', async () => {
    const payment = await pay()
    const provider = createScriptedProvider(async () => {
      const work = { reseller_id: payment.resellerId, payment_id: payment.id, attempt: 1 }
      await beginAttempt(bench.database, work, LEASE_MS, 'not found')
      return PENDING
    })
    await dispatcherFor(provider).send(dispatchOf(payment))
    const { rows } = await bench.database.query(
      'select attempt, provider, is_leased from payment_open_attempts where payment_id = $1',
      [payment.id],
    )
    expect(rows).toEqual([{ attempt: 1, provider: 'scripted', is_leased: false }])
    expect(await workOf(payment)).toMatchObject({ attempt: 2, is_leased: true })
  })

  it.each([
    ['success', SUCCEEDED, 20],
    ['failure', FAILED, 48],
  ])('a %s after its deadline is written down all the same', async (_, outcome, code) => {
    const payment = await pay()
    let answer = (_outcome: SubmitOutcome) => {}
    const slow = createScriptedProvider(
      () =>
        new Promise((resolve) => {
          answer = resolve
        }),
      UNKNOWN,
      { submitTimeoutMs: 20 },
    )
    await dispatcherFor(slow).send(dispatchOf(payment))
    expect(await bench.codeOf(payment)).toBe(1)
    answer(outcome)
    await until('it is written down', async () => (await bench.codeOf(payment)) === code)
  })
})
