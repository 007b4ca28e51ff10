import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beginAttempt } from '../../../testing/payments/dispatching.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import { expectSoundMoney, LEASE_MS, openPaymentsBench, payWith } from '../../../testing/payments/payments.ts'
import { payUnderOneId } from '../../../testing/payments/same-id.ts'
import { FAILED, SUCCEEDED } from '../../../testing/providers/scripted-provider.ts'
import type { Payment } from '../core/types.ts'
import { beginAttempts } from '../fulfil/work.sql.ts'
import { findAttempts, listSoldReferences } from './settled.sql.ts'

let bench: PaymentsBench
let node: Node

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})
afterAll(() => bench.close())
afterAll(() => expectSoundMoney(bench.database))

async function beginSecond({ resellerId, id }: Payment): Promise<void> {
  const work = { reseller_id: resellerId, payment_id: id, attempt: 1 }
  expect(await beginAttempt(bench.database, work, LEASE_MS, 'as a test')).toBeInstanceOf(Date)
}

function report({ resellerId, id }: Payment, attempt: number | undefined, outcome = SUCCEEDED) {
  const command = { resellerId, id, outcome, nextMs: 0 }
  return node.resolver.submit(attempt === undefined ? command : { ...command, attempt })
}

/** Sells a payment by its first attempt, and reports the success of a second one, which contradicts the first. */
async function sellTwice(payment: Payment): Promise<void> {
  await beginSecond(payment)
  expect(await report(payment, 1)).toBe(true)
  expect(await report(payment, 2)).toBe(false)
}

describe('attempts that are looked up by their references', () => {
  it('are told with the present attempt and the one that succeeded, each of its own payment', async () => {
    const reseller = await bench.newReseller(100_000n)
    const pay = () => payWith(node, reseller)
    const [sold, open, later, failed] = [await pay(), await pay(), await pay(), await pay()]
    await sellTwice(sold)
    await beginSecond(later)
    await report(failed, 1, FAILED)
    const found = await findAttempts(
      bench.database,
      [sold, open, later, failed].map(({ id }) => ({ paymentId: id, attempt: 1 })),
    )
    const byId = new Map(
      found.map((row) => [row.payment_id, [row.code, row.present_attempt, row.succeeded_attempt]]),
    )
    expect(byId).toEqual(
      new Map([
        [sold.id, [20, null, 1]],
        [open.id, [0, 1, null]],
        [later.id, [0, 2, null]],
        [failed.id, [48, null, null]],
      ]),
    )
  })

  it('are told of every reseller that has the id, each with its own provider', async () => {
    const payments = await payUnderOneId(bench, node, [{ provider: 'a1' }, { provider: 'b1' }])
    for (const [index, { resellerId, id: paymentId }] of payments.entries()) {
      const provider = ['a2', 'b2'][index] as string
      const command = { resellerId, paymentId, attempt: 1, lease: null, provider, isBegun: true }
      await bench.database.transaction((tx) =>
        beginAttempts(tx, [{ ...command, reason: 'as a test' }], LEASE_MS),
      )
    }
    const [{ id: paymentId }] = payments
    const found = await findAttempts(bench.database, [
      { paymentId, attempt: 1 },
      { paymentId, attempt: 2 },
    ])
    const told = found.map((row) => [row.reseller_id, row.attempt, row.attempt_provider])
    const [first, second] = payments.map(({ resellerId }) => resellerId)
    expect(told).toHaveLength(4)
    expect(told).toEqual(
      expect.arrayContaining([
        [first, 1, 'a1'],
        [first, 2, 'a2'],
        [second, 1, 'b1'],
        [second, 2, 'b2'],
      ]),
    )
  })
})

it('attempts that succeeded are listed in the order of the ids, the first one where none was named', async () => {
  const reseller = await bench.newReseller(100_000n)
  const pay = () => payWith(node, reseller)
  const [second, unnamed, first, failed, last] = [
    await pay(),
    await pay(),
    await pay(),
    await pay(),
    await pay(),
  ]
  await beginSecond(second)
  await report(second, 2)
  await report(unnamed, undefined)
  await sellTwice(first)
  await report(failed, 1, FAILED)
  await report(last, 1)
  const range = { afterId: second.id - 1n, beforeId: last.id, limit: 10 }
  expect(await listSoldReferences(bench.database, range)).toEqual([
    { paymentId: second.id, attempt: 2 },
    { paymentId: unnamed.id, attempt: 1 },
    { paymentId: first.id, attempt: 1 },
  ])
  expect(await listSoldReferences(bench.database, { ...range, afterId: second.id, limit: 1 })).toEqual([
    { paymentId: unnamed.id, attempt: 1 },
  ])
})
