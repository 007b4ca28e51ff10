import { formatMoney } from '../../../lib/money.ts'
import { formatRate } from '../../../lib/rates.ts'
import type { OverlayPreview, PricedLine } from '../../catalog/edit/overlay-preview.service.ts'
import { priceLines } from '../../catalog/edit/price-lines.rules.ts'
import type { EffectiveGroup, EffectiveProduct, Overlay, Snapshot } from '../../catalog/model/types.ts'
import { adjustmentText } from '../../catalog/summary.view.ts'

export function catalogueView(snapshot: Snapshot, overlay: Overlay | undefined) {
  const ownGroups = ownCodes(overlay?.groups)
  const ownCategories = ownCodes(overlay?.categories)
  const customised = customisedProducts(overlay)
  return {
    fingerprint: snapshot.fingerprint,
    updated_at: snapshot.lastUpdated.toISOString(),
    groups: snapshot.groups.map((group) => groupView(group, ownGroups)),
    categories: snapshot.categories.map((category) => ({
      ...groupView(category, ownCategories),
      group: category.groupCode,
    })),
    products: [...snapshot.products.values()]
      .filter((each) => each.isOffered && each.isPurchasable)
      .map((each) => ownProductView(each, customised)),
  }
}

function ownProductView(product: EffectiveProduct, customised: ReadonlySet<string>) {
  const isCustomised = customised.has(product.product.code)
  return { ...offerView(product, marginOf(priceLines(product))), is_customised: isCustomised }
}

export function productDetailsView(product: EffectiveProduct, overlay: Overlay | undefined) {
  const { code } = product.product
  return {
    ...ownProductView(product, customisedProducts(overlay)),
    lines: linesView(priceLines(product)),
    options: (overlay?.options ?? [])
      .filter((option) => option.productCode === code)
      .map((option) => ({
        field: option.fieldId,
        code: option.code,
        is_enabled: option.isEnabled,
        retail_price: option.rrp === null ? null : formatMoney(option.rrp),
      })),
  }
}

export function previewView(preview: OverlayPreview) {
  const side = (product: EffectiveProduct) => {
    const lines = priceLines(product)
    return { ...offerView(product, marginOf(lines)), lines: linesView(lines) }
  }
  return {
    fingerprint: preview.fingerprint,
    products: preview.products.map(({ before, after }) => ({
      code: after.product.code,
      before: side(before),
      after: side(after),
    })),
    newly_losing: preview.newlyLosing,
  }
}

type Margin = { readonly min: bigint; readonly max: bigint } | null

function offerView(product: EffectiveProduct, margin: Margin) {
  const { product: base, wholesale } = product
  return {
    code: base.code,
    name: product.name,
    base_name: base.name,
    category: product.categoryCode,
    base_category: base.categoryCode,
    image_url: product.imageUrl,
    display_order: product.displayOrder,
    processing_time: base.processingTime,
    is_active: product.isActive,
    is_enabled: product.isActive || !(product.isOffered && product.isPurchasable),
    is_hidden: base.isHidden,
    is_refundable: base.isRefundable,
    min_amount: product.minAmount === null ? null : formatMoney(product.minAmount),
    max_amount: product.maxAmount === null ? null : formatMoney(product.maxAmount),
    adjustment: adjustmentText(product.adjustment),
    discount: wholesale && { type: wholesale.discountType, unit_price: formatRate(wholesale.unitPrice) },
    margin: margin && { min: formatMoney(margin.min), max: formatMoney(margin.max) },
    has_loss_risk: product.hasLossRisk,
  }
}

/** Fields of a product that a member may edit, for the audit log. */
export function editableView(product: EffectiveProduct) {
  const { code, name, category, image_url, display_order, is_enabled, min_amount, max_amount, adjustment } =
    offerView(product, null)
  return { code, name, category, image_url, display_order, is_enabled, min_amount, max_amount, adjustment }
}

/** Limit of the lines that are shown. Margins are of all lines. */
const LINES_MAX = 500

function linesView(lines: readonly PricedLine[]) {
  return lines.slice(0, LINES_MAX).map(lineView)
}

function lineView(line: PricedLine) {
  return {
    option: line.optionCode,
    label: line.label,
    denomination: formatMoney(line.denomination),
    cost: formatMoney(line.cost),
    price: formatMoney(line.price),
    retail_price: formatMoney(line.rrp),
    margin: formatMoney(line.margin),
    has_loss_risk: line.hasLossRisk,
    is_active: line.isActive,
  }
}

/** Range of the margins of the lines that can be bought. If the whole product is disabled, all its lines count. */
export function marginOf(lines: readonly PricedLine[]): Margin {
  const active = lines.filter(({ isActive }) => isActive)
  const counted = active.length > 0 ? active : lines
  const margins = counted.map(({ margin }) => margin).sort((a, b) => (a < b ? -1 : 1))
  const [min, max] = [margins[0], margins.at(-1)]
  return min === undefined || max === undefined ? null : { min, max }
}

function customisedProducts(overlay: Overlay | undefined): ReadonlySet<string> {
  const { products = [], options = [] } = overlay ?? {}
  return new Set([...products.map(({ code }) => code), ...options.map(({ productCode }) => productCode)])
}

function ownCodes(entries: readonly { code: string; isOwn: boolean }[] | undefined): ReadonlySet<string> {
  return new Set(entries?.filter(({ isOwn }) => isOwn).map(({ code }) => code))
}

function groupView(group: EffectiveGroup, own: ReadonlySet<string>) {
  return {
    code: group.code,
    name: group.name,
    icon_url: group.iconUrl,
    display_order: group.displayOrder,
    is_active: group.isActive,
    is_own: own.has(group.code),
  }
}
