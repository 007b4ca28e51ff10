import { describe, expect, it } from 'vitest'
import { noFailpoint } from '../../../lib/failpoints.ts'
import { leaseNowMs } from '../../../lib/lease-time.ts'
import type { LeaseCheckSettings } from './lease-check.service.ts'
import { isConfirmed, mustConfirm } from './lease-check.service.ts'

const LEASE_MS = 60_000

const settings = (isPresent: () => Promise<boolean>, problems: string[] = []): LeaseCheckSettings => ({
  attempts: { isPresent },
  leaseMs: LEASE_MS,
  failpoint: noFailpoint,
  onProblem: (text) => problems.push(text),
})

/** First order of a payment that was taken this many milliseconds ago. */
const orderSince = (ageMs: number) => ({
  resellerId: 1n,
  paymentId: 2n,
  attempt: 1,
  lease: 1,
  leaseEndsMs: leaseNowMs() + LEASE_MS - ageMs,
})

describe('the lease of an order', () => {
  const check = settings(async () => true)

  it('need not be confirmed for the first order of a payment, right after the commit that took it', () => {
    expect(mustConfirm(check, orderSince(0), false)).toBe(false)
  })

  it.each([
    ['waited for its turn', orderSince(0), true],
    ['is a further attempt', { ...orderSince(0), attempt: 2 }, false],
    ['is sent by a node that took the payment over', { ...orderSince(0), lease: 2 }, false],
    ['comes later than a second after its lease began', orderSince(1_001), false],
  ])('is confirmed when the order %s', (_, order, hasWaited) => {
    expect(mustConfirm(check, order, hasWaited)).toBe(true)
  })

  it('is confirmed only by a database that says so', async () => {
    const problems: string[] = []
    expect(
      await isConfirmed(
        settings(async () => true),
        orderSince(0),
      ),
    ).toBe(true)
    expect(
      await isConfirmed(
        settings(async () => false),
        orderSince(0),
      ),
    ).toBe(false)
    const silent = settings(() => Promise.reject(new Error('no answer')), problems)
    expect(await isConfirmed(silent, orderSince(0))).toBe(false)
    expect(problems).toHaveLength(1)
  })
})
