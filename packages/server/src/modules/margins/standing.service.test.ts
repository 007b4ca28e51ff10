import { afterAll, beforeAll, expect, it } from 'vitest'
import { seedBase } from '../../testing/catalog/catalog-store.ts'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import { kindsOf, scriptedKind } from '../../testing/providers/connector-kinds.ts'
import type { Alerts } from '../alerts/core/service.ts'
import { createAlerts, listAlerts } from '../alerts/core/service.ts'
import { applyBase } from '../catalog/edit/base.service.ts'
import { loadCatalog } from '../catalog/store/load.service.ts'
import { addConnection, enableConnection } from '../providers/connections/connections.service.ts'
import { removeRoute, setRoute } from '../providers/connections/routing.service.ts'
import { readMarginProblems, watchMargins } from './standing.service.ts'

let test: TestDatabase
let alerts: Alerts

beforeAll(async () => {
  test = await openTestDatabase()
  alerts = createAlerts({ ...test, onRaised: () => {} })
  await seedBase(test.database)
  const made = { code: 'alpha', kind: 'scripted', name: 'Alpha', isEnabled: true, config: {} }
  await addConnection({ ...test, kinds: kindsOf(scriptedKind()) }, made)
})
afterAll(() => test.close())

function route(productCode: string, cost: string | null) {
  const usual = { priority: 1, weight: 100, windows: [], isEnabled: true }
  return setRoute(test.database, { productCode, provider: 'alpha', cost, ...usual })
}

async function openNow(hasFallback = false): Promise<string[]> {
  const state = await loadCatalog(test.database)
  await watchMargins({ ...test, alerts, catalog: { state: () => state }, hasFallback })
  const open = await listAlerts(test.database, { limit: 100, withCleared: false })
  return open.map(({ kind, subject }) => `${kind} ${subject}`).sort()
}

it('a priced product without a route is an alert, except where something fulfils it all the same', async () => {
  const without = ['BILLPAY', 'KITA', 'NOVA'].map((code) => `price_without_route ${code}`)
  expect(await openNow()).toEqual(without)
  expect(await openNow(true)).toEqual([])
  await route('*', null)
  expect(await openNow()).toEqual([])
  await enableConnection({ ...test }, 'alpha', false)
  expect(await openNow()).toEqual(without)
  await enableConnection({ ...test }, 'alpha', true)
})

it('products sold below cost are listed, and not any more when they are mended', async () => {
  await route('NOVA', '99%')
  expect(await openNow()).toEqual(['sold_below_cost NOVA'])
  const [alert] = await listAlerts(test.database, { limit: 1, withCleared: false })
  expect(alert?.text).toContain('STANDARD pays 9.85 for N10, the cheapest route charges 9.90')
  expect(alert).toMatchObject({ severity: 'critical' })
  await route('NOVA', '98.5%')
  expect(await openNow()).toEqual([])
})

it('a route without a price is an alert until a level sells the product', async () => {
  const price = { discountType: 'percentage', unitPrice: 98_500_000n, currency: 'MYR' } as const
  const prices = (value: typeof price | null) =>
    ['STANDARD', 'GOLD'].map((levelCode) => ({ levelCode, productCode: 'NOVA', price: value }))
  await applyBase(test.database, { prices: prices(null) }, 'test')
  expect(await openNow()).toEqual(['route_without_price NOVA'])
  await applyBase(test.database, { prices: prices(price) }, 'test')
  expect(await openNow()).toEqual([])
  await removeRoute(test.database, 'NOVA', 'alpha', { isToAny: true })
  expect(await openNow()).toEqual([])
})

it('a search for problems lets others have their turn between the products', async () => {
  await route('*', '97%')
  let turns = 0
  let timer = setImmediate(function count() {
    turns += 1
    timer = setImmediate(count)
  })
  const turnsAt = new Map<string, number>()
  const state = await loadCatalog(test.database)
  const [options] = state.base.options.values()
  const [standard] = state.levels.values()
  const { fields, ...product } = state.base.products.find(({ code }) => code === 'NOVA') ?? raise()
  const price = standard?.prices.get('NOVA') ?? raise()
  const products = Array.from({ length: 5_000 }, (_, index) => ({
    ...product,
    code: `P${index}`,
    get fields() {
      turnsAt.set(this.code, turns)
      return fields
    },
  }))
  const codes = products.map(({ code }) => code)
  const level = { ...(standard ?? raise()), prices: new Map(codes.map((code) => [code, price])) }
  const many = {
    ...state,
    base: { ...state.base, products, options: new Map(codes.map((code) => [code, options ?? raise()])) },
    levels: new Map([[level.code, level]]),
  }
  const problems = await readMarginProblems(test.database, many, true)
  clearImmediate(timer)
  expect(problems).toMatchObject({ withoutRoute: [], withoutPrice: [] })
  expect(turnsAt.get('P4999')).toBeGreaterThan(turnsAt.get('P0') ?? Number.NaN)
})

function raise(): never {
  throw new Error('the sample catalogue has no such part')
}
