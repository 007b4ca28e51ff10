import { PRODUCT_CODE } from '../../../lib/input/codes.ts'
import { createHints } from '../../../lib/input/nearest.ts'
import { isSame } from '../../../lib/input/same.ts'
import { formatMoney, UNITS_PER_RINGGIT } from '../../../lib/money.ts'
import { RATE_ONE } from '../../../lib/rates.ts'
import { payableRange } from '../model/pricing.rules.ts'
import type { Complain, Problem } from '../model/problems.rules.ts'
import {
  checkAmount,
  checkIcon,
  checkLimits,
  checkValue,
  complainAbout,
  IMAGE_URL,
  listRepeated,
  NAME,
  ORDER,
} from '../model/problems.rules.ts'
import type { OverlayChange } from '../model/store.types.ts'
import type {
  BaseCatalog,
  Overlay,
  OverlayCategory,
  OverlayGroup,
  OverlayOption,
  OverlayProduct,
  Product,
} from '../model/types.ts'

/** Limit of a reseller's own groups, and of its own categories. */
const OWN_MAX = 200

/** Lists everything that is wrong with a reseller's customisation of this base. */
export function checkOverlay(base: BaseCatalog, overlay: Overlay): readonly Problem[] {
  const problems: Problem[] = []
  const groups = checkPositions(problems, 'groups', base.groups, overlay.groups)
  const categories = checkPositions(problems, 'categories', base.categories, overlay.categories)
  const hintOf = createHints(groups)
  for (const category of overlay.categories) {
    checkGroupOf(complainAbout(problems, 'categories', category.code), category, groups, hintOf)
  }
  checkProducts(problems, base, overlay, categories)
  checkOptions(problems, base, overlay)
  return problems
}

/**
 * Lists what a change makes wrong. A value that the change leaves as it was is no problem of this change: the base may
 * have moved since it was set, and the account can still change everything else.
 */
export function checkOverlayChange(
  base: BaseCatalog,
  before: Overlay | undefined,
  after: Overlay | undefined,
): readonly Problem[] {
  const problems = after === undefined ? [] : checkOverlay(base, after)
  if (before === undefined || problems.length === 0) return problems
  const textOf = ({ resource, id, field, text }: Problem) => JSON.stringify([resource, id, field, text])
  const former = new Set(checkOverlay(base, before).map(textOf))
  const [was, is] = [indexRows(before), indexRows(after)]
  return problems.filter((problem) => {
    const { resource, id, field } = problem
    const [member = ''] = field.split('.')
    const [old, row] = [was.get(`${resource} ${id}`), is.get(`${resource} ${id}`)]
    const isKept = old !== undefined && row !== undefined && isSame(old[member], row[member])
    return !(isKept && former.has(textOf(problem)))
  })
}

/** Returns the rows of an overlay by the resource and the id that problems name. */
function indexRows(overlay: Overlay | undefined): ReadonlyMap<string, Readonly<Record<string, unknown>>> {
  const { groups = [], categories = [], products = [], options = [] } = overlay ?? {}
  return new Map<string, Readonly<Record<string, unknown>>>([
    ...groups.map((row) => [`groups ${row.code}`, row] as const),
    ...categories.map((row) => [`categories ${row.code}`, row] as const),
    ...products.map((row) => [`products ${row.code}`, row] as const),
    ...options.map((row) => [`options ${optionId(row)}`, row] as const),
  ])
}

/** Lists the rows that a change gives more than once: only one of them could be written. */
export function checkRepeated(change: OverlayChange): readonly Problem[] {
  const { groups = [], categories = [], products = [], options = [] } = change
  const repeated = (resource: Problem['resource'], ids: readonly string[]): Problem[] =>
    listRepeated(ids, (id) => id).map((id) => ({ resource, id, field: 'code', text: 'is given twice' }))
  const codes = (rows: readonly { readonly code: string }[]) => rows.map(({ code }) => code)
  return [
    ...repeated('groups', codes(groups)),
    ...repeated('categories', codes(categories)),
    ...repeated('products', codes(products)),
    ...repeated('options', options.map(optionId)),
  ]
}

