import { optionKey } from '../model/state.rules.ts'
import type { OptionKey } from '../model/store.types.ts'
import type { Overlay, OverlayOption, OverlayProduct } from '../model/types.ts'

/** Edit of a product or an option; absent parts stay as the reseller has them. */
export type ProductEdit = Partial<Omit<OverlayProduct, 'code'>>
export type OptionEdit = Partial<Pick<OverlayOption, 'isEnabled' | 'rrp'>>

/**
 * Returns the products after the edits. Present ones are looked up in a map, so that many edits at once stay
 * cheap.
 */
export function editedProducts(
  overlay: Overlay | undefined,
  edits: readonly { readonly code: string; readonly edit: ProductEdit }[],
): OverlayProduct[] {
  const present = new Map(overlay?.products.map((product) => [product.code, product]))
  return edits.map(({ code, edit }) => ({ ...(present.get(code) ?? { ...UNCHANGED, code }), ...edit }))
}

export function editedOptions(
  overlay: Overlay | undefined,
  edits: readonly { readonly key: OptionKey; readonly edit: OptionEdit }[],
): OverlayOption[] {
  const present = new Map(overlay?.options.map((option) => [optionKey(option), option]))
  return edits.map(({ key: { productCode, fieldId, code }, edit }) => {
    const option = present.get(optionKey({ productCode, fieldId, code }))
    return { ...(option ?? { productCode, fieldId, code, isEnabled: true, rrp: null }), ...edit }
  })
}

const UNCHANGED: Omit<OverlayProduct, 'code'> = {
  categoryCode: null,
  displayName: null,
  imageUrl: null,
  displayOrder: null,
  isEnabled: true,
  adjustment: null,
  minAmount: null,
  maxAmount: null,
}
