import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { dayOf } from '../lib/dates.ts'
import { listApiKeys } from '../modules/accounts/keys.service.ts'
import { listOperators, listResellers } from '../modules/accounts/service.ts'
import type { Reseller } from '../modules/accounts/types.ts'
import { listAlerts } from '../modules/alerts/core/service.ts'
import { createAuditLog } from '../modules/audit/service.ts'
import { loadCatalog } from '../modules/catalog/store/load.service.ts'
import { listDepositRequests, openSlip } from '../modules/deposits/service.ts'
import { readSlip } from '../modules/deposits/slips.rules.ts'
import { verifyClosings } from '../modules/finance/closings/closings.service.ts'
import { readMarginProblems } from '../modules/margins/standing.service.ts'
import { createOperatorApprovals } from '../modules/operator/approvals/service.ts'
import { findPaymentById } from '../modules/payments/core/records.service.ts'
import type { Payment, PaymentCode } from '../modules/payments/core/types.ts'
import { listDriftedCounts as listDrifted } from '../modules/payments/limits/service.ts'
import { sumStuck } from '../modules/payments/watch/stuck.sql.ts'
import { listConnections } from '../modules/providers/connections/connections.service.ts'
import { listRoutes } from '../modules/providers/connections/routing.service.ts'
import { readHealthSeries } from '../modules/providers/health/history.service.ts'
import { listBalances } from '../modules/wallet/balance/sql.ts'
import { verifyLedger } from '../modules/wallet/ledger/audit.service.ts'
import { chainEntries } from '../modules/wallet/ledger/chain.jobs.ts'
import type { TestDatabase } from '../testing/database.ts'
import { openTestDatabase } from '../testing/database.ts'
import { FIRST, productOf, SECOND } from '../testing/payments/judging.ts'
import { expectSoundMoney } from '../testing/payments/payments.ts'
import { sessionsOf } from '../testing/sessions.ts'
import { prepareDemo } from './seed.ts'

// Seeding the whole demo takes seconds, so all tests read one seeded demo.

let test: TestDatabase
/** Resellers of the month; the shop has a past of its own. */
let resellers: readonly Reseller[]
let shop: Reseller
const payments = new Map<bigint, Payment[]>()

beforeAll(async () => {
  test = await openTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'warung-history-'))
  const config = { ...readConfig({ WARUNG_DATA_DIR: dataDir }), demo: 'all' as const }
  const addresses = { baseUrl: 'http://127.0.0.1:3000', dashboardUrl: 'http://127.0.0.1:3000/' }
  try {
    await prepareDemo({ ...test, config }, addresses)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
  const [first, second, third, ...others] = await listResellers(test.database, { limit: 10 })
  if (first === undefined || second === undefined || third === undefined || others.length > 0) {
    throw new Error('the demo has three resellers')
  }
  resellers = [first, second]
  shop = third
  for (const { id } of [...resellers, shop]) payments.set(id, await readPayments(id))
})

afterAll(() => test.close())

async function readPayments(resellerId: bigint): Promise<Payment[]> {
  const { rows } = await test.database.query<{ id: bigint }>(
    'select id from payments where reseller_id = $1 order by id',
    [resellerId],
  )
  const found: Payment[] = []
  for (const { id } of rows) {
    const payment = await findPaymentById(test.database, test.vault, resellerId, id)
    if (payment !== undefined) found.push(payment)
  }
  return found
}

const paymentsOf = (reseller: Reseller | undefined) => payments.get(reseller?.id ?? 0n) ?? []
const everyPayment = () => resellers.flatMap(paymentsOf)
const idsOfMonth = () => resellers.map(({ id }) => id)

it('the month ends with the balances that the accounts have when they are seeded alone', async () => {
  const balances = await listBalances(
    test.database,
    resellers.map(({ id }) => id),
  )
  expect(resellers.map(({ id }) => balances.get(id))).toEqual([1_250_000_0000n, 150_000_0000n])
})

it('the money of every payment is where its state says, and the ledger verifies, chained or not', async () => {
  await expectSoundMoney(test.database)
  expect((await verifyLedger({ ...test, listDrifted })).breaks).toEqual([])
  await chainEntries(test)
  expect((await verifyLedger({ ...test, listDrifted })).breaks).toEqual([])
})

it('every day of the month is closed at once, and the closings are what the ledger says', async () => {
  const report = await verifyClosings(test.database)
  expect(report).toMatchObject({ wallets: 3, breaks: [] })
  expect(report.closings).toBeGreaterThan(20)
})

