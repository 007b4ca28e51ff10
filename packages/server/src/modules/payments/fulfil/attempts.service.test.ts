import { afterAll, beforeAll, expect, it } from 'vitest'
import { noFailpoint } from '../../../lib/failpoints.ts'
import type { PaymentsBench } from '../../../testing/payments/payments.ts'
import { LEASE_MS, openPaymentsBench, overheard, payWith } from '../../../testing/payments/payments.ts'
import { createAttempts } from './attempts.service.ts'

let bench: PaymentsBench

beforeAll(async () => {
  bench = await openPaymentsBench()
})
afterAll(() => bench.close())

it('the lease of a further attempt is counted from before its statement was sent', async () => {
  const payment = await payWith(bench.openNode(), await bench.newReseller(100_000n))
  const sentMs: number[] = []
  const database = overheard(bench.database, { before: () => sentMs.push(performance.now()) })
  const attempts = createAttempts({ database, leaseMs: LEASE_MS, failpoint: noFailpoint })
  const begun = await attempts.begin({
    resellerId: payment.resellerId,
    paymentId: payment.id,
    attempt: 1,
    lease: 1,
    provider: null,
    reason: 'nothing listens there',
    isBegun: true,
  })
  expect(sentMs).toHaveLength(1)
  expect(begun?.leaseEndsMs).toBeLessThanOrEqual((sentMs[0] as number) + LEASE_MS)
})
