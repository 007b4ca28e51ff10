import fc from 'fast-check'
import { expect, it } from 'vitest'
import { accountViews, bases, levels } from '../../../testing/catalog/catalog-samples.ts'
import { runs } from '../../../testing/runs.ts'
import { compileLevel, compileSnapshot } from './compile.rules.ts'
import type {
  AccountView,
  BaseCatalog,
  Option,
  PriceLevel,
  Product,
  Snapshot,
  WholesalePrice,
} from './types.ts'

const VERSIONS = { base: '1', level: '1' }
const views = [bases, levels, accountViews] as const

function compile(base: BaseCatalog, level: PriceLevel, view: AccountView): Snapshot {
  return compileSnapshot(compileLevel(base, level, VERSIONS), view)
}

// ── The same once more: slowly, from the sentences of the specification, sharing nothing ──

const sorted = <T extends { displayOrder: number; code: string }>(items: T[]): T[] =>
  [...items].sort((a, b) => {
    if (a.displayOrder !== b.displayOrder) return a.displayOrder - b.displayOrder
    return a.code < b.code ? -1 : 1
  })

function expectedGroups(base: BaseCatalog, { overlay }: AccountView) {
  const codes = base.groups.map((group) => group.code)
  for (const each of overlay?.groups ?? [])
    if (each.isOwn && !codes.includes(each.code)) codes.push(each.code)
  return sorted(
    codes.map((code) => {
      const mine = overlay?.groups.find((each) => each.code === code)
      const theirs = base.groups.find((each) => each.code === code)
      return {
        code,
        name: mine?.name ?? theirs?.name ?? code,
        iconUrl: mine?.iconUrl ?? theirs?.iconUrl ?? '',
        displayOrder: mine?.displayOrder ?? theirs?.displayOrder ?? 0,
        isActive: theirs?.isActive ?? true,
      }
    }),
  )
}

function expectedCategories(base: BaseCatalog, view: AccountView) {
  const { overlay } = view
  const places = expectedGroups(base, view).filter((group) => group.isActive)
  const codes = base.categories.map((category) => category.code)
  for (const each of overlay?.categories ?? []) {
    const hasPlace = places.some((group) => group.code === each.groupCode)
    if (each.isOwn && hasPlace && !codes.includes(each.code)) codes.push(each.code)
  }
  return sorted(
    codes.map((code) => {
      const mine = overlay?.categories.find((each) => each.code === code)
      const theirs = base.categories.find((each) => each.code === code)
      const moved = places.find((group) => group.code === mine?.groupCode)?.code
      const home = base.groups.find((group) => group.code === theirs?.groupCode)
      return {
        code,
        name: mine?.name ?? theirs?.name ?? code,
        iconUrl: mine?.iconUrl ?? theirs?.iconUrl ?? '',
        displayOrder: mine?.displayOrder ?? theirs?.displayOrder ?? 0,
        groupCode: moved ?? theirs?.groupCode ?? '',
        isActive: theirs === undefined || (theirs.isActive && home?.isActive === true),
      }
    }),
  )
}

/** Rounds a number of 10^-28 ringgit to 10^-4. */
function rounded(exact: bigint): bigint {
  let units = exact / 10n ** 24n - 2n
  while ((2n * units + 1n) * 10n ** 24n <= 2n * exact) units += 1n
  return units
}

function expectedTerms(product: Product, wholesale: WholesalePrice, view: AccountView, denomination: bigint) {
  const faceValue = denomination * product.denominationUnitPrice * 10n ** 16n
  const cost =
    wholesale.discountType === 'percentage'
      ? (faceValue * wholesale.unitPrice) / 10n ** 8n
      : faceValue + wholesale.unitPrice * 10n ** 20n
  const rrp = cost > faceValue ? cost : faceValue
  const adjustment = view.overlay?.products.find((each) => each.code === product.code)?.adjustment
  let price = rrp
  if (adjustment?.type === 'percentage') price = (rrp * adjustment.value) / 10n ** 8n
  if (adjustment?.type === 'fixed') price = rrp + adjustment.value * 10n ** 24n
  return { cost, rrp, price }
}