it('each reseller has a month of payments in every final state that the demo shows', () => {
  expect(resellers.map((reseller) => paymentsOf(reseller).length)).toEqual([400, 150])
  for (const reseller of resellers) {
    const codes = paymentsOf(reseller).map(({ code }) => code)
    expect([...new Set(codes)].sort((a, b) => a - b)).toEqual([20, 48, 52, 53, 55, 61])
    expect(codes.filter((code) => code === 20).length / codes.length).toBeGreaterThan(0.8)
  }
})

it('the month lies within the last thirty days, by daylight, and leaves today to the visitor', async () => {
  const today = dayOf(Date.now())
  const monthAgoMs = Date.now() - 30 * 24 * 3_600_000
  for (const { createdAt, changedAt, id } of everyPayment()) {
    expect(createdAt.getTime()).toBeGreaterThan(monthAgoMs)
    expect(id >> 20n).toBe(BigInt(createdAt.getTime()))
    expect(changedAt.getTime()).toBeGreaterThan(createdAt.getTime())
    expect(dayOf(changedAt.getTime())).toBeLessThan(today)
    const hour = (createdAt.getUTCHours() + 8) % 24
    expect(hour >= 8 && hour < 22).toBe(true)
  }
  const { rows } = await test.database.query<{ oldest: Date; newest: Date }>(
    `select min(created_at) as oldest, max(created_at) as newest from transfers
      where reseller_id = any($1::bigint[])`,
    [idsOfMonth()],
  )
  expect(rows[0]?.oldest.getTime()).toBeGreaterThan(monthAgoMs)
  expect(dayOf(rows[0]?.newest.getTime() ?? 0)).toBeLessThan(today)
  const days = new Set(everyPayment().map(({ createdAt }) => dayOf(createdAt.getTime())))
  expect(days.size).toBe(29)
})

it('entries are dated in the order of their sequence', async () => {
  const { rows } = await test.database.query(
    `select from transfers t join transfers n on n.reseller_id = t.reseller_id and n.sequence = t.sequence + 1
      where n.created_at < t.created_at`,
  )
  expect(rows).toEqual([])
})

it('each wallet has its opening and weekly deposits and one commission', async () => {
  for (const { id } of resellers) {
    const { rows } = await test.database.query<{ kind: string; remarks: string; count: bigint }>(
      `select kind, remarks, count(*) from transfers
        where reseller_id = $1 and payment_id is null group by 1, 2 order by 1, 2`,
      [id],
    )
    expect(rows).toEqual([
      { kind: 'commission', remarks: 'Commission', count: 1n },
      { kind: 'deposit', remarks: 'Demo deposit', count: 2n },
      { kind: 'deposit', remarks: 'Weekly deposit', count: 4n },
    ])
  }
})

it('a timeline moves only along the table of states and ends in the state that the payment is in', async () => {
  type Line = { id: bigint; code: PaymentCode; changed_at: Date; codes: number[]; last_at: Date }
  const { rows } = await test.database.query<Line>(
    `select p.id, p.code, p.changed_at, array_agg(c.code order by c.id) as codes, max(c.at) as last_at
       from payments p join payment_changes c on c.reseller_id = p.reseller_id and c.payment_id = p.id
      where p.reseller_id = any($1::bigint[])
      group by p.reseller_id, p.id`,
    [idsOfMonth()],
  )
  expect(rows).toHaveLength(550)
  const lives = new Set<string>()
  for (const { code, codes, changed_at, last_at } of rows) {
    expect(codes.at(-1)).toBe(code)
    expect(last_at).toEqual(changed_at)
    lives.add(codes.map((each) => (each > 40 && each !== 53 ? 'failed' : each)).join(' '))
  }
  expect([...lives].sort()).toEqual(['1 20', '1 20 53', '1 failed', '20', '20 53', 'failed'])
})

it('one payment of the shop is under way, and no sums are made ahead of the job that makes them', async () => {
  const { rows } = await test.database.query<{ work: bigint; sums: bigint; days: bigint }>(
    `select (select count(*) from payment_work) as work, (select count(*) from payment_rollups) as sums,
            (select count(*) from payment_rollup_days) as days`,
  )
  expect(rows).toEqual([{ work: 1n, sums: 0n, days: 0n }])
})

