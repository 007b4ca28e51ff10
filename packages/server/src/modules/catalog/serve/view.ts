import type { Amount } from '../../../lib/money.ts'
import { formatMoney, LOCAL_CURRENCY, moneyToNumber } from '../../../lib/money.ts'
import type { AddressOf } from '../../../lib/own-addresses.ts'
import { asStored } from '../../../lib/own-addresses.ts'
import { formatRate } from '../../../lib/rates.ts'
import { amountCurrency, discountText } from '../model/pricing.rules.ts'
import type {
  EffectiveProduct,
  Field,
  Fulfillment,
  Mapping,
  PriceAdjustment,
  Product,
  Snapshot,
  WholesalePrice,
} from '../model/types.ts'
import { treeOf } from '../model/visibility.rules.ts'
import type {
  CatalogProductWire,
  CatalogWire,
  DiscountWire,
  FormFieldWire,
  FulfillmentWire,
  MappingWire,
  MoneyWire,
  PriceAdjustmentWire,
  PricingWire,
} from './schemas.ts'

/** Returns the catalogue in the form of the newest release. */
export function catalogView(
  snapshot: Snapshot,
  listed: readonly EffectiveProduct[],
  addressOf: AddressOf = asStored,
): CatalogWire {
  return {
    last_updated: snapshot.lastUpdated.toISOString(),
    tree: {
      groups: treeOf(snapshot, listed).map(({ group, categories }) => ({
        id: group.code,
        name: group.name,
        icon_url: addressOf(group.iconUrl),
        categories: categories.map(({ category, productCodes }) => ({
          id: category.code,
          name: category.name,
          product_codes: [...productCodes],
        })),
      })),
    },
    products: Object.fromEntries(listed.map((each) => [each.product.code, productView(each, addressOf)])),
  }
}

export function productView(each: EffectiveProduct, addressOf: AddressOf = asStored): CatalogProductWire {
  const { product } = each
  return {
    code: product.code,
    name: each.name,
    note: product.note,
    image_url: addressOf(each.imageUrl),
    processing_time: product.processingTime,
    is_active: each.isActive,
    denomination: product.denomination,
    denomination_currency: product.denominationCurrency,
    denomination_unit_price: Number(formatRate(product.denominationUnitPrice)),
    fields: fieldsView(product),
    fulfillment: fulfillmentView(product.fulfillment),
    pricing: pricingView(each),
    ...limitsView(each),
    is_refundable: product.isRefundable,
  }
}

// ── Form and fulfilment ──

export function fieldsView(product: Product): FormFieldWire[] {
  return product.fields.toSorted((a, b) => a.order - b.order).map(fieldView)
}

function fieldView(field: Field): FormFieldWire {
  const { pattern, message, min, max } = field.validation
  const source = field.type === 'select' ? field.dataSource : undefined
  return {
    id: field.id,
    type: field.type,
    input_mode: field.inputMode,
    label: field.label,
    placeholder: field.placeholder,
    required: field.required,
    order: field.order,
    role: field.role,
    validation: {
      ...(pattern !== undefined && { pattern }),
      ...(message !== undefined && { message }),
      ...(min !== undefined && { min }),
      ...(max !== undefined && { max }),
    },
    ...(source !== undefined && { data_source: sourceView(source) }),
    ...(field.type === 'money' && { currency: field.currency ?? LOCAL_CURRENCY }),
    ...(field.numberKind !== undefined && { number_kind: field.numberKind }),
    ...(field.numberCountry !== undefined && { number_country: field.numberCountry }),
  }
}

function sourceView(source: NonNullable<Field['dataSource']>): NonNullable<FormFieldWire['data_source']> {
  const params = Object.entries(source.params).map(([name, value]) => [
    name,
    'static' in value ? { static: value.static } : { from_field: value.fromField },
  ])
  return {
    type: source.type,
    ...(source.type === 'dynamic' && { depends_on: [...source.dependsOn] }),
    endpoint: '/options',
    params: Object.fromEntries(params),
  }
}

export function fulfillmentView({ account, amount, extras }: Fulfillment): FulfillmentWire {
  const mapped = Object.entries(extras ?? {}).map(([key, mapping]) => [key, mappingView(mapping)])
  return {
    account: account === undefined ? { from_field: null } : mappingView(account),
    amount: mappingView(amount),
    ...(mapped.length > 0 && { extras: Object.fromEntries(mapped) }),
  }
}

function mappingView({ fromField, path, omitIfEmpty }: Mapping): MappingWire {
  return {
    from_field: fromField,
    ...(path !== undefined && { path }),
    ...(omitIfEmpty !== undefined && { omit_if_empty: omitIfEmpty }),
  }
}

// ── Money ──

function pricingView({ product, wholesale, adjustment, hasLossRisk }: EffectiveProduct): PricingWire {
  if (wholesale === null) throw new Error(`${product.code} is listed without a price`)
  return {
    unit_price: formatRate(wholesale.unitPrice),
    currency: wholesale.currency,
    discount: discountView(wholesale),
    price_adjustment: adjustment === null ? null : adjustmentView(adjustment),
    has_loss_risk: hasLossRisk,
  }
}

export function discountView(wholesale: WholesalePrice): DiscountWire {
  return { type: wholesale.discountType, value: discountText(wholesale) }
}

export function adjustmentView(adjustment: PriceAdjustment): PriceAdjustmentWire {
  return adjustment.type === 'percentage'
    ? { type: 'percentage', value: Number(formatRate(adjustment.value)) }
    : { type: 'fixed', value: moneyToNumber(adjustment.value), currency: LOCAL_CURRENCY }
}

export function moneyView(amount: Amount, currency: string = LOCAL_CURRENCY): MoneyWire {
  return { amount: formatMoney(amount), currency }
}

/** Returns the limits in the unit of the amount, because they are compared with the amount of a payment. */
export function limitsView(each: EffectiveProduct) {
  const currency = amountCurrency(each.product)
  return {
    min_amount: each.minAmount === null ? null : moneyView(each.minAmount, currency),
    max_amount: each.maxAmount === null ? null : moneyView(each.maxAmount, currency),
  }
}
