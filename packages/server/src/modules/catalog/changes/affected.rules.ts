import type { Affected, AffectedByScope, Codes, OptionCodes } from '../model/changes.types.ts'
import { groupBy } from '../model/option-lists.rules.ts'
import { presentRow } from '../model/state.rules.ts'
import type { CatalogState, Diff, OptionKey, Touched } from '../model/store.types.ts'
import type { BaseCatalog, Field, Product } from '../model/types.ts'

// Resources that a change may affect. An extra resource here costs one comparison; a missing one would leave an
// account with an old copy for ever.

export const NOTHING_AFFECTED: Affected = {
  groups: new Set(),
  categories: new Set(),
  products: new Set(),
  options: new Map(),
}

export function affectedBy(touched: Touched, before: CatalogState, after: CatalogState): AffectedByScope {
  const pricedOf = pricedListsOf(before.base, after.base)
  return {
    everyone: affectedByBase(touched),
    levels: new Map(
      [...groupBy(touched.prices, (diff) => diff.levelCode)].map(([levelCode, diffs]) => [
        levelCode,
        withPrices(
          diffs.map((diff) => diff.productCode),
          pricedOf,
        ),
      ]),
    ),
    accounts: affectedAccounts(touched, pricedOf),
  }
}

/** Returns everything with a price, and everything that depends on a price. */
export function affectedByLevelSwitch(before: CatalogState, after: CatalogState): Affected {
  const products = [...before.base.products, ...after.base.products].map((product) => product.code)
  return { ...withPrices(products, pricedListsOf(before.base, after.base)), products: 'all' }
}

/** Returns the resources to compare for the accounts of a level. */
export function affectedAtLevel(scopes: AffectedByScope, levelCode: string): Affected {
  const ofLevel = scopes.levels.get(levelCode)
  return ofLevel === undefined ? scopes.everyone : union(scopes.everyone, ofLevel)
}

/** Returns the resources to compare for at least one account. */
export function affectedForAnyAccount(scopes: AffectedByScope): Affected {
  return [...scopes.levels.values(), ...scopes.accounts.values()].reduce(union, scopes.everyone)
}

// ── The base ──

function affectedByBase(touched: Touched): Affected {
  // The place of products, and whether they are offered, depends on the active groups and categories around
  // them, and a reseller may have moved any product anywhere.
  const isTreeMoved =
    touched.groups.some(({ before, after }) => before?.isActive !== after?.isActive) ||
    touched.categories.some(
      ({ before, after }) => before?.isActive !== after?.isActive || before?.groupCode !== after?.groupCode,
    )
  return {
    groups: codesOf(touched.groups),
    categories: isTreeMoved ? 'all' : codesOf(touched.categories),
    products: isTreeMoved ? 'all' : codesOf(touched.products),
    options: uniteOptions(optionsOfProducts(touched.products), optionsByKey(touched.options)),
  }
}

function codesOf(diffs: readonly Diff<{ readonly code: string }>[]): ReadonlySet<string> {
  return new Set(diffs.map((diff) => presentRow(diff).code))
}

/** Options whose own rows did not change, but whose look depends on a changed product. */
function optionsOfProducts(diffs: readonly Diff<Product>[]): OptionCodes {
  const lists = diffs.map((diff): [string, ReadonlyMap<string, Codes>] => {
    const { before, after } = diff
    const fields = [...(before?.fields ?? []), ...(after?.fields ?? [])]
    const isRelabelled = before?.kind !== after?.kind
    const isRepriced =
      before?.denominationUnitPrice !== after?.denominationUnitPrice ||
      before?.isRestricted !== after?.isRestricted ||
      before?.minAmount !== after?.minAmount ||
      before?.maxAmount !== after?.maxAmount
    const affected = fields.filter(
      (field) =>
        isRelabelled ||
        (isRepriced && field.role === 'pricing') ||
        isListChanged(findField(before, field.id), findField(after, field.id)),
    )
    return [presentRow(diff).code, new Map(affected.map((field) => [field.id, 'all']))]
  })
  return new Map(lists.filter(([, fields]) => fields.size > 0))
}

function findField(product: Product | null, id: string): Field | undefined {
  return product?.fields.find((field) => field.id === id)
}

