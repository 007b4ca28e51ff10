import { PRICE_LEVEL, PRODUCT_CODE } from '../../../lib/input/codes.ts'
import { createHints } from '../../../lib/input/nearest.ts'
import { RATE_ONE } from '../../../lib/rates.ts'
import { costCanBeNonPositive, findPricingField, payableRange } from '../model/pricing.rules.ts'
import type { Complain, Problem } from '../model/problems.rules.ts'
import {
  CURRENCY,
  catalogText,
  checkAmount,
  checkIcon,
  checkLimits,
  checkTexts,
  checkValue,
  complainAbout,
  IMAGE_URL,
  listRepeated,
  NAME,
  OPTION_CODE,
  ORDER,
} from '../model/problems.rules.ts'
import type {
  BaseCatalog,
  Category,
  Field,
  Group,
  Option,
  PriceLevel,
  Product,
  WholesalePrice,
} from '../model/types.ts'
import { checkFields, listPatterns } from './check-fields.rules.ts'

/**
 * Lists everything that is wrong with a base catalogue; empty when it may be saved. Patterns that `stored`
 * already has may stay, and so may a range of amounts that nobody can pay: an earlier version accepted them, and they
 * must not stop every other change.
 */
export function checkBase(base: BaseCatalog, stored?: BaseCatalog): readonly Problem[] {
  const problems: Problem[] = []
  for (const group of base.groups) checkLabels(complainAbout(problems, 'groups', group.code), group)
  complainAboutRepeated(problems, 'groups', base.groups)
  checkCategories(problems, base)
  checkProducts(problems, base, stored)
  checkOptions(problems, base)
  return problems
}

function checkLabels(complain: Complain, { code, name, iconUrl, displayOrder }: Group | Category): void {
  checkValue(complain, 'code', code, PRODUCT_CODE)
  checkValue(complain, 'name', name, NAME)
  checkIcon(complain, 'iconUrl', iconUrl)
  checkValue(complain, 'displayOrder', displayOrder, ORDER)
}

function checkCategories(problems: Problem[], base: BaseCatalog): void {
  const groups = new Set(base.groups.map((group) => group.code))
  complainAboutRepeated(problems, 'categories', base.categories)
  const hintOf = createHints(groups)
  for (const category of base.categories) {
    const complain = complainAbout(problems, 'categories', category.code)
    checkLabels(complain, category)
    if (!groups.has(category.groupCode)) {
      const hint = hintOf(category.groupCode)
      complain('groupCode', `there is no group ${category.groupCode}${hint}`)
    }
  }
}

// ── Products ──

const DESCRIPTION = catalogText(0, 2_000)
const DENOMINATIONS = catalogText(0, 500)
const ACCOUNT_LABEL = catalogText(0, 100)
const KEYBOARD_TYPE = catalogText(0, 50)
const OPTION_LABEL = catalogText(1, 200)
const VALIDITY = catalogText(1, 50)
const FEATURE = catalogText(1, 200)
const SUGGESTED_CATEGORY = catalogText(1, 100)
const DESCRIPTION_LINE = catalogText(1, 500)

const UNIT_PRICE_MAX = 1_000_000n * RATE_ONE

function checkProducts(problems: Problem[], base: BaseCatalog, stored: BaseCatalog | undefined): void {
  const storedPatterns = new Set(stored && listPatterns(stored))
  const unpayable = new Set(stored?.products.filter(hasNoAmount).map(({ code }) => code))
  const categories = new Set(base.categories.map((category) => category.code))
  complainAboutRepeated(problems, 'products', base.products)
  const hintOf = createHints(categories)
  for (const product of base.products) {
    const complain = complainAbout(problems, 'products', product.code)
    checkProduct(complain, product, storedPatterns)
    if (hasNoAmount(product) && !unpayable.has(product.code)) complainAboutRange(complain, product)
    if (!categories.has(product.categoryCode)) {
      const hint = hintOf(product.categoryCode)
      complain('categoryCode', `there is no category ${product.categoryCode}${hint}`)
    }
  }
}

function checkProduct(complain: Complain, product: Product, storedPatterns: ReadonlySet<string>): void {
  checkValue(complain, 'code', product.code, PRODUCT_CODE)
  checkValue(complain, 'name', product.name, NAME)
  checkValue(complain, 'note', product.note, DESCRIPTION)
  checkValue(complain, 'redemption', product.redemption, DESCRIPTION)
  checkValue(complain, 'imageUrl', product.imageUrl, IMAGE_URL)
  checkValue(complain, 'displayOrder', product.displayOrder, ORDER)
  checkValue(complain, 'denomination', product.denomination, DENOMINATIONS)
  if (product.denominationCurrency !== null) {
    checkValue(complain, 'denominationCurrency', product.denominationCurrency, CURRENCY)
  }
  if (product.denominationUnitPrice <= 0n || product.denominationUnitPrice > UNIT_PRICE_MAX) {
    complain('denominationUnitPrice', 'must be greater than 0 and at most 1000000')
  }
  checkLimits(complain, product)
  checkValue(complain, 'legacy.accountLabel', product.legacy.accountLabel, ACCOUNT_LABEL)
  checkValue(complain, 'legacy.keyboardType', product.legacy.keyboardType, KEYBOARD_TYPE)
  checkValue(complain, 'legacy.commonDenominations', product.legacy.commonDenominations, DENOMINATIONS)
  checkFields(complain, product, storedPatterns)
}

