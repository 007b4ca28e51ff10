import type { Affected, Codes } from '../model/changes.types.ts'
import { NO_OWN_VIEW } from '../model/state.rules.ts'
import type { OwnView } from '../model/store.types.ts'
import type { BaseCatalog, Option, Overlay } from '../model/types.ts'

// A comparison of an account's old and new view needs only the resources that may differ. After a change of one
// product, the rest need not be compiled, twice, for every account.

/**
 * Returns the base with only the affected products and options; all groups and categories stay, because they
 * are few and much depends on them.
 */
export function restrictBase(base: BaseCatalog, affected: Affected): BaseCatalog {
  const isNeeded = neededProducts(affected)
  return {
    ...base,
    products: base.products.filter((product) => isNeeded(product.code)),
    options: new Map(
      [...affected.options].map(([productCode, fields]) => [
        productCode,
        new Map(
          [...fields].map(([fieldId, codes]) => [
            fieldId,
            theseOptions(base.options.get(productCode)?.get(fieldId) ?? [], codes),
          ]),
        ),
      ]),
    ),
  }
}

function theseOptions(options: readonly Option[], codes: Codes): readonly Option[] {
  return codes === 'all' ? options : options.filter((option) => codes.has(option.code))
}

/**
 * Selects affected products, and products of affected options, because an option's price depends on its
 * product.
 */
function neededProducts({ products, options }: Affected): (code: string) => boolean {
  return (code) => products === 'all' || products.has(code) || options.has(code)
}

/** Restricts an account's own view in the same way; accounts with equal results get the same events. */
export function restrictView(view: OwnView, affected: Affected): OwnView {
  const isNeeded = neededProducts(affected)
  const allowedProducts = new Set([...view.allowedProducts].filter(isNeeded))
  const deniedProducts = new Set([...view.deniedProducts].filter(isNeeded))
  const overlay = view.overlay && restrictOverlay(view.overlay, affected, isNeeded)
  if (allowedProducts.size + deniedProducts.size === 0 && overlay === undefined) return NO_OWN_VIEW
  return { allowedProducts, deniedProducts, overlay }
}

function restrictOverlay(
  overlay: Overlay,
  affected: Affected,
  isNeeded: (code: string) => boolean,
): Overlay | undefined {
  const isTreeNeeded = [affected.groups, affected.categories, affected.products].some(
    (codes) => codes === 'all' || codes.size > 0,
  )
  const rest: Overlay = {
    groups: isTreeNeeded ? overlay.groups : [],
    categories: isTreeNeeded ? overlay.categories : [],
    products: overlay.products.filter((product) => isNeeded(product.code)),
    options: overlay.options.filter(({ productCode, fieldId, code }) => {
      const codes = affected.options.get(productCode)?.get(fieldId)
      return codes !== undefined && (codes === 'all' || codes.has(code))
    }),
    // No event contains this time, and equal customisations must stay equal.
    updatedAt: new Date(0),
  }
  const entries = rest.groups.length + rest.categories.length + rest.products.length + rest.options.length
  return entries === 0 ? undefined : rest
}