function expectedOption(
  product: Product,
  wholesale: WholesalePrice | undefined,
  view: AccountView,
  option: Option,
) {
  const mine = view.overlay?.options.find(
    (each) =>
      each.productCode === product.code && each.fieldId === option.fieldId && each.code === option.code,
  )
  const isPricing = product.fields.find((each) => each.id === option.fieldId)?.role === 'pricing'
  const { minAmount, maxAmount } = expectedLimits(product, view)
  const denomination = option.denomination ?? 0n
  const isWithin = denomination >= (minAmount ?? 0n) && denomination <= (maxAmount ?? denomination)
  const isPayable = !isPricing || wholesale === undefined || option.denomination === null || isWithin
  const isActive = option.isActive && mine?.isEnabled !== false && isPayable
  if (!isPricing || wholesale === undefined || option.denomination === null) {
    return { option, isActive, money: null }
  }
  const exact = expectedTerms(product, wholesale, view, option.denomination)
  const configured = mine?.rrp ?? option.rrp
  const cost = rounded(exact.cost)
  const price = configured ?? rounded(exact.price)
  const rrp = configured ?? rounded(exact.rrp)
  return { option, isActive, money: { price, cost, rrp, hasLossRisk: price < cost } }
}

const amountFrom = (value: number | undefined) => (value === undefined ? null : BigInt(value) * 10_000n)

function expectedLimits(product: Product, view: AccountView) {
  const mine = view.overlay?.products.find((each) => each.code === product.code)
  const typed = product.fields.find((each) => each.role === 'pricing' && each.type === 'money')?.validation
  const least = product.minAmount ?? amountFrom(typed?.min)
  const most = product.maxAmount ?? amountFrom(typed?.max)
  let minAmount = product.minAmount
  let maxAmount = product.maxAmount
  if (typeof mine?.minAmount === 'bigint') {
    minAmount = least !== null && least > mine.minAmount ? least : mine.minAmount
  }
  if (typeof mine?.maxAmount === 'bigint') {
    maxAmount = most !== null && most < mine.maxAmount ? most : mine.maxAmount
  }
  return { minAmount, maxAmount, from: minAmount ?? least, to: maxAmount ?? most }
}

function expectedProduct(base: BaseCatalog, level: PriceLevel, view: AccountView, product: Product) {
  const mine = view.overlay?.products.find((each) => each.code === product.code)
  const wholesale = level.prices.get(product.code)
  const categories = expectedCategories(base, view)
  const moved = categories.find((each) => each.code === mine?.categoryCode && each.isActive)?.code
  const home = base.categories.find((each) => each.code === product.categoryCode)
  const homeGroup = base.groups.find((each) => each.code === home?.groupCode)
  const isOffered = product.isActive && home?.isActive === true && homeGroup?.isActive === true
  const isAllowed = !product.isRestricted || view.allowedProducts.has(product.code)
  const isPurchasable = wholesale !== undefined && isAllowed && !view.deniedProducts.has(product.code)
  const { minAmount, maxAmount, from, to } = expectedLimits(product, view)
  const options = Object.fromEntries(
    product.fields.map((field) => {
      const list = sorted([...(base.options.get(product.code)?.get(field.id) ?? [])])
      const isStatic = field.type === 'select'
      return [field.id, isStatic ? list.map((each) => expectedOption(product, wholesale, view, each)) : []]
    }),
  )
  const isSelect = product.fields.some((field) => field.role === 'pricing' && field.type === 'select')
  const loses = (amount: bigint) => {
    if (wholesale === undefined) return false
    const exact = expectedTerms(product, wholesale, view, amount)
    return exact.price < exact.cost
  }
  return {
    product,
    categoryCode: moved ?? product.categoryCode,
    name: mine?.displayName ?? product.name,
    imageUrl: mine?.imageUrl ?? product.imageUrl,
    displayOrder: mine?.displayOrder ?? product.displayOrder,
    isPurchasable,
    isOffered,
    isActive: isOffered && isPurchasable && mine?.isEnabled !== false,
    wholesale: wholesale ?? null,
    lastWholesale: wholesale ?? null,
    adjustment: mine?.adjustment ?? null,
    minAmount,
    maxAmount,
    hasLossRisk: isSelect
      ? (options.amount ?? []).some((each) => each.isActive && each.money?.hasLossRisk === true)
      : from !== null && to !== null && from <= to && (loses(from) || loses(to)),
    options,
  }
}

