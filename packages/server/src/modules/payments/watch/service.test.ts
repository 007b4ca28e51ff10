import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newReseller } from '../../../testing/payments/history.ts'
import type { PaymentsBench } from '../../../testing/payments/payments.ts'
import { openPaymentsBench, payWith } from '../../../testing/payments/payments.ts'
import type { Alerts } from '../../alerts/core/service.ts'
import { createAlerts } from '../../alerts/core/service.ts'
import { watchPayments } from './service.ts'

let bench: PaymentsBench
let alerts: Alerts

beforeEach(async () => {
  bench = await openPaymentsBench()
  alerts = createAlerts({ database: bench.database, onRaised: () => {} })
})
afterEach(() => bench.close())

async function watch(): Promise<{ kind: string; subject: string; text: string; times: bigint }[]> {
  await watchPayments({ database: bench.database, alerts })
  const { rows } = await bench.database.query<{ kind: string; subject: string; text: string; times: bigint }>(
    'select kind, subject, text, times from operator_alerts where cleared_at is null order by kind, subject',
  )
  return rows
}

const subjectsOf = async (): Promise<string[]> =>
  (await watch()).map(({ kind, subject }) => `${kind}: ${subject}`)

describe('payments past their due time', () => {
  const overdue = (minutes: number) =>
    bench.database.query(`update payment_work set due_at = now() - make_interval(mins => $1)`, [minutes])

  it('are one alert for their supplier after half an hour, with count, sum and age, until none is left', async () => {
    const node = bench.openNode()
    const resellerId = await bench.newReseller(1_000_000n)
    const payments = [await payWith(node, resellerId), await payWith(node, resellerId)]
    await overdue(29)
    expect(await watch()).toEqual([])
    await overdue(2 * 24 * 60)
    const [alert, ...others] = await watch()
    expect(others).toEqual([])
    expect(alert).toMatchObject({ kind: 'payments_stuck', subject: 'scripted', times: 1n })
    expect(alert?.text).toMatch(/^2 payments are past the due time, RM 2\.00 in all; .* \(48 hours\)$/)
    // Nothing changed, so that it is not counted up.
    expect(await watch()).toEqual([alert])
    const end = (payment = payments[0]) => {
      if (payment === undefined) throw new Error('there are two')
      const outcome = { kind: 'failed', code: 48, reason: 'Rejected' } as const
      return node.resolver.submit({ resellerId, id: payment.id, attempt: 1, outcome, nextMs: 0 })
    }
    await end()
    expect(await watch()).toMatchObject([
      { times: 2n, text: expect.stringMatching(/^1 payment is .* RM 1\.00/) },
    ])
    // Between the thresholds it stays open.
    await overdue(5)
    expect(await watch()).toHaveLength(1)
    await end(payments[1])
    expect(await watch()).toEqual([])
  })
})

describe('a supplier', () => {
  async function answered(
    minutesAgo: number,
    counts: { succeeded?: number; failed?: number; unknown?: number },
  ) {
    const { succeeded = 0, failed = 0, unknown = 0 } = counts
    await bench.database.query(
      `insert into provider_health_intervals (provider, at, node, succeeded, failed, pending, not_acted, unknown, latencies)
       values ('acme', now() - make_interval(mins => $1), 'node', $2, $3, 0, 0, $4, '{}')`,
      [minutesAgo, succeeded, failed, unknown],
    )
  }

  it('is an alert while it answers no order, until it answers again', async () => {
    await answered(20, { succeeded: 10 })
    expect(await subjectsOf()).toEqual([])
    await answered(3, { unknown: 6 })
    expect(await watch()).toMatchObject([
      { kind: 'supplier_silent', subject: 'acme', text: 'acme has not answered the last orders: at least 5' },
    ])
    await answered(1, { succeeded: 3, unknown: 2 })
    expect(await subjectsOf()).toEqual(['supplier_silent: acme'])
    await answered(0, { succeeded: 9 })
    expect(await subjectsOf()).toEqual([])
  })

  it('is an alert while its success rate is far below its own week', async () => {
    await answered(3 * 24 * 60, { succeeded: 190, failed: 10 })
    await answered(10, { succeeded: 20, failed: 20 })
    expect(await watch()).toMatchObject([
      {
        kind: 'success_rate_fell',
        subject: 'supplier acme',
        text: 'supplier acme: 50 % succeeded in the last hour, 95 % in the week before',
      },
    ])
    await answered(2, { succeeded: 400 })
    expect(await subjectsOf()).toEqual([])
  })
})

describe('payments of the last hour', () => {
  /** Sums of yesterday, as the rollups have them, and payments of some minutes ago. */
  async function seed(
    resellerId: bigint,
    product: string,
    sold: { good: number; bad: number },
  ): Promise<void> {
    await bench.database.query(
      `insert into payment_rollups (reseller_id, day, product_code, code, payments, face_value, cost)
       select $1, (now() at time zone 'Asia/Kuala_Lumpur')::date - 1, $2, c.code, c.payments, 1, 1
         from (values (20, 380), (48, 20)) as c (code, payments)`,
      [resellerId, product],
    )
    await bench.database.query(
      `insert into payments (reseller_id, id, refid, product_code, product_name, account, amount, face_value, cost,
                             balance_after, code, remarks, failure, sender, member_id, provider, created_at, changed_at)
       select $1, (((extract(epoch from now()) * 1000)::bigint - 600000) << 20) + n, $2 || n, $2, $2, '1', 1, 1, 1, 0,
              case when n <= $3 then 20 else 48 end, '', 'Why', '1', '1', 'acme', now(), now()
         from generate_series(1, $4::integer) n`,
      [resellerId, product, sold.good, sold.good + sold.bad],
    )
  }

  it('are an alert for product and reseller when they fail more often than in the week before', async () => {
    const [ill, well] = [await newReseller(bench), await newReseller(bench)]
    await seed(ill, 'NOVA', { good: 10, bad: 40 })
    await seed(well, 'KITA', { good: 60, bad: 3 })
    const account = (
      await bench.database.query<{ account: string }>('select account from resellers where id = $1', [ill])
    ).rows[0]?.account
    expect(await subjectsOf()).toEqual([
      'success_rate_fell: product NOVA',
      `success_rate_fell: reseller ${account}`,
    ])
  })

  it('raise nothing and clear nothing where they are too few', async () => {
    const resellerId = await newReseller(bench)
    await seed(resellerId, 'NOVA', { good: 0, bad: 29 })
    expect(await subjectsOf()).toEqual([])
    await alerts.raise({ kind: 'success_rate_fell', subject: 'product NOVA', text: 'earlier' })
    expect(await subjectsOf()).toEqual(['success_rate_fell: product NOVA'])
  })

  it('are looked at by one node at a time', async () => {
    const resellerId = await newReseller(bench)
    await seed(resellerId, 'NOVA', { good: 0, bad: 40 })
    const nodes = Array.from({ length: 4 }, () => bench.openAnother())
    await Promise.all(nodes.map((database) => watchPayments({ database, alerts })))
    expect((await watch()).map(({ times }) => times)).toEqual([1n, 1n])
  })
})