it('every payment is of a product that its reseller can buy, at the reseller’s own price', () => {
  for (const [reseller, account] of [
    [resellers[0], FIRST],
    [resellers[1], SECOND],
  ] as const) {
    for (const { productCode, productName, amount, faceValue, cost } of paymentsOf(reseller)) {
      const { product, name, isActive, wholesale } = productOf(account, productCode)
      expect(isActive && productName === name).toBe(true)
      if (product.denominationCurrency === 'MYR') expect(faceValue).toBe(amount)
      if (wholesale?.discountType === 'fixed') expect(faceValue - cost).toBe(-wholesale.unitPrice / 10_000n)
    }
  }
  expect(new Set(everyPayment().map(({ productCode }) => productCode)).size).toBeGreaterThan(50)
  expect(everyPayment().some(({ productCode }) => productCode === 'FP' || productCode === 'OLDONE')).toBe(
    false,
  )
})

it('a fulfilled payment has a serial number, and PIN or link as the product gives one; a failed one has nothing', () => {
  const given = { plain: 0, pin: 0, link: 0 }
  for (const { productCode, code, output } of everyPayment()) {
    const time = productOf(FIRST, productCode).product.processingTime
    const isFulfilled = code === 20 || code === 53
    const kind = time === 'pin' || time === 'link' ? time : 'plain'
    expect(/^SIM[0-9A-F]{16}$/.test(output.serialNumber)).toBe(isFulfilled)
    expect(/^\d{16}$/.test(output.pin)).toBe(isFulfilled && kind === 'pin')
    expect(/^https:/.test(output.voucherLink)).toBe(isFulfilled && kind === 'link')
    if (isFulfilled) given[kind] += 1
  }
  expect(Math.min(given.plain, given.pin, given.link)).toBeGreaterThan(10)
})

it('failures and voids say why, and only what is refundable was voided', () => {
  const reasons = new Map(everyPayment().map(({ code, remarks }) => [code, code === 20 ? '' : remarks]))
  expect(Object.fromEntries(reasons)).toEqual({
    20: '',
    48: 'Rejected by the provider',
    52: 'Invalid account number',
    53: 'Refund',
    55: 'Timed out at the provider',
    61: 'Invalid denomination',
  })
  for (const { productCode, code } of everyPayment()) {
    if (code === 53) expect(productOf(FIRST, productCode).product.isRefundable).toBe(true)
  }
})

it('bills name their biller, loans their kind, and identity numbers are sealed', async () => {
  const bills = everyPayment().filter(({ productCode }) => productCode === 'BILLPAY')
  const loans = everyPayment().filter(({ productCode }) => productCode === 'EDULOAN')
  expect(Math.min(bills.length, loans.length)).toBeGreaterThan(0)
  for (const { extras } of bills) expect(extras.billerCode).toMatch(/^\d+$/)
  for (const { extras } of loans) expect(extras.subproductCode).toMatch(/^(K|U|S|SP)$/)
  for (const { extras } of [...bills, ...loans]) expect(extras.icNumber).toMatch(/^\d{12}$/)
})

it('the demo’s own key made the payments', async () => {
  for (const reseller of resellers) {
    const [key] = await listApiKeys(test.database, reseller.id)
    expect(new Set(paymentsOf(reseller).map(({ memberId }) => memberId))).toEqual(new Set([String(key?.id)]))
  }
})

// ── The shop ──

it('the shop has a few thousand ringgit, which last nine days at the rate of its last seven', async () => {
  const balance = (await listBalances(test.database, [shop.id])).get(shop.id) ?? 0n
  expect(balance).toBeGreaterThan(1_000_0000n)
  expect(balance).toBeLessThan(10_000_0000n)
  const today = dayOf(Date.now())
  const spent = paymentsOf(shop)
    .filter(({ createdAt, code }) => {
      const day = dayOf(createdAt.getTime())
      return day < today && day >= today - 7 && (code === 20 || code < 20)
    })
    .reduce((sum, { cost }) => sum + cost, 0n)
  expect((balance * 7n * 10n) / spent).toBe(90n)
})

it('the shop sells on every day of the month, most of all after work, and today until now', () => {
  const sold = paymentsOf(shop)
  const hours = sold.map(({ createdAt }) => (createdAt.getUTCHours() + 8) % 24)
  const between = (from: number, until: number) =>
    hours.filter((hour) => hour >= from && hour < until).length / (until - from)
  expect(between(17, 21)).toBeGreaterThan(between(12, 14))
  expect(between(12, 14)).toBeGreaterThan(between(14, 16))
  expect(between(0, 8) + between(22, 24)).toBe(0)
  expect(new Set(sold.map(({ createdAt }) => dayOf(createdAt.getTime()))).size).toBeGreaterThanOrEqual(29)
  for (const { createdAt, changedAt } of sold) {
    expect(changedAt.getTime()).toBeGreaterThanOrEqual(createdAt.getTime())
    expect(changedAt.getTime()).toBeLessThan(Date.now())
  }
})

