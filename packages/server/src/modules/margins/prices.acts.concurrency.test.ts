import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSerial } from '../../lib/serial.ts'
import type { TestApprovals } from '../../testing/approvals.ts'
import { newApprover, withDecisions } from '../../testing/approvals.ts'
import { seedBase } from '../../testing/catalog/catalog-store.ts'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import { insertBackfill, newReseller, PAST, today } from '../../testing/payments/history.ts'
import { kindsOf, scriptedKind } from '../../testing/providers/connector-kinds.ts'
import { sessionsOf } from '../../testing/sessions.ts'
import { perform } from '../acts/service.ts'
import type { Outcome } from '../acts/types.ts'
import type { Approval, ApprovalOperator } from '../approvals/types.ts'
import { createAuditLog } from '../audit/service.ts'
import type { AuditLog } from '../audit/types.ts'
import { cost as resellerCost } from '../catalog/model/pricing.rules.ts'
import { loadCatalog } from '../catalog/store/load.service.ts'
import { createOperatorApprovals } from '../operator/approvals/service.ts'
import type { CatalogContext } from '../operator/catalog/catalog.service.ts'
import { applyCatalogue } from '../operator/catalog/catalog.service.ts'
import { doCatalogJob } from '../operator/catalog/catalog-jobs.service.ts'
import { askedOf } from '../operator/kit/acts.service.ts'
import { sumOpenDays } from '../payments/reports/rollups.service.ts'
import { addConnection } from '../providers/connections/connections.service.ts'
import { listRoutes } from '../providers/connections/routing.service.ts'
import { setPrice } from './prices.acts.ts'
import { writeRoute } from './routes.acts.ts'

const MAX_PERCENT = 20

let test: TestDatabase
let log: AuditLog
let approvals: TestApprovals
let asker: ApprovalOperator
let second: ApprovalOperator

beforeEach(async () => {
  test = await openTestDatabase()
  log = createAuditLog(test)
  approvals = withDecisions(
    createOperatorApprovals({
      log,
      priceChangeMaxPercent: MAX_PERCENT,
      sessions: sessionsOf(test, log),
    }),
  )
  ;[asker, second] = [await newAdmin('asker'), await newAdmin('second')]
  await seedBase(test.database)
  await addConnection(
    { ...test, kinds: kindsOf(scriptedKind()) },
    { code: 'alpha', kind: 'scripted', name: 'Alpha', isEnabled: true, config: {} },
  )
})
afterEach(() => test.close())

async function newAdmin(name: string): Promise<ApprovalOperator> {
  const made = await newApprover(test, name)
  await test.database.query("update operators set role = 'admin' where id = $1", [made.operatorId])
  return made
}

async function openContext() {
  const state = await loadCatalog(test.database)
  const work = ((job: Parameters<typeof doCatalogJob>[1]) => doCatalogJob(log, job, MAX_PERCENT)) as never
  const catalog = { state: () => state, refresh: async () => {} } as unknown as CatalogContext['catalog']
  return {
    database: test.database,
    log,
    catalog,
    turn: createSerial(8),
    work,
    approvals,
    priceChangeMaxPercent: MAX_PERCENT,
  }
}

const caller = () => ({ ...asker, name: 'Asker', role: 'admin' as const })

async function stage() {
  const state = await loadCatalog(test.database)
  return { log, world: { maxPercent: MAX_PERCENT, held: () => state }, ask: askedOf(approvals) }
}

async function price(value: string, more: { readonly product?: string } = {}) {
  const input = { level: 'STANDARD', product: 'NOVA', discount_type: 'percentage', value, ...more }
  return perform(await stage(), setPrice, { caller: caller(), input, reason: 'new list' })
}

async function route(cost: string | null, product = 'NOVA') {
  const input = { product, provider: 'alpha', cost }
  return perform(await stage(), writeRoute, { caller: caller(), input, reason: 'new list' })
}

async function priceNow(product = 'NOVA'): Promise<bigint | undefined> {
  return (await loadCatalog(test.database)).levels.get('STANDARD')?.prices.get(product)?.unitPrice
}

function approvalOf(outcome: Outcome<unknown, Approval>): bigint {
  if (outcome.kind !== 'asked') throw new Error('it was not asked for')
  return outcome.asked.id
}

describe('a price that one operator alone may not set', () => {
  it('is set by the second one, exactly as it was shown, with what it would have cost last month', async () => {
    const resellerId = await newReseller(test)
    const now = await today(test.database)
    await insertBackfill(test.database, resellerId, [
      { ...PAST, day: now - 3 },
      { ...PAST, day: now - 4, faceValue: 300_000n },
      // One payment that did not sell, and one that is too long ago.
      { ...PAST, day: now - 4, code: 48 },
      { ...PAST, day: now - 40 },
    ])
    await sumOpenDays(test)
    const outcome = await price('0.0001')
    expect(outcome).toMatchObject({ kind: 'asked', view: { loss_last_month: '39.396' } })
    expect(await priceNow()).toBe(98_500_000n)
    const id = approvalOf(outcome)
    await expect(approvals.approve(asker, id, 'yes')).rejects.toMatchObject({ code: 'own_request' })
    expect(await approvals.approve(second, id, 'meant')).toMatchObject({ state: 'approved' })
    expect(await priceNow()).toBe(10_000n)
  })

  it('is not set any more when the catalogue has moved on, and is when another price has', async () => {
    const first = approvalOf(await price('0.5'))
    const other = approvalOf(await price('0.5', { product: 'KITA' }))
    await price('0.98')
    await expect(approvals.approve(second, first, 'yes')).rejects.toMatchObject({
      status: 409,
      code: 'catalogue_changed',
    })
    expect(await priceNow()).toBe(98_000_000n)
    expect(await approvals.approve(second, other, 'yes')).toMatchObject({ state: 'approved' })
    expect(await priceNow('KITA')).toBe(50_000_000n)
  })

  it('is not set any more when a supplier charges something else since', async () => {
    await route('97%')
    const id = approvalOf(await price('0.96'))
    await route('96.5%')
    await expect(approvals.approve(second, id, 'yes')).rejects.toMatchObject({ code: 'catalogue_changed' })
  })

  it('is one request, however often it is sent', async () => {
    const ids = await Promise.all([price('0.5'), price('0.5'), price('0.5')])
    expect(new Set(ids.map(approvalOf)).size).toBe(1)
  })
})