function isListChanged(before: Field | undefined, after: Field | undefined): boolean {
  return (
    before?.role !== after?.role ||
    before?.type !== after?.type ||
    before?.dataSource?.type !== after?.dataSource?.type
  )
}

function optionsByKey(diffs: readonly Diff<OptionKey>[]): OptionCodes {
  return optionCodesOf(diffs.map(presentRow))
}

export function optionCodesOf(keys: readonly OptionKey[]): OptionCodes {
  const byProduct = groupBy(keys, (row) => row.productCode)
  return new Map(
    [...byProduct].map(([productCode, rows]) => [
      productCode,
      new Map(
        [...groupBy(rows, (row) => row.fieldId)].map(([fieldId, ofField]) => [
          fieldId,
          new Set(ofField.map((row) => row.code)),
        ]),
      ),
    ]),
  )
}

// ── Levels and accounts ──

/** Fields whose options have a price, by product. */
type PricedLists = (productCode: string) => ReadonlyMap<string, Codes>

function pricedListsOf(before: BaseCatalog, after: BaseCatalog): PricedLists {
  const products = groupBy([...before.products, ...after.products], (product) => product.code)
  return (productCode) => {
    const fields = (products.get(productCode) ?? []).flatMap((product) => product.fields)
    const priced = fields.filter((field) => field.role === 'pricing' && field.type === 'select')
    return new Map(priced.map((field) => [field.id, 'all']))
  }
}

function withPrices(productCodes: readonly string[], pricedOf: PricedLists): Affected {
  const lists = productCodes.map((code) => [code, pricedOf(code)] as const)
  return {
    ...NOTHING_AFFECTED,
    products: new Set(productCodes),
    options: new Map(lists.filter(([, fields]) => fields.size > 0)),
  }
}

function affectedAccounts(touched: Touched, pricedOf: PricedLists): ReadonlyMap<bigint, Affected> {
  const accounts = new Map<bigint, Affected>()
  const add = (id: bigint, affected: Affected) =>
    accounts.set(id, union(accounts.get(id) ?? NOTHING_AFFECTED, affected))
  for (const { resellerId, productCode } of touched.permissions) {
    add(resellerId, withPrices([productCode], pricedOf))
  }
  for (const diff of touched.overlayProducts)
    add(diff.resellerId, withPrices([presentRow(diff).code], pricedOf))
  for (const diff of touched.overlayOptions) {
    add(diff.resellerId, { ...NOTHING_AFFECTED, options: optionsByKey([diff]) })
  }
  for (const diff of touched.overlayGroups) {
    const groups = codesOf([diff])
    add(diff.resellerId, isOwn(diff) ? wholeTree(groups) : { ...NOTHING_AFFECTED, groups })
  }
  for (const diff of touched.overlayCategories) {
    const categories = codesOf([diff])
    add(diff.resellerId, {
      ...NOTHING_AFFECTED,
      categories,
      products: isOwn(diff) ? 'all' : new Set(),
    })
  }
  return accounts
}

function isOwn({ before, after }: Diff<{ readonly isOwn: boolean }>): boolean {
  return before?.isOwn === true || after?.isOwn === true
}

/** Returns the whole tree: a group that appears or disappears moves categories, and categories move products. */
function wholeTree(groups: Codes): Affected {
  return { ...NOTHING_AFFECTED, groups, categories: 'all', products: 'all' }
}

// ── Union ──

export function union(one: Affected, other: Affected): Affected {
  return {
    groups: unite(one.groups, other.groups),
    categories: unite(one.categories, other.categories),
    products: unite(one.products, other.products),
    options: uniteOptions(one.options, other.options),
  }
}

function unite(one: Codes, other: Codes): Codes {
  if (one === 'all' || other === 'all') return 'all'
  if (one.size === 0 || other.size === 0) return one.size === 0 ? other : one
  return new Set([...one, ...other])
}

function uniteOptions(one: OptionCodes, other: OptionCodes): OptionCodes {
  if (one.size === 0 || other.size === 0) return one.size === 0 ? other : one
  const products = new Map(one)
  for (const [productCode, lists] of other) {
    const fields = new Map(products.get(productCode))
    for (const [fieldId, codes] of lists) fields.set(fieldId, unite(fields.get(fieldId) ?? new Set(), codes))
    products.set(productCode, fields)
  }
  return products
}