/** Tells whether no amount is within the product's limits and those of its pricing field. */
function hasNoAmount(product: Product): boolean {
  const { min, max } = payableRange(product)
  return min !== null && max !== null && min > max
}

/** Complains about the limit that the product sets; limits that one place sets alone have checks of their own. */
function complainAboutRange(complain: Complain, { minAmount, maxAmount }: Product): void {
  if (minAmount !== null && maxAmount === null) {
    complain('minAmount', 'must not be greater than the maximum of the pricing field')
  } else if (minAmount === null && maxAmount !== null) {
    complain('maxAmount', 'must not be less than the minimum of the pricing field')
  }
}

// ── Options ──

function checkOptions(problems: Problem[], base: BaseCatalog): void {
  const products = new Map(base.products.map((product) => [product.code, product]))
  for (const [productCode, lists] of base.options) {
    for (const [fieldId, options] of lists) {
      const field = products.get(productCode)?.fields.find((each) => each.id === fieldId)
      const trouble = listTrouble(products.get(productCode), field)
      if (trouble !== undefined) {
        complainAbout(problems, 'options', `${productCode}:${fieldId}`)('fieldId', trouble)
      }
      for (const option of options) checkOption(problems, { productCode, fieldId }, option, field)
      for (const option of listRepeated(options, (each) => each.code)) {
        complainAbout(problems, 'options', optionId(option))('code', 'is there twice')
      }
    }
  }
}

function listTrouble(product: Product | undefined, field: Field | undefined): string | undefined {
  if (product === undefined) return 'there is no such product'
  if (field === undefined) return 'the product has no such field'
  if (field.type !== 'select') return 'only select fields have options'
  return field.dataSource?.type === 'dynamic' ? 'a dynamic field has no list of its own' : undefined
}

function checkOption(
  problems: Problem[],
  place: { productCode: string; fieldId: string },
  option: Option,
  field: Field | undefined,
): void {
  const complain = complainAbout(problems, 'options', optionId(option))
  if (option.productCode !== place.productCode || option.fieldId !== place.fieldId) {
    complain('productCode', `stands in the list of ${place.productCode}:${place.fieldId}`)
  }
  checkValue(complain, 'code', option.code, OPTION_CODE)
  checkValue(complain, 'label', option.label, OPTION_LABEL)
  checkValue(complain, 'description', option.description, DESCRIPTION)
  checkValue(complain, 'displayOrder', option.displayOrder, ORDER)
  if (field?.role === 'pricing' && option.denomination === null) {
    complain('denomination', 'is needed: the field prices')
  }
  checkAmount(complain, 'denomination', option.denomination)
  checkValue(complain, 'validity', option.validity, VALIDITY)
  checkTexts(complain, 'features', option.features, { countMax: 30, rule: FEATURE })
  checkAmount(complain, 'rrp', option.rrp)
  checkLimits(complain, option)
  checkValue(complain, 'suggestedCategory', option.suggestedCategory, SUGGESTED_CATEGORY)
  checkTexts(complain, 'additionalDescription', option.additionalDescription, {
    countMax: 30,
    rule: DESCRIPTION_LINE,
  })
}

function optionId({ productCode, fieldId, code }: Option): string {
  return `${productCode}:${fieldId}:${code}`
}

function complainAboutRepeated(
  problems: Problem[],
  resource: Problem['resource'],
  items: readonly { readonly code: string }[],
): void {
  for (const { code } of listRepeated(items, (item) => item.code)) {
    complainAbout(problems, resource, code)('code', 'is there twice')
  }
}

// ── Price levels ──

/** Limit of a percentage: twice the face value. A higher surcharge is a typing error. */
const PERCENTAGE_MAX = 2n * RATE_ONE

/**
 * Checks a level. Must run for every level when the base changes: a new denomination can make an old price
 * wrong.
 */
export function checkLevel(base: BaseCatalog, level: PriceLevel): readonly Problem[] {
  const problems: Problem[] = []
  const complain = complainAbout(problems, 'levels', level.code)
  checkValue(complain, 'code', level.code, PRICE_LEVEL)
  checkValue(complain, 'name', level.name, NAME)
  const products = new Map(base.products.map((product) => [product.code, product]))
  const hintOf = createHints(products)
  for (const [productCode, wholesale] of level.prices) {
    const about = complainAbout(problems, 'prices', productCode)
    const product = products.get(productCode)
    if (product === undefined) {
      const hint = hintOf(productCode)
      about('productCode', `there is no product ${productCode}${hint}`)
    } else checkPrice(about, base, product, wholesale)
  }
  return problems
}

function checkPrice(
  complain: Complain,
  base: BaseCatalog,
  product: Product,
  wholesale: WholesalePrice,
): void {
  const { discountType, unitPrice, currency } = wholesale
  checkValue(complain, 'currency', currency, CURRENCY)
  const field = findPricingField(product)
  const options = field === undefined ? [] : (base.options.get(product.code)?.get(field.id) ?? [])
  if (discountType === 'fixed' && unitPrice >= 0n) {
    complain('unitPrice', 'must be negative: a fixed discount')
  } else if (discountType === 'percentage' && (unitPrice <= 0n || unitPrice > PERCENTAGE_MAX)) {
    complain('unitPrice', 'must be greater than 0 and at most 2: a share of the face value')
  } else if (costCanBeNonPositive(product, options, wholesale)) {
    complain('unitPrice', 'would make the cost of some denomination zero or less')
  }
}