it('two approvals of overlapping changes at once: exactly one is carried out', async () => {
  for (let round = 0; round < 5; round += 1) {
    const current = await priceNow()
    const [one, other] = current === 50_000_000n ? ['0.9', '1'] : ['0.5', '0.4']
    const ids = [approvalOf(await price(one)), approvalOf(await price(other))]
    const decided = await Promise.allSettled(ids.map((id) => approvals.approve(second, id, 'yes')))
    expect(decided.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const refused = decided.find((each) => each.status === 'rejected')
    expect(refused?.reason).toMatchObject({ status: 409, code: 'catalogue_changed' })
    if ((await priceNow()) !== 50_000_000n)
      await approvals.approve(second, approvalOf(await price('0.5')), 'back')
  }
})

it('a price and a route cost that are sound alone and a loss together are never both saved by one person', async () => {
  await route('90%')
  for (let round = 0; round < 5; round += 1) {
    await Promise.all([price('0.91'), route('95%')])
    const catalog = await loadCatalog(test.database)
    const wholesale = catalog.levels.get('STANDARD')?.prices.get('NOVA')
    const [now] = await listRoutes(test.database, { productCode: 'NOVA' })
    if (wholesale === undefined) throw new Error('it is sold')
    expect(wholesale.unitPrice / 10_000n).toBeGreaterThanOrEqual(now?.cost?.value ?? 0n)
    await price('0.985')
    await route('90%')
  }
})

it('an import with one mistyped price changes nothing, and all of it is approved or nothing', async () => {
  const document = {
    prices: [
      { level: 'STANDARD', product: 'KITA', discount_type: 'percentage', value: '0.98' },
      { level: 'GOLD', product: 'NOVA', discount_type: 'percentage', value: '0.0985' },
    ],
  }
  const bytes = (version: number) =>
    Buffer.from(JSON.stringify({ document, expected_version: version, reason: 'November' }))
  const context = await openContext()
  const preview = await doCatalogJob(
    log,
    {
      kind: 'preview',
      body: { contentType: 'application/json', bytes: Buffer.from(JSON.stringify({ document })) },
    },
    MAX_PERCENT,
  )
  expect(preview).toMatchObject({ comparison: { needs_second_person: true, findings: [{ level: 'GOLD' }] } })
  const { summary } = preview as { summary: { version: number } }
  const body = { contentType: 'application/json', bytes: bytes(summary.version) }
  const outcome = await applyCatalogue(context, caller(), body)
  expect(await priceNow('KITA')).toBe(98_500_000n)
  await approvals.approve(second, approvalOf(outcome), 'meant')
  expect(await priceNow('KITA')).toBe(98_000_000n)
})

/**
 * Checks that a price moved within the limit. Prices of single amounts are rounded to 1/10,000 ringgit; those of 500
 * ringgit are affected least.
 */
function expectNear(from: bigint | undefined, to: bigint): void {
  if (from === undefined) throw new Error('it was sold')
  const moved = to < from ? from - to : to - from
  expect(moved * 100n).toBeLessThanOrEqual(from * BigInt(MAX_PERCENT) + 1_000_000n)
}

it('a price that one operator saves alone is neither below cost nor moved by more than the share', async () => {
  const products = ['NOVA', 'KITA']
  const steps = fc.oneof(
    fc.record({
      kind: fc.constant('price' as const),
      product: fc.constantFrom(...products),
      value: fc.integer({ min: 1, max: 12_000 }).map((parts) => (parts / 10_000).toFixed(4)),
    }),
    fc.record({
      kind: fc.constant('route' as const),
      product: fc.constantFrom(...products),
      value: fc.option(
        fc.integer({ min: 5_000, max: 11_000 }).map((parts) => `${(parts / 100).toFixed(2)}%`),
      ),
    }),
  )
  let done = 0
  const start = new Map<string, bigint>()
  for (const product of products) {
    const price = await priceNow(product)
    if (price !== undefined) start.set(product, price)
  }
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 6 }), async (all) => {
      for (const { kind, product, value } of all) {
        const before = await priceNow(product)
        const outcome = kind === 'price' ? await price(value, { product }) : await route(value, product)
        const after = await priceNow(product)
        if (before === undefined || after === undefined) throw new Error('it is sold')
        if (outcome.kind === 'asked') {
          expect(after).toBe(before)
          continue
        }
        done += 1
        expectNear(before, after)
        // No change was approved, so the steps of all rounds together stay within the limit of one step.
        expectNear(start.get(product), after)
        const [{ cost } = { cost: null }] = await listRoutes(test.database, { productCode: product })
        const paid = resellerCost(300_000n, {
          denominationUnitPrice: 100_000_000n,
          wholesale: { discountType: 'percentage', unitPrice: after, currency: 'MYR' },
        })
        const isTouched = kind === 'route' || after !== before
        if (isTouched && cost?.kind === 'percentage') {
          expect(paid).toBeGreaterThanOrEqual((300_000n * cost.value) / 10_000n)
        }
      }
    }),
    { numRuns: 12 },
  )
  expect(done).toBeGreaterThan(3)
}, 120_000)
