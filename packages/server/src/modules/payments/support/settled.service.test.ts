import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseDay } from '../../../lib/dates.ts'
import { beginAttempt } from '../../../testing/payments/dispatching.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import { expectSoundMoney, LEASE_MS, openPaymentsBench, payWith } from '../../../testing/payments/payments.ts'
import { FAILED, PENDING, SUCCEEDED } from '../../../testing/providers/scripted-provider.ts'
import type { Payment } from '../core/types.ts'
import { listAttemptsOf, listFulfilled } from './settled.service.ts'

let bench: PaymentsBench
let node: Node

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})
afterAll(() => bench.close())
afterAll(() => expectSoundMoney(bench.database))

/** Creates a payment whose first attempt is undecided beside the present one, the second. */
async function payWithUndecidedFirst(): Promise<Payment> {
  const payment = await payWith(node, await bench.newReseller(10_000n), { provider: 'acme' })
  const { resellerId, id } = payment
  const work = { reseller_id: resellerId, payment_id: id, attempt: 1 }
  await beginAttempt(bench.database, work, LEASE_MS, 'test')
  await node.resolver.submit({ resellerId, id, attempt: 1, outcome: PENDING, nextMs: 3_600_000 })
  return payment
}

const stateOfFirst = async ({ id }: Payment) => {
  const attempts = await listAttemptsOf(bench.database, 'acme', [{ paymentId: id, attempt: 1 }])
  return attempts.map(({ state }) => state)
}

describe('the state of an earlier attempt', () => {
  it('an earlier attempt that is undecided is pending until its provider has decided', async () => {
    const payment = await payWithUndecidedFirst()
    expect(await stateOfFirst(payment)).toEqual(['pending'])
    const { resellerId, id } = payment
    await node.resolver.submit({ resellerId, id, attempt: 1, outcome: FAILED, nextMs: 0 })
    expect(await stateOfFirst(payment)).toEqual(['failed'])
  })

  it('an earlier attempt at a payment that another attempt fulfilled is not the one that was sold', async () => {
    const payment = await payWithUndecidedFirst()
    const { resellerId, id } = payment
    await node.resolver.submit({ resellerId, id, attempt: 2, outcome: SUCCEEDED, nextMs: 0 })
    expect(await stateOfFirst(payment)).toEqual(['failed'])
  })
})

it.each(['0001-01-01', '1969-12-31', '9999-12-31'])(
  'a list of what was fulfilled on %s is empty: no payment can have that day',
  async (text) => {
    const day = parseDay(text) ?? Number.NaN
    const page = { fromDay: day, toDay: day, after: 0n, limit: 10 }
    expect(await listFulfilled(bench.database, 'acme', page)).toEqual({ attempts: [], next: undefined })
  },
)
