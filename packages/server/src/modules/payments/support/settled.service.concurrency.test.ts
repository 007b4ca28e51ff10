import { afterAll, beforeAll, expect, it } from 'vitest'
import { joined } from '../../../db/joined.ts'
import { noFailpoint } from '../../../lib/failpoints.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import {
  expectSoundMoney,
  openPaymentsBench,
  payWith,
  untilWaiting,
} from '../../../testing/payments/payments.ts'
import { createResolver } from '../outcomes/resolve.service.ts'
import { resolveByEvidence } from './settled.service.ts'

let bench: PaymentsBench
let node: Node

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})
afterAll(() => bench.close())
afterAll(() => expectSoundMoney(bench.database))

const FAILED = { kind: 'failed', code: 48, reason: 'Rejected' } as const

it('evidence of a failure and the provider’s own word for it do not wait for each other in a circle', async () => {
  const reseller = await bench.newReseller(100_000n)
  const { resellerId, id } = await payWith(node, reseller)
  const evidence = { resellerId, paymentId: id, attempt: 1, outcome: FAILED, text: 'seen' }
  let said: Promise<boolean> | undefined
  const heard = await bench.database.transaction(async (tx) => {
    await tx.query('select from wallets where reseller_id = $1 for update', [reseller])
    // The transaction is open already, as with decisions of the back office.
    said = node.database.transaction((outer) =>
      resolveByEvidence({ database: joined(outer, node.database), vault: bench.vault }, evidence),
    )
    said.catch(() => {})
    await untilWaiting(bench.database, '', 1)
    const database = joined(tx, bench.database)
    const resolver = createResolver({ database, vault: bench.vault, failpoint: noFailpoint })
    return resolver.submit({ resellerId, id, outcome: FAILED, nextMs: 0, attempt: 1 })
  })
  expect([heard, await said]).toEqual([true, false])
  expect(await bench.balanceOf(reseller)).toBe(100_000n)
})

it('evidence about a payment that a node holds is refused, and moves nothing', async () => {
  const reseller = await bench.newReseller(100_000n)
  const payment = await payWith(node, reseller)
  const { resellerId, id: paymentId } = payment
  const output = { serialNumber: 'S1', pin: '', expiry: '', voucherLink: '', note: '' }
  for (const outcome of [FAILED, { kind: 'succeeded', output } as const]) {
    const evidence = { resellerId, paymentId, attempt: 1, outcome, text: 'seen' }
    await expect(resolveByEvidence(bench, evidence)).rejects.toMatchObject({
      status: 409,
      code: 'in_progress',
    })
  }
  expect([await bench.codeOf(payment), await bench.balanceOf(reseller)]).toEqual([0, 90_000n])
})
