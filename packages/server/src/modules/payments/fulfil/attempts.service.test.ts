import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../../db/database.ts'
import { UncertainCommitError } from '../../../db/database.ts'
import { noFailpoint } from '../../../lib/failpoints.ts'
import { leaseNowMs } from '../../../lib/lease-time.ts'
import { withBreakableDatabase } from '../../../testing/network/breakable-line.ts'
import { dispatchOf } from '../../../testing/payments/dispatching.ts'
import type { PaymentsBench } from '../../../testing/payments/payments.ts'
import { LEASE_MS, openPaymentsBench, payWith, until } from '../../../testing/payments/payments.ts'
import {
  createScriptedProvider,
  NOT_ACTED,
  providersOf,
  SUCCEEDED,
  UNKNOWN,
} from '../../../testing/providers/scripted-provider.ts'
import { referenceOf } from '../core/schedule.rules.ts'
import { createAttempts } from './attempts.service.ts'
import { createDispatcher } from './dispatch.service.ts'

let bench: PaymentsBench

beforeAll(async () => {
  bench = await openPaymentsBench()
})
afterAll(() => bench.close())

it('the lease of a further attempt is counted from before its transaction began', async () => {
  const payment = await payWith(bench.openNode(), await bench.newReseller(100_000n))
  const sentMs: number[] = []
  const database: Database = {
    ...bench.database,
    transaction(work, limits) {
      sentMs.push(leaseNowMs())
      return bench.database.transaction(work, limits)
    },
  }
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

it('a further attempt whose commit took most of its lease is not sent', async () => {
  const leaseMs = 2_000
  const node = bench.openNode({ leaseMs })
  const payment = await payWith(node, await bench.newReseller(10_000n), { provider: 'first' })
  const slow: Database = {
    ...node.database,
    async transaction(work, limits) {
      const result = await node.database.transaction(work, limits)
      const answeredMs = performance.now() + leaseMs / 4
      await until('the answer arrives', () => performance.now() > answeredMs)
      return result
    },
  }
  const first = createScriptedProvider(NOT_ACTED, UNKNOWN, { code: 'first' })
  const second = createScriptedProvider(SUCCEEDED, UNKNOWN, {
    code: 'second',
    submitTimeoutMs: leaseMs * 0.9,
  })
  const dispatcher = createDispatcher({
    providers: providersOf(first, second),
    resolver: node.resolver,
    attempts: createAttempts({ database: slow, leaseMs, failpoint: noFailpoint }),
    leaseMs,
    failpoint: noFailpoint,
    onProblem: () => {},
  })
  await dispatcher.send(dispatchOf(payment, { provider: 'first', leaseEndsMs: leaseNowMs() + LEASE_MS }))
  expect(first.submitted).toHaveLength(1)
  expect(second.submitted).toEqual([])
  // Nothing speaks against the second provider: any node may send the order under a new lease.
  const { rows } = await bench.database.query(
    'select attempt, is_leased, is_unsent from payment_work where reseller_id = $1 and payment_id = $2',
    [payment.resellerId, payment.id],
  )
  expect(rows).toEqual([{ attempt: 2, is_leased: false, is_unsent: true }])
})

it('a further attempt whose commit got no answer is sent once, because its provider may not be asked', async () => {
  const node = bench.openNode()
  const payment = await payWith(node, await bench.newReseller(10_000n), { provider: 'first' })
  const first = createScriptedProvider(NOT_ACTED, UNKNOWN, { code: 'first' })
  const second = createScriptedProvider(SUCCEEDED, UNKNOWN, { code: 'second' })
  await withBreakableDatabase(bench.connection, async (database, line) => {
    const dispatcher = createDispatcher({
      providers: providersOf(first, second),
      resolver: node.resolver,
      attempts: createAttempts({ database, leaseMs: LEASE_MS, failpoint: noFailpoint }),
      leaseMs: LEASE_MS,
      failpoint: noFailpoint,
      onProblem: (text, error) => {
        throw new Error(text, { cause: error })
      },
    })
    line.breakCommit('after')
    await dispatcher.send(dispatchOf(payment, { provider: 'first', leaseEndsMs: leaseNowMs() + LEASE_MS }))
  })
  expect(first.submitted).toHaveLength(1)
  expect(second.submitted).toMatchObject([{ reference: referenceOf(payment.id, 2) }])
  const { rows } = await bench.database.query(
    'select code, provider from payments where reseller_id = $1 and id = $2',
    [payment.resellerId, payment.id],
  )
  expect(rows).toEqual([{ code: 20, provider: 'second' }])
})

it.each([
  ['another node has claimed', 'lease = lease + 1'],
  ['another node has begun under a lease of its own', 'lease = lease + 2, attempt = attempt + 1'],
  ['was given back', 'is_leased = false, is_unsent = true'],
])('a further attempt whose commit got no answer, and that %s, is not begun again', async (_, change) => {
  const payment = await payWith(bench.openNode(), await bench.newReseller(100_000n))
  const key = [payment.resellerId, payment.id]
  let runs = 0
  const database: Database = {
    ...bench.database,
    async transaction(work, limits) {
      const result = await bench.database.transaction(work, limits)
      runs += 1
      if (runs > 1) return result
      await bench.database.query(
        `update payment_work set ${change} where reseller_id = $1 and payment_id = $2`,
        key,
      )
      throw new UncertainCommitError(new Error('Connection terminated unexpectedly'))
    },
  }
  const attempts = createAttempts({ database, leaseMs: LEASE_MS, failpoint: noFailpoint })
  const { resellerId, id: paymentId } = payment
  const command = { resellerId, paymentId, attempt: 1, lease: 1, provider: null, reason: 'x', isBegun: true }
  expect(await attempts.begin(command)).toBeUndefined()
  expect(runs).toBe(2)
})
