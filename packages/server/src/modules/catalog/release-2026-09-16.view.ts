import type { CatalogWire, FulfillmentWire, OptionsWire } from './schemas.ts'

/**
 * Options of pricing fields got their `denomination`, and fulfilment sends it as the amount, together with
 * the option's code as extras.subproduct_code. Before, the amount was the option's price.
 */
export const RELEASE_2026_09_16 = { catalog: olderCatalog, options: olderOptions }

const PLAN_CODE = 'subproduct_code'

function olderCatalog(catalog: CatalogWire): CatalogWire {
  const products = Object.entries(catalog.products).map(([code, product]) => [
    code,
    { ...product, fulfillment: olderFulfillment(product.fulfillment) },
  ])
  return { ...catalog, products: Object.fromEntries(products) }
}

function olderFulfillment({ extras, amount, ...rest }: FulfillmentWire): FulfillmentWire {
  const older = Object.entries(extras ?? {}).filter(([key]) => key !== PLAN_CODE)
  return {
    ...rest,
    amount: amount.path === 'denomination' ? { ...amount, path: 'price.amount' } : amount,
    ...(older.length > 0 && { extras: Object.fromEntries(older) }),
  }
}

function olderOptions(options: OptionsWire): OptionsWire {
  return { ...options, items: options.items.map(({ denomination: _, ...item }) => item) }
}
