import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { joined } from '../../../db/joined.ts'
import { noFailpoint } from '../../../lib/failpoints.ts'
import { beginAttempt } from '../../../testing/payments/dispatching.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import {
  expectSoundMoney,
  LEASE_MS,
  openPaymentsBench,
  payWith,
  untilWaiting,
} from '../../../testing/payments/payments.ts'
import { payUnderOneId } from '../../../testing/payments/same-id.ts'
import { findPaymentById } from '../core/records.service.ts'
import type { Payment, PaymentCode } from '../core/types.ts'
import type { Resolver } from './resolve.service.ts'
import { createResolver } from './resolve.service.ts'
import type { Move } from './resolve.sql.ts'
import { resolvePayments } from './resolve.sql.ts'

// Locks that resolving takes, and those that it must not wait for.

let bench: PaymentsBench
let node: Node

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})
afterAll(() => bench.close())
afterAll(() => expectSoundMoney(bench.database))

function move({ resellerId, id }: Payment, code: PaymentCode, attempt: number | null = null): Move {
  const nothing = { failure: null, serialNumber: null, expiry: null, note: null, sealedOutput: null }
  return { ...nothing, resellerId, id, code, attempt, nextMs: 1_000 }
}

function tellPin(resolver: Resolver, { resellerId, id }: Payment, pin: string): Promise<boolean> {
  const output = { serialNumber: '', pin, expiry: '', voucherLink: '', note: '' }
  return resolver.submit({ resellerId, id, outcome: { kind: 'succeeded', output }, nextMs: 0, attempt: 1 })
}

it('a PIN that is told while another one is being filled in does not replace it', async () => {
  const payment = await payWith(node, await bench.newReseller(100_000n))
  await tellPin(node.resolver, payment, '')
  let second: Promise<boolean> | undefined
  await bench.database.transaction(async (tx) => {
    const database = joined(tx, bench.database)
    const resolver = createResolver({ database, vault: bench.vault, failpoint: noFailpoint })
    await tellPin(resolver, payment, '1111')
    second = tellPin(node.resolver, payment, '2222')
    await untilWaiting(bench.database, 'resolve_payments', 1)
  })
  expect(await second).toBe(false)
  const stored = await findPaymentById(bench.database, bench.vault, payment.resellerId, payment.id)
  expect(stored?.output?.pin).toBe('1111')
})

it('a success or an undecided answer does not wait for the wallet, which somebody else may hold', async () => {
  const pay = async () => payWith(node, await bench.newReseller(100_000n))
  const [sold, waiting, failed] = [await pay(), await pay(), await pay()]
  await bench.database.transaction(async (tx) => {
    const held = [sold.resellerId, waiting.resellerId]
    await tx.query('select from wallets where reseller_id = any ($1) for update', [held])
    const moves = [move(sold, 20), move(waiting, 1), move(failed, 48)]
    expect((await resolvePayments(node.database, moves)).moved.size).toBe(3)
  })
})

it('an undecided answer leaves the work of another reseller’s payment under the same id alone', async () => {
  const [first, second] = await payUnderOneId(bench, node, [{}, {}])
  const before = await bench.workOf(second)
  await resolvePayments(node.database, [move(first, 1)])
  expect(await bench.workOf(first)).toMatchObject({ is_leased: false })
  expect(await bench.workOf(second)).toEqual(before)
})

/** Expects a payment to fail while somebody else holds the work of another one. */
async function expectNoWait(payment: Payment, held: Payment): Promise<void> {
  await bench.database.transaction(async (tx) => {
    const { resellerId, id } = held
    await tx.query('select from payment_work where reseller_id = $1 and payment_id = $2 for update', [
      resellerId,
      id,
    ])
    const resolution = await node.database.transaction(async (other) => {
      // A wait for the lock would never end: the holder waits for this answer.
      await other.query(`set local lock_timeout = '5s'`)
      return resolvePayments(other, [move(payment, 48, 1)])
    })
    expect(resolution.moved.size).toBe(1)
  })
}

it('a failure does not wait for the work of another payment of the reseller', async () => {
  const reseller = await bench.newReseller(100_000n)
  await expectNoWait(await payWith(node, reseller), await payWith(node, reseller))
})

it('a failure does not wait for the work of another reseller’s payment under the same id', async () => {
  const [first, second] = await payUnderOneId(bench, node, [{}, {}])
  const work = { reseller_id: second.resellerId, payment_id: second.id, attempt: 1 }
  // The failure is about the present attempt of its own payment, whichever the other one is at.
  await beginAttempt(bench.database, work, LEASE_MS, 'test')
  await expectNoWait(first, second)
})

describe('an earlier attempt that is heard of as undecided', () => {
  /** Hears of attempt 1 while attempt 2 is the present one. What `other` does begins before that is committed. */
  async function hearMeanwhile<T>(
    other: (payment: Payment) => Promise<T>,
    statement: string,
  ): Promise<{ payment: Payment; result: T | undefined }> {
    const payment = await payWith(node, await bench.newReseller(100_000n))
    const { resellerId, id } = payment
    await beginAttempt(
      bench.database,
      { reseller_id: resellerId, payment_id: id, attempt: 1 },
      LEASE_MS,
      'test',
    )
    let result: Promise<T> | undefined
    await bench.database.transaction(async (tx) => {
      await resolvePayments(tx, [move(payment, 1, 1)])
      result = other(payment)
      await untilWaiting(bench.database, statement, 1)
    })
    return { payment, result: await result }
  }

  it('keeps a further attempt from beginning that waited for the same work', async () => {
    const { payment, result } = await hearMeanwhile(({ resellerId, id }) => {
      const work = { reseller_id: resellerId, payment_id: id, attempt: 2 }
      return beginAttempt(node.database, work, LEASE_MS, 'test')
    }, 'payment_work')
    expect(result).toBeUndefined()
    expect(await bench.workOf(payment)).toMatchObject({ attempt: 2 })
  })

  it('keeps a failure from counting that waited for the same work', async () => {
    const { payment, result } = await hearMeanwhile(
      (paid) => resolvePayments(node.database, [move(paid, 48, 2)]),
      'resolve_payments',
    )
    expect(result?.moved.size).toBe(0)
    expect([await bench.codeOf(payment), await bench.balanceOf(payment.resellerId)]).toEqual([0, 90_000n])
  })
})
