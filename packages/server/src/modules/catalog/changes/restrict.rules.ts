import type { Affected, Codes } from '../product/changes.types.ts'
import { NO_OWN_VIEW } from '../product/state.rules.ts'
import type { OwnView } from '../product/store.types.ts'
import type { BaseCatalog, Option, Overlay } from '../product/types.ts'

// Comparing what an account saw and sees needs only what may differ: a change of one product is not worth
// compiling the rest, twice, for every account.

/** The base with the affected products and options only; groups and categories are few and decide a lot. */
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

/** An option's price follows from its product. */
function neededProducts({ products, options }: Affected): (code: string) => boolean {
  return (code) => products === 'all' || products.has(code) || options.has(code)
}

/** The same of what is an account's own; accounts whose rests are equal get the same events. */
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
    // No event speaks of it, and it would tell equal customisations apart.
    updatedAt: new Date(0),
  }
  const entries = rest.groups.length + rest.categories.length + rest.products.length + rest.options.length
  return entries === 0 ? undefined : rest
}
