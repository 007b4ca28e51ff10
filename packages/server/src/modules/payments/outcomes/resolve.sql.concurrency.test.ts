import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { joined } from '../../../db/joined.ts'
import { noFailpoint } from '../../../lib/failpoints.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import {
  expectSoundMoney,
  openPaymentsBench,
  payWith,
  untilWaiting,
} from '../../../testing/payments/payments.ts'
import { payUnderOneId } from '../../../testing/payments/same-id.ts'
import { findPaymentById } from '../payment/records.service.ts'
import type { Payment, PaymentCode } from '../payment/types.ts'
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
afterEach(() => expectSoundMoney(bench.database))

function move({ resellerId, id }: Payment, code: PaymentCode): Move {
  const nothing = { failure: null, serialNumber: null, expiry: null, note: null, sealedOutput: null }
  return { ...nothing, resellerId, id, code, nextMs: 1_000 }
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

it('a success does not wait for the wallet, which somebody else may hold', async () => {
  const [sold, failed] = [
    await payWith(node, await bench.newReseller(100_000n)),
    await payWith(node, await bench.newReseller(100_000n)),
  ]
  await bench.database.transaction(async (tx) => {
    await tx.query('select from wallets where reseller_id = $1 for update', [sold.resellerId])
    const moves = [move(sold, 20), move(failed, 48)]
    expect((await resolvePayments(node.database, moves)).moved.size).toBe(2)
  })
})

it('a failure does not wait for the work of another reseller’s payment under the same id', async () => {
  const [first, second] = await payUnderOneId(bench, node, [{}, {}])
  await bench.database.transaction(async (tx) => {
    await tx.query('select from payment_work where reseller_id = $1 for update', [second.resellerId])
    const resolution = await node.database.transaction(async (other) => {
      // A wait for the lock would never end: the holder waits for this answer.
      await other.query(`set local lock_timeout = '5s'`)
      return resolvePayments(other, [move(first, 48)])
    })
    expect(resolution.moved.size).toBe(1)
  })
})
