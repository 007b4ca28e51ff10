import type { Amount } from '../../../lib/money.ts'
import { formatMoney, LOCAL_CURRENCY } from '../../../lib/money.ts'
import type { AddressOf } from '../../../lib/own-addresses.ts'
import { asStored } from '../../../lib/own-addresses.ts'
import { formatRate } from '../../../lib/rates.ts'
import type { DynamicOption } from '../../providers/port/types.ts'
import { KIND_TRAITS } from '../model/kinds.rules.ts'
import { faceValue, payableRange } from '../model/pricing.rules.ts'
import type { EffectiveOption, EffectiveProduct, Field, Option, Product, Snapshot } from '../model/types.ts'
import type { BillerWire, ProductListItemWire, SubProductWire } from './legacy.schemas.ts'

const NO_LIMIT = '-1'

export function billerItem({ option }: EffectiveOption): BillerWire {
  return {
    biller_code: option.code,
    display_name: option.label,
    denomination: null,
    face_value: null,
    validity: null,
    account_number: null,
    description: option.description,
    additional_description: [...(option.additionalDescription ?? [])],
    min: limitText(option.minAmount),
    max: limitText(option.maxAmount),
    suggested_category: option.suggestedCategory,
  }
}

export function productListItems(
  snapshot: Snapshot,
  listed: readonly EffectiveProduct[],
  addressOf: AddressOf = asStored,
): ProductListItemWire[] {
  const groups = new Map(snapshot.groups.map((group) => [group.code, group]))
  const categories = new Map(snapshot.categories.map((category) => [category.code, category]))
  return listed.map((each) => {
    const category = categories.get(each.categoryCode)
    const group = groups.get(category?.groupCode ?? '')
    const place = { group: group?.name ?? '', category: category?.name ?? '' }
    return productListItem(each, place, addressOf(each.imageUrl))
  })
}

function productListItem(
  each: EffectiveProduct,
  place: { group: string; category: string },
  imageUrl: string,
): ProductListItemWire {
  const { product } = each
  return {
    status: each.isActive ? 'Active' : 'Inactive',
    has_subproduct: hasSubProducts(product),
    product_code: product.code,
    product_name: each.name,
    product_remarks: product.note ?? '',
    account_label: product.legacy.accountLabel,
    keyboard_type: product.legacy.keyboardType,
    denomination: product.denomination ?? '',
    common_denominations: product.legacy.commonDenominations,
    denomination_data_type: product.legacy.denominationDataType,
    denomination_currency: product.denominationCurrency ?? LOCAL_CURRENCY,
    denomination_unit_price: Number(formatRate(product.denominationUnitPrice)),
    product_group: place.group,
    category: place.category,
    image_url: imageUrl,
    account_type: product.legacy.accountType,
    is_refundable: product.isRefundable,
  }
}

/** Tells whether a payment of the product names one of several plans or accounts; billers have their own list. */
export function hasSubProducts({ fulfillment }: Product): boolean {
  return Object.hasOwn(fulfillment.extras ?? {}, 'subproduct_code')
}

export function subProductItem(each: EffectiveProduct, field: Field, { option }: EffectiveOption) {
  return subProduct(each, field, {
    ...option,
    accountNumber: null,
    moreDescription: option.additionalDescription ?? featuresOf(each, option),
  })
}

export function dynamicSubProductItem(each: EffectiveProduct, field: Field, option: DynamicOption) {
  return subProduct(each, field, {
    ...option,
    minAmount: null,
    maxAmount: null,
    moreDescription: featuresOf(each, option),
  })
}

/** Returns the features; only data plans show them, as they do their validity. */
function featuresOf({ product }: EffectiveProduct, { features }: Pick<Option, 'features'>) {
  return KIND_TRAITS[product.kind].hasDataPlans ? features : null
}

type Described = Pick<
  Option,
  'code' | 'label' | 'denomination' | 'validity' | 'description' | 'minAmount' | 'maxAmount'
> & {
  readonly accountNumber: string | null
  readonly moreDescription: readonly string[] | null
}

/**
 * Returns a sub-product. The denomination is a plan's price; if the amount is entered, its limits are given
 * instead.
 */
function subProduct(each: EffectiveProduct, field: Field, option: Described): SubProductWire {
  const { product, minAmount, maxAmount } = each
  const isPlan = field.role === 'pricing'
  const denomination = isPlan ? option.denomination : null
  const range = payableRange({ fields: product.fields, minAmount, maxAmount })
  const face = denomination === null ? null : faceValue(denomination, product.denominationUnitPrice)
  return {
    subproduct_code: option.code,
    display_name: option.label,
    denomination: denomination === null ? null : formatMoney(denomination),
    face_value: face === null ? null : formatMoney(face),
    validity: KIND_TRAITS[product.kind].hasDataPlans ? option.validity : null,
    description: option.description,
    account_number: option.accountNumber,
    additional_description: option.moreDescription === null ? null : [...option.moreDescription],
    min: isPlan ? null : limitText(option.minAmount ?? range.min),
    max: isPlan ? null : limitText(option.maxAmount ?? range.max),
  }
}

function limitText(limit: Amount | null): string {
  return limit === null ? NO_LIMIT : formatMoney(limit)
}
