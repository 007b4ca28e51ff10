import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import { expectSoundMoney, LEASE_MS, openPaymentsBench, payWith } from '../../../testing/payments/payments.ts'
import { payUnderOneId } from '../../../testing/payments/same-id.ts'
import type { Payment } from '../core/types.ts'
import { beginAttempts, findAttemptProvider } from './work.sql.ts'

let bench: PaymentsBench
let node: Node

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})
afterAll(() => bench.close())
afterAll(() => expectSoundMoney(bench.database))

/** Begins further attempts, each at the next of these providers. */
async function moveAlong({ resellerId, id: paymentId }: Payment, ...providers: string[]): Promise<void> {
  for (const [index, provider] of providers.entries()) {
    const command = { resellerId, paymentId, attempt: index + 1, lease: null, provider, isBegun: true }
    expect(
      await bench.database.transaction((tx) =>
        beginAttempts(tx, [{ ...command, reason: 'as a test' }], LEASE_MS),
      ),
    ).toHaveLength(1)
  }
}

const providersOf = (payment: Payment) =>
  Promise.all([1, 2, 3, 4].map((attempt) => findAttemptProvider(bench.database, payment, attempt)))

it('the provider of an attempt is the one it was begun at, whatever other payments of the reseller have', async () => {
  const reseller = await bench.newReseller(100_000n)
  const [still, moved, other] = [
    await payWith(node, reseller, { provider: 'a1' }),
    await payWith(node, reseller, { provider: 'b1' }),
    await payWith(node, reseller, { provider: 'c1' }),
  ]
  await moveAlong(moved, 'b2', 'b3')
  await moveAlong(other, 'c2', 'c3')
  expect(await providersOf(still)).toEqual(['a1', undefined, undefined, undefined])
  expect(await providersOf(moved)).toEqual(['b1', 'b2', 'b3', undefined])
  expect(await providersOf(other)).toEqual(['c1', 'c2', 'c3', undefined])
})

it('the provider of an attempt is that of the reseller’s own payment, also when two resellers have one id', async () => {
  const [first, second] = await payUnderOneId(bench, node, [{ provider: 'a1' }, { provider: 'b1' }])
  await moveAlong(first, 'a2')
  await moveAlong(second, 'b2', 'b3')
  expect(await providersOf(first)).toEqual(['a1', 'a2', undefined, undefined])
  expect(await providersOf(second)).toEqual(['b1', 'b2', 'b3', undefined])
})
