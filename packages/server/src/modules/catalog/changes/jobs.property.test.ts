import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Copy } from '../../../testing/catalog/catalog-copies.ts'
import { applyEvents, copyOf } from '../../../testing/catalog/catalog-copies.ts'
import {
  overlayProduct,
  RINGGIT,
  sampleCategory,
  sampleGroup,
  sampleOption,
  sampleProduct,
} from '../../../testing/catalog/catalog-samples.ts'
import type { Account, CatalogBench } from '../../../testing/catalog/catalog-store.ts'
import { FIXED, makeBillers, openCatalogBench, seedBase } from '../../../testing/catalog/catalog-store.ts'
import { runs } from '../../../testing/runs.ts'
import { applyBase } from '../edit/base.service.ts'
import { changeOverlay, removeOverlay } from '../edit/overlays.service.ts'
import type { BaseChange, Catalog, OverlayChange } from '../model/store.types.ts'
import { expandChanges } from './jobs.ts'

const RUNS = runs(60)

let bench: CatalogBench
let node: Catalog
let accounts: Account[]

beforeAll(async () => {
  bench = await openCatalogBench()
  await seedBase(bench.database)
  node = await bench.openNode()
  accounts = [await bench.newAccount(), await bench.newAccount('GOLD'), await bench.newAccount()]
  await expandChanges({ database: bench.database, catalog: node })
})

afterAll(() => bench.close())

// ── Random edits ──

const switched = fc.boolean()
const amounts = fc.constantFrom(5n * RINGGIT, 10n * RINGGIT, 50n * RINGGIT)
const orders = fc.integer({ min: 1, max: 5 })
const texts = fc.constantFrom('One', 'Two', 'Three')
const prices = fc.constantFrom(FIXED, { ...FIXED, unitPrice: -10_000_000n }, null)
const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null })

const baseChanges: fc.Arbitrary<BaseChange> = fc.oneof(
  switched.map((isActive) => ({ groups: [sampleGroup({ isActive })] })),
  fc.record({ isActive: switched, name: texts }).map((change) => ({ categories: [sampleCategory(change)] })),
  fc
    .record({ isActive: switched, isRestricted: switched, name: texts, displayOrder: orders })
    .map((change) => ({ products: [sampleProduct(change)] })),
  fc
    .record({ isActive: switched, denomination: amounts, rrp: orNull(amounts), label: texts })
    .map((change) => ({ options: [sampleOption(change)] })),
  fc.record({ isActive: switched, label: texts }).map((change) => ({ options: makeBillers(3, change) })),
  fc
    .record({ levelCode: fc.constantFrom('STANDARD', 'GOLD'), price: prices })
    .map((change) => ({ prices: [{ productCode: 'NOVA', ...change }] })),
)

const overlayChanges: fc.Arbitrary<OverlayChange> = fc.oneof(
  fc
    .record({
      displayName: orNull(texts),
      displayOrder: orNull(orders),
      isEnabled: switched,
      categoryCode: orNull(fc.constantFrom('BILLS', 'OWN')),
      adjustment: orNull(fc.constant({ type: 'fixed' as const, value: 5_000n })),
    })
    .map((change) => ({ products: [overlayProduct(change)] })),
  fc
    .record({ isEnabled: switched, rrp: orNull(amounts) })
    .map((change) => ({ options: [{ productCode: 'NOVA', fieldId: 'amount', code: 'N10', ...change }] })),
  orNull(texts).map((name) => ({
    groups: [{ code: 'MOBILE', isOwn: false, name, iconUrl: null, displayOrder: null }],
  })),
)

type Step =
  | { readonly do: 'base'; readonly change: BaseChange }
  | { readonly do: 'overlay'; readonly who: number; readonly change: OverlayChange }
  | { readonly do: 'remove' | 'move'; readonly who: number }
  | { readonly do: 'permit'; readonly who: number; readonly isAllowed: boolean | null }
  | { readonly do: 'expand' }

const who = fc.integer({ min: 0, max: 2 })
const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('base' as const), change: baseChanges }),
  fc.record({ do: fc.constant('overlay' as const), who, change: overlayChanges }),
  fc.record({ do: fc.constantFrom('remove' as const, 'move' as const), who }),
  fc.record({ do: fc.constant('permit' as const), who, isAllowed: orNull(switched) }),
  fc.record({ do: fc.constant('expand' as const) }),
)

const OWN_CATEGORY: OverlayChange = {
  categories: [
    { code: 'OWN', isOwn: true, groupCode: 'MOBILE', name: 'Own', iconUrl: null, displayOrder: null },
  ],
}

async function take(step: Step): Promise<void> {
  const { database } = bench
  if (step.do === 'base') await applyBase(database, step.change, 'test')
  if (step.do === 'expand') await expandChanges({ database, catalog: node, batchAccounts: 2 })
  if (step.do === 'base' || step.do === 'expand') return
  const account = accounts[step.who]
  if (account === undefined) throw new Error('there are three accounts')
  if (step.do === 'remove') await removeOverlay(database, account.id, 'test')
  if (step.do === 'overlay')
    await changeOverlay(database, account.id, { ...OWN_CATEGORY, ...step.change }, 'test')
  if (step.do === 'move') {
    accounts[step.who] = await bench.moveToLevel(account, account.priceLevel === 'GOLD' ? 'STANDARD' : 'GOLD')
  }
  if (step.do === 'permit') {
    const permission = { resellerId: account.id, productCode: 'NOVA', isAllowed: step.isAllowed }
    await applyBase(database, { permissions: [permission] }, 'test')
  }
}

// ── The clients' copy ──

const copies = new Map<bigint, { copy: Copy; read: number }>()

async function listen(account: Account): Promise<Copy> {
  const known = copies.get(account.id) ?? { copy: new Map(), read: 0 }
  const events = await bench.eventsOf(account)
  applyEvents(
    known.copy,
    events.slice(known.read).map(({ resource, id, type, data }) => ({
      resource,
      id,
      type,
      data: data === null ? null : canonical(data),
    })),
  )
  copies.set(account.id, { copy: known.copy, read: events.length })
  return known.copy
}

function canonical(data: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(data, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}

/** Returns the resources that the account sees now, in the form of the events. */
function seen(account: Account): Copy {
  const copy = copyOf(node.snapshotFor(account))
  for (const [key, text] of copy) {
    const data = JSON.parse(text) as Record<string, unknown>
    const isProduct = key.startsWith('products ')
    copy.set(key, canonical(isProduct ? { ...data, reseller_code: account.account } : data))
  }
  return copy
}

it('every client ends with what its account sees, whatever is changed and whenever it is expanded', async () => {
  for (const account of accounts) copies.set(account.id, { copy: seen(account), read: 0 })
  let told = 0
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 10 }), async (sequence) => {
      for (const step of sequence) await take(step)
      await take({ do: 'expand' })
      for (const account of accounts) expect(await listen(account)).toEqual(seen(account))
      told = [...copies.values()].reduce((sum, { read }) => sum + read, 0)
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
  expect(told).toBeGreaterThan(RUNS)
})
