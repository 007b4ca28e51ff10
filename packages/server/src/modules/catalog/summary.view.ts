import type { Amount } from '../../lib/money.ts'
import { formatMoney } from '../../lib/money.ts'
import { formatRate } from '../../lib/rates.ts'
import type { ChangeSummary } from './model/store.types.ts'
import type { Overlay, PriceAdjustment } from './model/types.ts'

export function summaryView(summary: ChangeSummary) {
  return {
    version: Number(summary.version),
    created: summary.created,
    updated: summary.updated,
    deactivated: summary.deactivated,
    unchanged: summary.unchanged,
    accounts_affected: summary.accountsAffected,
  }
}

/** Shows the summary with the accounts that see something else than before. */
export function namedSummaryView(summary: ChangeSummary) {
  return { ...summaryView(summary), accounts: summary.accountsNamed }
}

export function adjustmentText(adjustment: PriceAdjustment | null) {
  if (adjustment === null) return null
  const { type, value } = adjustment
  return { type, value: type === 'fixed' ? formatMoney(value) : formatRate(value) }
}

/** Shows a reseller's customisation, by the names of the catalogue's files. */
export function overlayView({ groups, categories, products, options, updatedAt }: Overlay) {
  return {
    groups: groups.map((group) => ({
      code: group.code,
      is_own: group.isOwn,
      name: group.name,
      icon_url: group.iconUrl,
      display_order: group.displayOrder,
    })),
    categories: categories.map((category) => ({
      code: category.code,
      is_own: category.isOwn,
      group: category.groupCode,
      name: category.name,
      icon_url: category.iconUrl,
      display_order: category.displayOrder,
    })),
    products: products.map((product) => ({
      code: product.code,
      category: product.categoryCode,
      name: product.displayName,
      image_url: product.imageUrl,
      display_order: product.displayOrder,
      is_enabled: product.isEnabled,
      adjustment: adjustmentText(product.adjustment),
      min_amount: moneyOrNull(product.minAmount),
      max_amount: moneyOrNull(product.maxAmount),
    })),
    options: options.map((option) => ({
      product: option.productCode,
      field: option.fieldId,
      code: option.code,
      is_enabled: option.isEnabled,
      rrp: moneyOrNull(option.rrp),
    })),
    updated_at: updatedAt.toISOString(),
  }
}

export function moneyOrNull(amount: Amount | null | undefined): string | null {
  return amount === null || amount === undefined ? null : formatMoney(amount)
}
