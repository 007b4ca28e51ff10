import { formatRate } from '../lib/rates.ts'
import type { ChangeSummary, Counts } from '../modules/catalog/model/store.types.ts'
import { COUNTED } from '../modules/catalog/model/store.types.ts'
import type { EffectiveOption, EffectiveProduct, WholesalePrice } from '../modules/catalog/model/types.ts'
import { adjustmentText, moneyOrNull } from '../modules/catalog/summary.view.ts'
import type { Difference } from '../modules/catalog/transfer/types.ts'
import { formatTable } from './text.ts'

// Output of the catalog commands: names as in the catalog's files, money as decimal strings.

/** Formats a summary. Kinds without any count are left out. */
export function formatSummary(summary: ChangeSummary): string {
  const { created, updated, deactivated, unchanged } = summary
  const of = (counts: Counts, kind: keyof Counts) => counts[kind]
  const rows = COUNTED.map((kind) => ({
    '': kind,
    created: of(created, kind),
    updated: of(updated, kind),
    deactivated: of(deactivated, kind),
    unchanged: of(unchanged, kind),
  })).filter((row) => row.created + row.updated + row.deactivated + row.unchanged > 0)
  return `${formatTable(rows, 'The files contain no rows.')}\naccounts affected: ${summary.accountsAffected}`
}

const SIGNS = { create: '+', update: '~', deactivate: '-' } as const

/** Formats a difference: `~ products NOVA: name "Nova" → "Nova Plus"` */
export function formatDifference({ kind, id, action, changes }: Difference): string {
  // The values of a new row are in the compared files.
  const shown = action === 'create' ? [] : changes
  const texts = shown.map(
    ({ name, before, after }) => `${name} ${JSON.stringify(before)} → ${JSON.stringify(after)}`,
  )
  return `${SIGNS[action]} ${kind} ${id}${texts.length === 0 ? '' : `: ${texts.join('; ')}`}`
}

export function priceView({ discountType, unitPrice, currency }: WholesalePrice) {
  return { discount_type: discountType, value: formatRate(unitPrice < 0n ? -unitPrice : unitPrice), currency }
}

/** Shows a product as one account sees it. */
export function effectiveView(account: string, each: EffectiveProduct) {
  return {
    account,
    name: each.name,
    category: each.categoryCode,
    image_url: each.imageUrl,
    display_order: each.displayOrder,
    is_purchasable: each.isPurchasable,
    is_active: each.isActive,
    price: each.wholesale === null ? null : priceView(each.wholesale),
    adjustment: adjustmentText(each.adjustment),
    has_loss_risk: each.hasLossRisk,
    min_amount: moneyOrNull(each.minAmount),
    max_amount: moneyOrNull(each.maxAmount),
  }
}

export function effectiveOptionView({ option, isActive, money }: EffectiveOption) {
  return {
    field: option.fieldId,
    code: option.code,
    label: option.label,
    is_active: isActive,
    denomination: moneyOrNull(option.denomination),
    price: moneyOrNull(money?.price),
    cost: moneyOrNull(money?.cost),
    rrp: moneyOrNull(money?.rrp),
  }
}
