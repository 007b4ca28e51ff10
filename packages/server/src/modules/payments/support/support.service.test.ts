import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beginAttempt } from '../../../testing/payments/dispatching.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import { expectSoundMoney, LEASE_MS, openPaymentsBench, payWith } from '../../../testing/payments/payments.ts'
import { PENDING, SUCCEEDED } from '../../../testing/providers/scripted-provider.ts'
import type { Payment } from '../core/types.ts'
import { resolveByEvidence } from './settled.service.ts'
import { listOpenAttempts } from './settled.sql.ts'
import { getPaymentReport, resolveStuckPayment } from './support.service.ts'

let bench: PaymentsBench
let node: Node

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})
afterAll(() => bench.close())
afterAll(() => expectSoundMoney(bench.database))

/** Creates a payment past its due time, whose first attempt is undecided beside the present one. */
async function payWithUndecidedFirst(): Promise<Payment> {
  const payment = await payWith(node, await bench.newReseller(10_000n))
  const { resellerId, id } = payment
  await beginAttempt(
    bench.database,
    { reseller_id: resellerId, payment_id: id, attempt: 1 },
    LEASE_MS,
    'test',
  )
  await node.resolver.submit({ resellerId, id, attempt: 1, outcome: PENDING, nextMs: 3_600_000 })
  await bench.age(payment, 86_400)
  await bench.database.query(
    `update payment_work set due_at = now() - interval '1 hour' where reseller_id = $1`,
    [resellerId],
  )
  return payment
}

const decide = ({ resellerId, id }: Payment, as: 'succeeded' | 'failed') =>
  resolveStuckPayment(bench, resellerId, { id }, { as, serialNumber: '', pin: '', reason: 'asked by phone' })

