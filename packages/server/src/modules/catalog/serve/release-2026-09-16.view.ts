import type { EffectiveProduct } from '../model/types.ts'
import { keptInOlderForm } from './older-form.rules.ts'
import type { CatalogWire, FulfillmentWire, OptionsWire } from './schemas.ts'

/**
 * Conversion to the form before this release. The release added `denomination` to the options of pricing
 * fields; fulfilment sends it as the amount, and the option's code as extras.subproduct_code. Before, the
 * amount was the option's price.
 *
 * A price does not always identify the option: it may be in another unit than the amount, contain a margin, or
 * be the price of several options. Such products keep the needed parts of the newer form, so that a client pays
 * for the same thing in both forms.
 */
export const RELEASE_2026_09_16 = { catalog: olderCatalog, options: olderOptions }

const PLAN_CODE = 'subproduct_code'

function olderCatalog(catalog: CatalogWire, products: ReadonlyMap<string, EffectiveProduct>): CatalogWire {
  const older = Object.entries(catalog.products).map(([code, wire]) => {
    const product = products.get(code)
    if (product === undefined) throw new Error(`${code} is listed and not in the snapshot`)
    return [code, { ...wire, fulfillment: olderFulfillment(wire.fulfillment, product) }]
  })
  return { ...catalog, products: Object.fromEntries(older) }
}

function olderFulfillment(newer: FulfillmentWire, product: EffectiveProduct): FulfillmentWire {
  const { extras, amount, ...rest } = newer
  const kept = keptInOlderForm(product)
  const isPriceSent = amount.path === 'denomination' && !kept.denomination
  const older = Object.entries(extras ?? {}).filter(([key]) => key !== PLAN_CODE || kept.planCode)
  return {
    ...rest,
    amount: isPriceSent ? { ...amount, path: 'price.amount' } : amount,
    ...(older.length > 0 && { extras: Object.fromEntries(older) }),
  }
}

function olderOptions(options: OptionsWire, product: EffectiveProduct): OptionsWire {
  if (keptInOlderForm(product).denomination) return options
  return { ...options, items: options.items.map(({ denomination: _, ...item }) => item) }
}
