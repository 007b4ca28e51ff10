import { afterAll, beforeAll, expect, it } from 'vitest'
import { credentialsOf } from '../http.ts'
import type { OrderData } from '../orders.ts'
import { confirmOrder, createOrder, untilOrder } from '../orders.ts'
import type { Payer } from '../payments.ts'
import { payerAt } from '../payments.ts'
import type { Service } from '../service.ts'
import type { CrashBench } from './crash.ts'
import { FAILS, openCrashBench } from './crash.ts'

// A process that dies while an order is paid. Its successor finds the order by its lease, and the payments by their
// refids, which are derived from the order.

let bench: CrashBench

beforeAll(async () => {
  bench = await openCrashBench()
})
afterAll(() => bench.close())

const SUCCEEDS = '60123456789'

function payerOf(service: Service): Payer {
  return payerAt(service, { ...credentialsOf(bench.reseller), account: bench.reseller.account })
}

type UnitRow = {
  refid: string
  state: string
  payments: number
  code: number
  taken: number
  returned: number
}

/** Lists the units of an order with their payments, and how often money was taken and returned for each. */
async function listUnits(code: string): Promise<UnitRow[]> {
  const { rows } = await bench.database.query<UnitRow>(
    `select u.refid, u.state, count(distinct p.id)::int as payments, max(p.code)::int as code,
            count(*) filter (where t.kind = 'payment' and t.amount = -p.cost)::int as taken,
            count(*) filter (where t.kind = 'refund' and t.amount = p.cost)::int as returned
       from orders o
       join order_units u on u.reseller_id = o.reseller_id and u.order_id = o.id
       left join payments p on p.reseller_id = u.reseller_id and p.refid = u.refid
       left join transfers t on t.reseller_id = p.reseller_id and t.payment_id = p.id
      where o.code = $1 group by u.refid, u.state order by u.refid`,
    [code],
  )
  return rows
}

async function countEvents(code: string): Promise<number> {
  const { rows } = await bench.database.query<{ count: number }>(
    `select ((select count(*) from events e where e.source = 'order' and e.subject = o.id)
           + (select count(*) from event_facts f where f.source = 'order' and o.id = any (f.subjects)))::int as count
       from orders o where o.code = $1`,
    [code],
  )
  return rows[0]?.count ?? 0
}

/** Kills the service at the failpoint while it pays an order, starts another, and looks at what became of the order. */
async function crashAt(failpoint: string): Promise<void> {
  const dying = await bench.start({ WARUNG_FAILPOINT: failpoint })
  const items = [
    { product_code: 'KITA', amount: '10.00', account: SUCCEEDS, quantity: 3 },
    { product_code: 'KITA', amount: '5.00', account: FAILS },
  ]
  const made: OrderData = await createOrder(dying, payerOf(dying), { items })
  // The answer may be lost with the process.
  await confirmOrder(dying, payerOf(dying), made.order_id).catch(() => undefined)
  expect((await dying.ended).signal).toBe('SIGKILL')

  const service = await bench.start({})
  // A client that got no answer asks again with the same reference.
  await confirmOrder(service, payerOf(service), made.order_id)
  const ended = await untilOrder(service, payerOf(service), made.order_id, [
    'completed',
    'partially_completed',
    'failed',
  ])
  expect(ended).toMatchObject({ status: 'partially_completed', refund_amount: '5.00' })
  const units = await listUnits(made.order_id)
  expect(units).toHaveLength(4)
  for (const { refid, state, payments, taken, returned } of units) {
    const isFailed = refid === `${made.order_id}-2-1`
    expect({ refid, state, payments, taken, returned }).toEqual({
      refid,
      state: isFailed ? 'failed' : 'succeeded',
      payments: 1,
      taken: 1,
      returned: isFailed ? 1 : 0,
    })
  }
  expect(await countEvents(made.order_id)).toBe(1)
  expect(await service.warungd('ledger', 'verify')).toMatchObject({ ok: true })
  await service.kill9()
}

it('an order whose process dies right after it was confirmed is paid by the next one', () =>
  crashAt('order.confirmed:1'))

it('an order whose process dies between paying and writing it down is paid once', () =>
  crashAt('order.paid:1'))

it('an order whose process dies after it wrote the payments down ends once', () => crashAt('order.noted:1'))