describe('an operator’s decision about a payment with an attempt that is undecided', () => {
  it('is about every attempt when the payment failed: the money goes back, and nobody is asked any more', async () => {
    const payment = await payWithUndecidedFirst()
    const { timeline } = await decide(payment, 'failed')
    expect([await bench.codeOf(payment), await bench.balanceOf(payment.resellerId)]).toEqual([47, 10_000n])
    expect(await listOpenAttempts(bench.database, payment.resellerId, payment.id)).toEqual([])
    expect(timeline.slice(-2).map(({ kind, detail }) => `${kind}: ${detail}`)).toEqual([
      `late: attempt 1 (W${payment.id}-1) failed with 47; it was not the present one any more`,
      'state: Service_Unavailable; operator: asked by phone',
    ])
  })

  it('is about the present attempt alone when the payment succeeded: the other may be a second fulfilment', async () => {
    const payment = await payWithUndecidedFirst()
    await decide(payment, 'succeeded')
    expect(await bench.codeOf(payment)).toBe(20)
    expect(await listOpenAttempts(bench.database, payment.resellerId, payment.id)).toEqual([1])
  })

  it('closes nothing when the payment has ended a moment before', async () => {
    const payment = await payWithUndecidedFirst()
    const { resellerId, id } = payment
    await node.resolver.submit({ resellerId, id, attempt: 1, outcome: SUCCEEDED, nextMs: 0 })
    expect(await listOpenAttempts(bench.database, resellerId, id)).toEqual([2])
    const outcome = { kind: 'failed', code: 47, reason: 'Service_Unavailable' } as const
    const evidence = { resellerId, paymentId: id, attempt: 2, outcome, text: 'operator', isAboutAll: true }
    expect(await resolveByEvidence(bench, evidence)).toBe(false)
    expect(await listOpenAttempts(bench.database, resellerId, id)).toEqual([2])
  })

  it('closes nothing when another attempt is the present one by then', async () => {
    const payment = await payWithUndecidedFirst()
    const { resellerId, id } = payment
    const outcome = { kind: 'failed', code: 47, reason: 'Service_Unavailable' } as const
    const evidence = { resellerId, paymentId: id, attempt: 3, outcome, text: 'operator', isAboutAll: true }
    expect(await resolveByEvidence(bench, evidence)).toBe(false)
    expect(await listOpenAttempts(bench.database, resellerId, id)).toEqual([1])
    expect(await bench.codeOf(payment)).toBe(0)
  })

  it('evidence about the present attempt alone is refused, and names the attempt that the payment waits for', async () => {
    const payment = await payWithUndecidedFirst()
    const { resellerId, id } = payment
    const outcome = { kind: 'failed', code: 47, reason: 'Service_Unavailable' } as const
    const evidence = { resellerId, paymentId: id, attempt: 2, outcome, text: 'a file' }
    await expect(resolveByEvidence(bench, evidence)).rejects.toMatchObject({
      status: 409,
      code: 'attempt_undecided',
      publicText: expect.stringContaining(`waits for W${id}-1,`),
    })
    expect([await bench.codeOf(payment), await bench.balanceOf(resellerId)]).toEqual([0, 0n])
    await node.resolver.submit({ resellerId, id, attempt: 1, outcome, nextMs: 0 })
    expect(await resolveByEvidence(bench, evidence)).toBe(true)
    expect(await bench.balanceOf(resellerId)).toBe(10_000n)
  })

  it('evidence about an undecided attempt names only the others that the payment waits for', async () => {
    const { resellerId, id } = await payWithUndecidedFirst()
    await bench.database.query(
      `insert into payment_open_attempts (reseller_id, payment_id, attempt, provider, submitted_at, next_at, is_leased, lease)
       select reseller_id, payment_id, 3, provider, submitted_at, next_at, is_leased, lease
         from payment_open_attempts where payment_id = $1`,
      [id],
    )
    const outcome = { kind: 'failed', code: 47, reason: 'Service_Unavailable' } as const
    const evidence = { resellerId, paymentId: id, attempt: 1, outcome, text: 'a file' }
    await expect(resolveByEvidence(bench, evidence)).rejects.toMatchObject({
      publicText: expect.stringContaining(`waits for W${id}-3,`),
    })
  })

  it('is contradicted by a success of any attempt after it', async () => {
    const payment = await payWithUndecidedFirst()
    await decide(payment, 'failed')
    const { resellerId, id } = payment
    expect(await node.resolver.submit({ resellerId, id, attempt: 1, outcome: SUCCEEDED, nextMs: 0 })).toBe(
      false,
    )
    const { rows } = await bench.database.query<{ severity: string }>(
      `select severity from operator_alerts where kind = 'payment_contradiction' and subject = $1`,
      [String(id)],
    )
    expect(rows).toEqual([{ severity: 'critical' }])
  })
})

describe('the timeline of a payment', () => {
  it('keeps the balance of each step, whatever moves afterwards', async () => {
    const resellerId = await bench.newReseller(25_000n)
    const payment = await payWith(node, resellerId)
    const balances = async () =>
      (await getPaymentReport(bench, resellerId, { id: payment.id })).timeline.map(({ code, balance }) => [
        code,
        balance,
      ])
    expect(await balances()).toEqual([[0, 15_000n]])
    await payWith(node, resellerId)
    const { id } = payment
    await node.resolver.submit({ resellerId, id, attempt: 1, outcome: PENDING, nextMs: 0 })
    await node.resolver.submit({ resellerId, id, attempt: 1, outcome: SUCCEEDED, nextMs: 0 })
    await node.resolver.submit({ resellerId, id, outcome: { kind: 'voided' }, nextMs: 0 })
    await payWith(node, resellerId)
    expect(await balances()).toEqual([
      [0, 15_000n],
      [1, null],
      [20, null],
      [53, 15_000n],
    ])
  })

  it('has the balance before and after the money of a failed payment went back', async () => {
    const resellerId = await bench.newReseller(25_000n)
    const payment = await payWith(node, resellerId)
    const { id } = payment
    const failed = { kind: 'failed', code: 48, reason: 'Rejected' } as const
    await node.resolver.submit({ resellerId, id, attempt: 1, outcome: failed, nextMs: 0 })
    const { timeline } = await getPaymentReport(bench, resellerId, { id })
    expect(timeline.map(({ code, balance }) => [code, balance])).toEqual([
      [0, 15_000n],
      [48, 25_000n],
    ])
  })
})
