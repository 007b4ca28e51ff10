import { moneyToNumber } from '../../../lib/money.ts'
import { formatRate } from '../../../lib/rates.ts'
import { labelOf } from '../model/labels.rules.ts'
import { findPricingField } from '../model/pricing.rules.ts'
import type {
  EffectiveCategory,
  EffectiveGroup,
  EffectiveOption,
  EffectiveProduct,
  Product,
} from '../model/types.ts'
import {
  adjustmentView,
  discountView,
  fieldsView,
  fulfillmentView,
  limitsView,
  moneyView,
} from '../serve/view.ts'
import type {
  CategoryEventWire,
  GroupEventWire,
  OptionEventWire,
  ProductEventWire,
} from './events.schemas.ts'

/**
 * Returns the data of a product event, always in the newest release, because the receiver chooses no version. A
 * product that can no longer be bought keeps its last price, because a null would clear the receiver's copy.
 */
export function productEventData(each: EffectiveProduct, resellerAccount: string): ProductEventWire {
  const { product, lastWholesale: wholesale } = each
  const adjustment = each.adjustment === null ? null : adjustmentView(each.adjustment)
  return {
    product_code: product.code,
    product_category_code: each.categoryCode,
    name: product.name,
    display_name: each.name,
    note: product.note,
    image_url: each.imageUrl,
    processing_time: product.processingTime,
    display_order: each.displayOrder,
    fields: fieldsView(product),
    fulfillment: fulfillmentView(product.fulfillment),
    is_active: each.isActive,
    is_hidden: product.isHidden,
    options_source_type: sourceTypeOf(product),
    denomination_currency: product.denominationCurrency,
    denomination_unit_price: Number(formatRate(product.denominationUnitPrice)),
    price_adjustment_type: adjustment?.type ?? null,
    price_adjustment_value: adjustment?.value ?? null,
    reseller_code: resellerAccount,
    unit_price: wholesale === null ? null : formatRate(wholesale.unitPrice),
    currency: wholesale?.currency ?? null,
    discount: wholesale === null ? null : discountView(wholesale),
    ...limitsView(each),
    is_refundable: product.isRefundable,
  }
}

/** Returns one type for the whole product: a single list that must be fetched anew makes it dynamic. */
function sourceTypeOf(product: Product): ProductEventWire['options_source_type'] {
  const types = product.fields.map((field) => field.dataSource?.type)
  if (types.includes('dynamic')) return 'dynamic'
  return types.includes('reference') ? 'reference' : null
}

export function optionEventData(each: EffectiveProduct, { option, isActive, money }: EffectiveOption) {
  const { product } = each
  const isPricing = findPricingField(product)?.id === option.fieldId
  return {
    product_code: product.code,
    field_id: option.fieldId,
    code: option.code,
    label: labelOf(product.kind, option),
    description: option.description,
    display_order: option.displayOrder,
    is_active: isActive,
    denomination: isPricing && option.denomination !== null ? moneyToNumber(option.denomination) : null,
    price: money === null ? null : moneyView(money.price),
    cost: money === null ? null : moneyView(money.cost),
    rrp: money === null ? null : moneyView(money.rrp),
    min_amount: null,
    max_amount: null,
  } satisfies OptionEventWire
}

export function categoryEventData(category: EffectiveCategory): CategoryEventWire {
  return {
    product_category_code: category.code,
    product_group_code: category.groupCode,
    name: category.name,
    icon_url: category.iconUrl,
    display_order: category.displayOrder,
    is_active: category.isActive,
  }
}

export function groupEventData(group: EffectiveGroup): GroupEventWire {
  return {
    product_group_code: group.code,
    name: group.name,
    icon_url: group.iconUrl,
    display_order: group.displayOrder,
    is_active: group.isActive,
  }
}

/** Returns the id; the option's code comes last, because it may contain colons. */
export function optionEventId(option: { productCode: string; fieldId: string; code: string }): string {
  return `${option.productCode}:${option.fieldId}:${option.code}`
}
