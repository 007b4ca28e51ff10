import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import { newRefid, openPaymentsBench, payWith } from '../../../testing/payments/payments.ts'
import { OUTPUT } from '../../../testing/providers/scripted-provider.ts'
import type { Payment } from '../core/types.ts'
import { listCostsOfPayment } from '../reports/public.sql.ts'
import type { ResolveCommand } from './resolve.service.ts'

let bench: PaymentsBench
let node: Node

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})
afterAll(() => bench.close())

function say({ resellerId, id }: Payment, outcome: ResolveCommand['outcome'], attempt = 1): Promise<boolean> {
  const about = { provider: 'nusa', product: 'NOVA' }
  return node.resolver.submit({ resellerId, id, attempt, about, outcome, nextMs: 5_000 })
}

async function pay(): Promise<Payment> {
  return payWith(node, await bench.newReseller(100_000n), { refid: newRefid() })
}

async function supplierIdOf({ resellerId, id }: Payment): Promise<string | undefined> {
  const { rows } = await bench.database.query<{ supplier_id: string }>(
    'select supplier_id from payment_supplier_references where reseller_id = $1 and payment_id = $2',
    [resellerId, id],
  )
  return rows[0]?.supplier_id
}

it('the cost that a success names is kept once, in the commit of the success', async () => {
  const payment = await pay()
  const cost = { amount: 23_500n, currency: 'USD' }
  expect(await say(payment, { kind: 'succeeded', output: OUTPUT, cost })).toBe(true)
  expect(await say(payment, { kind: 'succeeded', output: OUTPUT, cost: { ...cost, amount: 1n } })).toBe(false)
  const { resellerId, id: paymentId } = payment
  expect(await listCostsOfPayment(bench.database, payment)).toEqual([
    {
      resellerId,
      paymentId,
      attempt: 1,
      provider: 'nusa',
      currency: 'USD',
      amount: 23_500n,
      rate: null,
      ringgit: null,
    },
  ])
})

it("the supplier's id comes with an undecided answer too, and the first one stays", async () => {
  const payment = await pay()
  await say(payment, { kind: 'pending', supplierId: 'T-1' })
  expect(await supplierIdOf(payment)).toBe('T-1')
  await say(payment, { kind: 'unknown', reason: 'half an answer', supplierId: 'T-2' })
  await say(payment, { kind: 'succeeded', output: OUTPUT, supplierId: 'T-3' })
  expect(await supplierIdOf(payment)).toBe('T-1')
})

it('an id or a cost that cannot be stored does not keep the outcome from being written', async () => {
  const payment = await pay()
  const cost = { amount: -1n, currency: 'Ringgit' }
  expect(await say(payment, { kind: 'succeeded', output: OUTPUT, supplierId: 'a\0b', cost })).toBe(true)
  expect(await supplierIdOf(payment)).toBeUndefined()
  expect(await listCostsOfPayment(bench.database, payment)).toEqual([])
})
