import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Failpoint } from '../../../lib/failpoints.ts'
import { noFailpoint } from '../../../lib/failpoints.ts'
import {
  beginAttempt,
  dispatcherAmong,
  dispatchOf,
  recoveryAt,
} from '../../../testing/payments/dispatching.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import { expectSoundMoney, LEASE_MS, openPaymentsBench, payWith } from '../../../testing/payments/payments.ts'
import type { Script, ScriptedProvider } from '../../../testing/providers/scripted-provider.ts'
import {
  createScriptedProvider,
  FAILED,
  NOT_FOUND,
  PENDING,
  providersOf,
  SUCCEEDED,
  UNKNOWN,
} from '../../../testing/providers/scripted-provider.ts'
import { listAlerts } from '../../alerts/core/service.ts'
import type { Order, Outcome, Provider, QueryAnswer } from '../../providers/port/types.ts'
import type { Providers } from '../../providers/registry.service.ts'
import { listChanges } from '../core/sql.ts'
import type { Payment } from '../core/types.ts'
import { resolveByEvidence } from '../support/settled.service.ts'
import type { Recovery } from './recovery.jobs.ts'

// A supplier that is asked by sending the order again: such a question may cause the purchase.

let bench: PaymentsBench
let node: Node
const started: Recovery[] = []

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})
afterAll(() => bench.close())
beforeEach(async () => {
  await bench.database.query(`update payment_work set next_at = now() + interval '1 day'`)
  await bench.database.query(`update payment_open_attempts set next_at = now() + interval '1 day'`)
})
afterEach(async () => {
  await Promise.all(started.splice(0).map((recovery) => recovery.stop()))
  await expectSoundMoney(bench.database)
})

const TERMS = { minIntervalMs: 60_000, notAfterMs: 80 * 86_400_000 }
/** Time after which a question is due and no earlier sending can arrive. */
const LATER_S = 1_000
const REFUSED: QueryAnswer = { kind: 'not_acted', code: 47, reason: 'the wallet is empty' }

const pay = async (): Promise<Payment> => payWith(node, await bench.newReseller(10_000n))

function repeating(answer: QueryAnswer | Script['query'], submit: Outcome = PENDING): ScriptedProvider {
  return createScriptedProvider(submit, answer, { asksByRepeating: TERMS, notFoundProvesAfterMs: null })
}

function recoveryAmong(
  providers: Providers,
  failpoint: Failpoint = noFailpoint,
): Recovery & { problems: string[] } {
  const recovery = recoveryAt(bench, providers, { failpoint })
  started.push(recovery)
  return recovery
}

const askedBy = (...providers: readonly Provider[]) => recoveryAmong(providersOf(...providers)).runOnce()

/** Sends the first order, which its supplier has and does not decide. */
async function payUndecided(provider: Provider): Promise<Payment> {
  const payment = await pay()
  await dispatcherAmong(node, providersOf(provider)).send(dispatchOf(payment))
  return payment
}

async function rowOf({ resellerId, id }: Payment) {
  const { rows } = await bench.database.query<{ repeats: number; is_leased: boolean; in_ms: number }>(
    `select repeats, is_leased, (extract(epoch from next_at - now()) * 1000)::float8 as in_ms
       from payment_work where reseller_id = $1 and payment_id = $2`,
    [resellerId, id],
  )
  return rows[0]
}

const stepsOf = async ({ resellerId, id }: Payment) =>
  (await listChanges(bench.database, resellerId, id, 20)).map(({ kind, detail }) => `${kind}: ${detail}`)

const forgotten = async (payment: Payment) =>
  (await listAlerts(bench.database, { limit: 1_000, withCleared: true })).filter(
    ({ kind, subject }) => kind === 'order_forgotten' && subject === `W${payment.id}-1`,
  )