it('a payment of the shop is past its due time, and its supplier is asked about it', async () => {
  const [stuck, ...others] = await sumStuck(test.database)
  expect(stuck).toMatchObject({ provider: 'simulator', payments: 1 })
  expect(others).toEqual([])
  expect(stuck?.overdue_seconds).toBeGreaterThan(3 * 3_600)
  expect(paymentsOf(shop).filter(({ code }) => code < 20)).toMatchObject([
    { code: 1, account: '60123453003', productCode: 'KITA' },
  ])
})

it('cases of the shop wait for an operator, and a reported transfer is an alert', async () => {
  const { rows } = await test.database.query('select state from cases where reseller_id = $1 order by id', [
    shop.id,
  ])
  expect(rows).toEqual([{ state: 'in_progress' }, { state: 'open' }])
  const [report, ...others] = await listDepositRequests(test.database, {
    resellerId: shop.id,
    state: 'reported',
    beforeId: null,
    limit: 10,
  })
  expect(others).toEqual([])
  const slip = await openSlip(test.database, test.vault, report?.id ?? 0n, shop.id)
  expect(readSlip(slip.toString('base64'))).toMatchObject({ kind: 'pdf' })
  const alerts = await listAlerts(test.database, { limit: 10, withCleared: false })
  expect(alerts.map(({ kind }) => kind)).toEqual(['deposit_reported'])
})

// ── The console ──

it('each of the two operators counts as the second person for the other', async () => {
  const approvals = createOperatorApprovals({
    log: createAuditLog(test),
    priceChangeMaxPercent: 10,
    sessions: sessionsOf(test),
  })
  const operators = await listOperators(test.database)
  expect(operators.map(({ role, demo }) => [role, demo])).toEqual([
    ['admin', true],
    ['admin', true],
  ])
  const seen: Record<string, unknown>[][] = []
  for (const { id, email } of operators) {
    const caller = { kind: 'operator', operatorId: id, email, via: 'session' } as const
    const session = { ...caller, credentialId: 'test', address: '127.0.0.1' }
    const pending = await approvals.listPending(session, { scope: null, limit: 10 })
    seen.push(pending.map(({ kind, isOwn, mayDecide }) => ({ kind, isOwn, mayDecide })))
  }
  expect(seen).toEqual([
    [{ kind: 'deposit', isOwn: false, mayDecide: true }],
    [{ kind: 'deposit', isOwn: true, mayDecide: false }],
  ])
})

it('the connected supplier charges less than every price, and its health is that of its own orders', async () => {
  const [supplier, ...others] = await listConnections(test.database)
  expect(others).toEqual([])
  const routes = await listRoutes(test.database, { provider: supplier?.code })
  expect(routes.length).toBeGreaterThan(10)
  const problems = await readMarginProblems(test.database, await loadCatalog(test.database), true)
  expect([...problems.belowCost, ...problems.withoutPrice]).toEqual([])

  const products = new Set(routes.map(({ productCode }) => productCode))
  const { rows } = await test.database.query<{ product_code: string; provider: string }>(
    'select distinct product_code, provider from payments',
  )
  for (const { product_code: code, provider } of rows) {
    expect([code, provider]).toEqual([code, products.has(code) ? supplier?.code : 'simulator'])
  }
  const [hours, nowMs] = [6 * 24, Date.now()]
  const dayMs = 24 * 3_600_000
  // Measurements are dated a day later than their orders. An hour at the edges may count or not.
  const own = [...payments.values()].flat().filter(({ productCode, createdAt }) => {
    const ageMs = nowMs - createdAt.getTime() - dayMs
    return products.has(productCode) && ageMs > 3_600_000 && ageMs < (hours - 1) * 3_600_000
  })
  const { total } = await readHealthSeries(test.database, { provider: supplier?.code ?? '', hours, nowMs })
  expect(own.length).toBeGreaterThan(5)
  expect(total.attempts).toBeGreaterThanOrEqual(own.length)
  expect(total.p50Ms).toBeGreaterThan(0)
})
