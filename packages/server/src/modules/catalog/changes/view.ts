import type { Described } from '../model/changes.types.ts'
import type { EffectiveProduct, Snapshot } from '../model/types.ts'
import { categoryEventData, groupEventData, optionEventData, productEventData } from './events.view.ts'

/**
 * Describes the resources that exist for an account: active groups and categories, offered products (also those
 * it may not buy), and active options. An option does not depend on its product here: switching a product off
 * and on again does not send 20,000 billers twice.
 */
export function describe(snapshot: Snapshot): Described {
  const groups = new Map(snapshot.groups.map((group) => [group.code, group]))
  const categories = new Map(snapshot.categories.map((category) => [category.code, category]))
  const { products } = snapshot
  return {
    groupCodes: [...groups.keys()],
    categoryCodes: [...categories.keys()],
    productCodes: [...products.keys()],
    optionCodes: (productCode, fieldId) =>
      (products.get(productCode)?.options(fieldId) ?? []).map((each) => each.option.code),
    group(code) {
      const group = groups.get(code)
      return group?.isActive ? JSON.stringify(groupEventData(group)) : null
    },
    category(code) {
      const category = categories.get(code)
      return category?.isActive ? JSON.stringify(categoryEventData(category)) : null
    },
    product(code) {
      const product = products.get(code)
      return product?.isOffered ? JSON.stringify(productData(product)) : null
    },
    option(productCode, fieldId, code) {
      const product = products.get(productCode)
      const option = product?.findOption(fieldId, code)
      if (product === undefined || !option?.option.isActive) return null
      return JSON.stringify(optionEventData(product, option))
    },
  }
}

/**
 * Returns the data without the account's own number, which is added when the event is read: the rest is shared
 * by many accounts.
 */
function productData(product: EffectiveProduct): Record<string, unknown> {
  const { reseller_code: _, ...data } = productEventData(product, '')
  return data
}