describe('a question that sends the order again', () => {
  it('is written as a sending before it leaves, and its answer ends the payment', async () => {
    let written: unknown
    const provider = repeating(async () => {
      written = await rowOf(payment)
      return SUCCEEDED
    })
    const payment = await payUndecided(provider)
    await bench.age(payment, LATER_S)
    await askedBy(provider)
    expect(provider.asked.map(({ reference }) => reference)).toEqual([`W${payment.id}-1`])
    expect(written).toMatchObject({ repeats: 1, is_leased: true })
    expect(await stepsOf(payment)).toContain(
      'repeat: attempt 1 again, under the same reference: it is asked about by sending it again',
    )
    expect(await bench.codeOf(payment)).toBe(20)
  })

  it('keeps its distance from the sending before it, also where a callback makes it due', async () => {
    const provider = repeating(PENDING)
    const payment = await payUndecided(provider)
    expect((await rowOf(payment))?.in_ms).toBeGreaterThan(TERMS.minIntervalMs - 10_000)
    await bench.database.query('update payment_work set next_at = now() where payment_id = $1', [payment.id])
    await askedBy(provider)
    expect(provider.asked).toEqual([])
    expect((await rowOf(payment))?.in_ms).toBeGreaterThan(TERMS.minIntervalMs - 10_000)
    await bench.age(payment, LATER_S)
    await askedBy(provider)
    expect(provider.asked).toHaveLength(1)
    expect((await rowOf(payment))?.in_ms).toBeGreaterThan(TERMS.minIntervalMs - 10_000)
  })

  it('waits longer after a node that died, which may have sent until its lease ended', async () => {
    const provider = repeating(PENDING)
    const payment = await pay()
    await bench.age(payment, LEASE_MS / 1_000 + 1)
    await askedBy(provider)
    expect(provider.asked).toEqual([])
    await bench.age(payment, TERMS.minIntervalMs / 1_000)
    await askedBy(provider)
    expect(provider.asked).toHaveLength(1)
  })

  it('is never sent when the supplier may have forgotten the reference: a person is told', async () => {
    const provider = repeating(SUCCEEDED)
    const payment = await payUndecided(provider)
    await bench.age(payment, LATER_S)
    const days = TERMS.notAfterMs / 86_400_000
    await bench.database.query(
      'update payments set created_at = created_at - make_interval(days => $2) where id = $1',
      [payment.id, days],
    )
    await askedBy(provider)
    expect(provider.asked).toEqual([])
    expect(await forgotten(payment)).toMatchObject([{ severity: 'critical' }])
    expect(await bench.codeOf(payment)).toBe(1)
  })

  it.each(['disabled', 'interrupted', 'restored'])(
    'is never sent while its supplier or payment is %s',
    async (why) => {
      const provider = repeating(SUCCEEDED)
      const payment = await payUndecided(provider)
      await bench.age(payment, LATER_S)
      if (why === 'restored') {
        await bench.database.query('update payment_work set is_ask_only = true where payment_id = $1', [
          payment.id,
        ])
      }
      const among = providersOf(provider)
      await recoveryAmong({
        ...among,
        takesOrders: () => why !== 'disabled',
        isOpen: () => why === 'interrupted',
      }).runOnce()
      expect(provider.asked).toEqual([])
      expect(await bench.codeOf(payment)).toBe(1)
      expect((await rowOf(payment))?.in_ms).toBeGreaterThan(TERMS.minIntervalMs - 10_000)
    },
  )

  it('is never sent about an attempt that its payment no longer has, nor beside an undecided one', async () => {
    const provider = repeating(SUCCEEDED)
    const payment = await payUndecided(provider)
    const { resellerId, id } = payment
    await beginAttempt(
      bench.database,
      { reseller_id: resellerId, payment_id: id, attempt: 1 },
      LEASE_MS,
      'tested',
    )
    await node.resolver.submit({ resellerId, id, attempt: 1, outcome: PENDING, nextMs: 0 })
    await bench.age(payment, LATER_S)
    await askedBy(provider)
    expect(provider.asked).toEqual([])
    expect(await bench.codeOf(payment)).toBe(1)
  })

  it('is sent by one node alone, when several look at once', async () => {
    const provider = repeating(PENDING)
    const payment = await payUndecided(provider)
    await bench.age(payment, LATER_S)
    await Promise.all(Array.from({ length: 4 }, () => askedBy(provider)))
    expect(provider.asked).toHaveLength(1)
    expect((await rowOf(payment))?.repeats).toBe(1)
  })

  it.each(['dispatch.before', 'dispatch.sent'])(
    'a node that dies at %s leaves it to the next one',
    async (place) => {
      const books = new Set<string>()
      const buys = (order: Order): Promise<QueryAnswer> => {
        books.add(order.reference)
        return Promise.resolve(SUCCEEDED)
      }
      const provider = repeating(buys, UNKNOWN)
      const payment = await payUndecided(provider)
      await bench.age(payment, LATER_S)
      const dies = recoveryAmong(providersOf(provider), (name) => {
        if (name === place) throw new Error('this process is gone')
      })
      await dies.runOnce()
      expect(dies.problems).toHaveLength(1)
      expect(await bench.codeOf(payment)).toBe(1)
      expect(await rowOf(payment)).toMatchObject({ repeats: 1, is_leased: true })
      await bench.age(payment, LATER_S)
      await askedBy(provider)
      expect(await bench.codeOf(payment)).toBe(20)
      expect([...books]).toEqual([`W${payment.id}-1`])
    },
  )

  it('holds the payment: an operator who ends it meanwhile is told to wait', async () => {
    let refusal: unknown
    const provider = repeating(async () => {
      const { resellerId, id: paymentId } = payment
      const evidence = {
        resellerId,
        paymentId,
        attempt: 1,
        outcome: FAILED as never,
        text: 'operator: tested',
      }
      refusal = await resolveByEvidence(bench, evidence).catch((error: unknown) => error)
      return PENDING
    })
    const payment = await payUndecided(provider)
    await bench.age(payment, LATER_S)
    await askedBy(provider)
    expect(refusal).toMatchObject({ status: 409, code: 'in_progress' })
    expect(await bench.codeOf(payment)).toBe(1)
  })
})

