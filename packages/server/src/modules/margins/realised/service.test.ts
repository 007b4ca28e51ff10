import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { insertBackfill, newReseller, PAST, today } from '../../../testing/payments/history.ts'
import { kindsOf, scriptedKind } from '../../../testing/providers/connector-kinds.ts'
import type { Alerts } from '../../alerts/core/service.ts'
import { createAlerts, listAlerts } from '../../alerts/core/service.ts'
import { listCostsOfPayment } from '../../payments/reports/public.sql.ts'
import { sumOpenDays } from '../../payments/reports/rollups.service.ts'
import { listSales } from '../../payments/reports/sales.service.ts'
import { addConnection } from '../../providers/connections/connections.service.ts'
import { setRoute } from '../../providers/connections/routing.service.ts'
import { listRealised, watchDrift, watchRateAges, watchRates } from './service.ts'

let test: TestDatabase
let alerts: Alerts
let resellerId: bigint
let now: number

beforeAll(async () => {
  test = await openTestDatabase()
  alerts = createAlerts({ ...test, onRaised: () => {} })
  now = await today(test.database)
  resellerId = await newReseller(test)
  const made = { code: 'alpha', kind: 'scripted', name: 'Alpha', isEnabled: true, config: {} }
  await addConnection({ ...test, kinds: kindsOf(scriptedKind()) }, made)
  const usual = { priority: 1, weight: 100, windows: [], isEnabled: true }
  await setRoute(test.database, { productCode: 'NOVA', provider: 'alpha', cost: '94%', ...usual })
})
afterAll(() => test.close())
beforeEach(() =>
  test.database.query(
    `alter table currency_rates disable trigger all; truncate currency_rates, payments, payment_supplier_costs,
       payment_rollups, payment_rollup_days, operator_alerts; alter table currency_rates enable trigger all`,
  ),
)

/** Takes payments of 10 ringgit for 9.70 each, and says for each what the supplier took. */
async function sell(currency: string, costs: readonly bigint[], daysAgo = 0): Promise<bigint[]> {
  const payments = costs.map((_, index) => ({ ...PAST, day: now - daysAgo, atMs: index }))
  const ids = await insertBackfill(test.database, resellerId, payments)
  for (const [index, id] of ids.entries()) {
    await test.database.query(
      `insert into payment_supplier_costs (reseller_id, payment_id, attempt, provider, currency, amount, at)
       values ($1, $2, 1, 'alpha', $3, $4, clock_timestamp() - make_interval(days => $5))`,
      [resellerId, id, currency, costs[index], daysAgo],
    )
  }
  return ids
}

function rate(currency: string, value: string, daysAgo: number): Promise<unknown> {
  return test.database.query(
    `insert into currency_rates (currency, rate, from_at, reason, set_by)
     values ($1, $2::numeric, clock_timestamp() - make_interval(days => $3), 'bank', 'siti')`,
    [currency, value, daysAgo],
  )
}

async function ringgitOf(id: bigint | undefined) {
  const [cost] = await listCostsOfPayment(test.database, { resellerId, id: id ?? 0n })
  return [cost?.rate, cost?.ringgit]
}

const openNow = async () =>
  (await listAlerts(test.database, { limit: 100, withCleared: false })).map(
    ({ kind, subject }) => `${kind} ${subject}`,
  )

it('a cost keeps the rate of its own time, whatever is set later', async () => {
  await rate('USD', '4.60', 10)
  await rate('USD', '4.70', 2)
  const [old] = await sell('USD', [20_000n], 3)
  const [recent] = await sell('USD', [20_001n])
  await watchRates({ ...test, alerts })
  expect(await ringgitOf(old)).toEqual(['4.6', 92_000n])
  expect(await ringgitOf(recent)).toEqual(['4.7', 94_005n])
  await rate('USD', '9', 0)
  await watchRates({ ...test, alerts })
  expect(await ringgitOf(recent)).toEqual(['4.7', 94_005n])
})

it('a currency without a rate is an alert that names the supplier, and its costs get the rate when there is one', async () => {
  const [id] = await sell('USD', [20_000n], 1)
  await watchRates({ ...test, alerts })
  expect(await ringgitOf(id)).toEqual([null, null])
  expect(await openNow()).toEqual(['rate_missing alpha'])
  expect(await listRealised(test.database, { from: now - 2, to: now })).toMatchObject([
    { cost: 20_000n, currency: 'USD', ringgit: null, margin: null, listedCost: 94_000n },
  ])
  await rate('USD', '4.70', 2)
  await watchRates({ ...test, alerts })
  expect(await ringgitOf(id)).toEqual(['4.7', 94_000n])
  expect(await openNow()).toEqual([])
})

it('sums of days hold what suppliers took, also where the rate came after the day was summed', async () => {
  await sell('USD', [20_000n, 21_000n], 2)
  await insertBackfill(test.database, resellerId, [{ ...PAST, day: now - 2, atMs: 9 }])
  const untold = { payments: 0n, faceValue: 0n, charged: 0n, supplierCost: 0n }
  const told = { payments: 2n, faceValue: 200_000n, charged: 194_000n, supplierCost: 192_700n }
  const sums = () => listSales(test.database, { from: now - 3, to: now })
  expect(await sums()).toMatchObject([{ payments: 3n, told: untold }])
  await sumOpenDays(test)
  expect(await sums()).toMatchObject([{ payments: 3n, told: untold }])
  await rate('USD', '4.70', 5)
  await watchRates({ ...test, alerts })
  expect(await sums()).toMatchObject([{ payments: 3n, charged: 291_000n, told }])
  await sumOpenDays(test)
  expect(await sums()).toMatchObject([{ payments: 3n, charged: 291_000n, told }])
})

it('a supplier that takes another amount than its route says in a day is an alert, until it does not', async () => {
  await rate('USD', '4.70', 5)
  await sell('USD', [20_500n, 20_500n, 20_500n, 20_500n])
  const watch = async () => {
    await watchRates({ ...test, alerts })
    await watchDrift({ ...test, alerts, maxPercent: 2, nowMs: Date.now() + 1 })
    return openNow()
  }
  expect(await watch()).toEqual([])
  await sell('USD', [20_500n])
  expect(await watch()).toEqual(['cost_drift NOVA/alpha'])
  const [alert] = await listAlerts(test.database, { limit: 1, withCleared: false })
  expect(alert?.text).toBe(
    'alpha took 10.25 USD (48.175 MYR) for 5 payments of NOVA in a day; by its route it is 47.00 (2.5 %)',
  )
  await sell('USD', [20_000n, 20_000n, 20_000n])
  expect(await watch()).toEqual([])
})

it('an old rate of a currency that is used is an alert, until the rate is set again', async () => {
  const watch = async () => {
    await watchRateAges({ ...test, alerts, rateAgeDays: 7, nowMs: Date.now() + 1 })
    return openNow()
  }
  await rate('USD', '4.70', 8)
  await rate('IDR', '0.0003', 8)
  expect(await watch()).toEqual([])
  await sell('USD', [20_000n])
  expect(await watch()).toEqual(['rate_old USD'])
  const [alert] = await listAlerts(test.database, { limit: 1, withCleared: false })
  expect(alert?.text).toBe('1 USD is 4.7 MYR for 8 days')
  await rate('USD', '4.70', 0)
  expect(await watch()).toEqual([])
})