/** Checks groups or categories, and returns the codes that exist after them. */
function checkPositions(
  problems: Problem[],
  resource: 'groups' | 'categories',
  base: readonly { readonly code: string }[],
  changes: readonly (OverlayGroup | OverlayCategory)[],
): ReadonlySet<string> {
  const codes = new Set(base.map((each) => each.code))
  const own = changes.filter((change) => change.isOwn)
  for (const { code } of listRepeated(changes, (change) => change.code)) {
    complainAbout(problems, resource, code)('code', 'is there twice')
  }
  for (const change of changes) {
    const complain = complainAbout(problems, resource, change.code)
    checkValue(complain, 'code', change.code, PRODUCT_CODE)
    checkValue(complain, 'name', change.name, NAME)
    checkIcon(complain, 'iconUrl', change.iconUrl)
    checkValue(complain, 'displayOrder', change.displayOrder, ORDER)
    if (!change.isOwn && !codes.has(change.code)) complain('code', 'is unknown')
    if (change.isOwn && codes.has(change.code)) complain('code', "is taken by one of the service's own")
    if (change.isOwn && change.name === null) complain('name', 'is needed')
  }
  if (own.length > OWN_MAX) complainAbout(problems, resource, '')('', `at most ${OWN_MAX} of your own`)
  return new Set([...codes, ...own.map((change) => change.code)])
}

function checkGroupOf(
  complain: Complain,
  category: OverlayCategory,
  groups: ReadonlySet<string>,
  hintOf: (code: string) => string,
): void {
  const { groupCode, isOwn } = category
  if (groupCode === null) {
    if (isOwn) complain('groupCode', 'is needed')
  } else if (!groups.has(groupCode)) {
    complain('groupCode', `there is no group ${groupCode}${hintOf(groupCode)}`)
  }
}

function checkProducts(
  problems: Problem[],
  base: BaseCatalog,
  overlay: Overlay,
  categories: ReadonlySet<string>,
): void {
  const products = new Map(base.products.map((product) => [product.code, product]))
  for (const { code } of listRepeated(overlay.products, (change) => change.code)) {
    complainAbout(problems, 'products', code)('code', 'is there twice')
  }
  const [productHintOf, categoryHintOf] = [createHints(products), createHints(categories)]
  for (const change of overlay.products) {
    const complain = complainAbout(problems, 'products', change.code)
    const product = products.get(change.code)
    if (product === undefined) complain('code', `is unknown${productHintOf(change.code)}`)
    else checkProduct(complain, product, change)
    if (change.categoryCode !== null && !categories.has(change.categoryCode)) {
      const hint = categoryHintOf(change.categoryCode)
      complain('categoryCode', `there is no category ${change.categoryCode}${hint}`)
    }
  }
}

function checkProduct(complain: Complain, product: Product, change: OverlayProduct): void {
  checkValue(complain, 'displayName', change.displayName, NAME)
  checkValue(complain, 'imageUrl', change.imageUrl, IMAGE_URL)
  checkValue(complain, 'displayOrder', change.displayOrder, ORDER)
  checkAdjustment(complain, change)
  checkLimits(complain, change)
  const { min, max } = payableRange(product)
  for (const [field, limit] of [
    ['minAmount', change.minAmount],
    ['maxAmount', change.maxAmount],
  ] as const) {
    if (limit === null) continue
    if (min !== null && limit < min) complain(field, `must be at least ${formatMoney(min)}`)
    if (max !== null && limit > max) complain(field, `must be at most ${formatMoney(max)}`)
  }
}

const FACTOR_MAX = 10n * RATE_ONE
const ADDEND_MAX = 10_000n * UNITS_PER_RINGGIT

/**
 * Allows an adjustment below cost, which is shown as a risk. Whether it leaves a price depends on the account's level:
 * `checkPrices` judges that.
 */
function checkAdjustment(complain: Complain, { adjustment }: OverlayProduct): void {
  if (adjustment === null) return
  const { type, value } = adjustment
  if (type === 'percentage' && (value <= 0n || value > FACTOR_MAX)) {
    complain('adjustment.value', 'must be greater than 0 and at most 10: prices are multiplied by it')
  }
  if (type === 'fixed' && (value < -ADDEND_MAX || value > ADDEND_MAX)) {
    complain('adjustment.value', `must be from -${formatMoney(ADDEND_MAX)} to ${formatMoney(ADDEND_MAX)}`)
  }
}

function checkOptions(problems: Problem[], base: BaseCatalog, overlay: Overlay): void {
  const known = new Map<string, ReadonlySet<string>>()
  const codesOf = (productCode: string, fieldId: string) => {
    const key = JSON.stringify([productCode, fieldId])
    const options = base.options.get(productCode)?.get(fieldId) ?? []
    const codes = known.get(key) ?? new Set(options.map((option) => option.code))
    known.set(key, codes)
    return codes
  }
  for (const option of overlay.options) {
    const complain = complainAbout(problems, 'options', optionId(option))
    if (!codesOf(option.productCode, option.fieldId).has(option.code)) complain('code', 'is unknown')
    checkAmount(complain, 'rrp', option.rrp)
  }
  for (const option of listRepeated(overlay.options, optionId)) {
    complainAbout(problems, 'options', optionId(option))('code', 'is there twice')
  }
}

function optionId({ productCode, fieldId, code }: OverlayOption): string {
  return `${productCode}:${fieldId}:${code}`
}