describe('the answer to such a question', () => {
  it('failed is a definite word about the reference: the money goes back', async () => {
    const provider = repeating(FAILED)
    const payment = await payUndecided(provider)
    await bench.age(payment, LATER_S)
    await askedBy(provider)
    expect(await bench.codeOf(payment)).toBe(48)
    expect(await bench.balanceOf(payment.resellerId)).toBe(10_000n)
  })

  it('never heard of it says nothing: the supplier was just sent the order', async () => {
    const provider = { ...repeating(NOT_FOUND), notFoundProvesAfterMs: 1 }
    const payment = await payUndecided(provider)
    await bench.age(payment, LATER_S)
    await askedBy(provider)
    expect(await bench.codeOf(payment)).toBe(1)
    expect(provider.submitted).toHaveLength(1)
  })

  it('a refusal counts only when no earlier sending can arrive any more', async () => {
    const provider = repeating(REFUSED)
    const other = createScriptedProvider(SUCCEEDED, UNKNOWN, { code: 'second' })
    const payment = await payUndecided(provider)
    await bench.age(payment, TERMS.minIntervalMs / 1_000 + 5)
    await askedBy(provider, other)
    expect(provider.asked).toHaveLength(1)
    expect(other.submitted).toEqual([])
    expect(await bench.codeOf(payment)).toBe(1)
    await bench.age(payment, LATER_S)
    await askedBy(provider, other)
    expect(provider.asked).toHaveLength(2)
    expect(other.submitted.map(({ reference }) => reference)).toEqual([`W${payment.id}-2`])
    expect(await bench.codeOf(payment)).toBe(20)
  })
})
