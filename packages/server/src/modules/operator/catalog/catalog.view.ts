import type { CatalogState } from '../../catalog/model/store.types.ts'
import type { Product } from '../../catalog/model/types.ts'
import { priceRow, productRow } from '../../catalog/operators.service.ts'
import { listProductTexts } from '../../catalog/serve/texts.rules.ts'
import { namedSummaryView } from '../../catalog/summary.view.ts'
import type { Imported } from '../../catalog/transfer/service.ts'
import { comparisonView } from '../../margins/comparison.service.ts'
import type { Comparison } from '../../margins/types.ts'
import { DIFFERENCES_MAX, optionsOf } from './catalog.rules.ts'

export function importView({ summary, differences }: Imported, comparison: Comparison) {
  return {
    summary: namedSummaryView(summary),
    comparison: comparisonView(comparison),
    differences: differences.slice(0, DIFFERENCES_MAX),
    differences_total: differences.length,
  }
}

export function productLineView(state: CatalogState, product: Product) {
  return {
    code: product.code,
    name: product.name,
    category: product.categoryCode,
    kind: product.kind,
    is_active: product.isActive,
    is_hidden: product.isHidden,
    is_restricted: product.isRestricted,
    is_refundable: product.isRefundable,
    levels: [...state.levels.values()].filter(({ prices }) => prices.has(product.code)).length,
    options: optionsOf(state, product.code).length,
  }
}

export function pricedProductView(state: CatalogState, product: Product) {
  const lists = [...(state.base.options.get(product.code) ?? [])]
  return {
    product: productRow(product),
    prices: [...state.levels.values()].flatMap((level) => {
      const price = level.prices.get(product.code)
      return price === undefined ? [] : [{ level: level.code, ...priceRow(price) }]
    }),
    options: lists.map(([field, options]) => ({ field, total: options.length })),
    texts: listProductTexts(state, product),
  }
}