function expectedSnapshot(base: BaseCatalog, level: PriceLevel, view: AccountView) {
  const products = base.products.map((product) => expectedProduct(base, level, view, product))
  const ordered = sorted(products.map((each) => ({ ...each, code: each.product.code })))
  return {
    lastUpdated: new Date(Math.max(base.updatedAt.getTime(), view.overlay?.updatedAt.getTime() ?? 0)),
    groups: expectedGroups(base, view),
    categories: expectedCategories(base, view),
    products: ordered.map(({ code, ...each }) => [code, each]),
  }
}

/** Returns the whole snapshot as plain data, with its options. */
function laidOut({ fingerprint: _, products, ...rest }: Snapshot) {
  return {
    ...rest,
    products: [...products].map(([code, { findOption: __, options, ...each }]) => [
      code,
      {
        ...each,
        options: Object.fromEntries(each.product.fields.map((field) => [field.id, options(field.id)])),
      },
    ]),
  }
}

it('a snapshot is what the specification says, for any base, level, permissions and overlay', () => {
  fc.assert(
    fc.property(...views, (base, level, view) => {
      expect(laidOut(compile(base, level, view))).toEqual(expectedSnapshot(base, level, view))
    }),
    { numRuns: runs(500) },
  )
})

it('findOption finds exactly what options lists', () => {
  fc.assert(
    fc.property(...views, (base, level, view) => {
      for (const product of compile(base, level, view).products.values()) {
        for (const fieldId of ['amount', 'biller', 'phone', 'gone']) {
          for (const each of product.options(fieldId)) {
            expect(product.findOption(fieldId, each.option.code)).toBe(each)
          }
          expect(product.findOption(fieldId, 'GONE')).toBeUndefined()
        }
      }
    }),
    { numRuns: runs(100) },
  )
})

it('a part that an account’s view does not change is the level’s own object', () => {
  fc.assert(
    fc.property(...views, (base, level, view) => {
      const shared = compileLevel(base, level, VERSIONS)
      const plain = laidOut(
        compileSnapshot(shared, {
          ...view,
          allowedProducts: new Set(),
          deniedProducts: new Set(),
          overlay: undefined,
        }),
      )
      const mine = compileSnapshot(shared, view)
      const same = new Map(plain.products as [string, object][])
      for (const [code, each] of laidOut(mine).products as [string, object][]) {
        const isEqual = JSON.stringify(each, big) === JSON.stringify(same.get(code), big)
        expect(mine.products.get(code) === shared.products.get(code)).toBe(isEqual)
      }
    }),
    { numRuns: runs(300) },
  )
})

it('equal content has the same fingerprint in whatever order it comes, and equal fingerprints the same view', () => {
  const reversed = (view: AccountView): AccountView => ({
    ...view,
    allowedProducts: new Set([...view.allowedProducts].reverse()),
    deniedProducts: new Set([...view.deniedProducts].reverse()),
    overlay: view.overlay && {
      groups: view.overlay.groups.toReversed(),
      categories: view.overlay.categories.toReversed(),
      products: view.overlay.products.toReversed(),
      options: view.overlay.options.toReversed(),
      updatedAt: view.overlay.updatedAt,
    },
  })
  fc.assert(
    fc.property(...views, accountViews, (base, level, view, other) => {
      const snapshot = compile(base, level, view)
      expect(compile(base, level, reversed(view)).fingerprint).toBe(snapshot.fingerprint)
      const second = compile(base, level, other)
      if (second.fingerprint === snapshot.fingerprint) expect(laidOut(second)).toEqual(laidOut(snapshot))
    }),
    { numRuns: runs(300) },
  )
})

function big(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value
}
