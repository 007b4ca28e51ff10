import type { OptionKey } from './store.types.ts'
import type { Overlay, OverlayOption, OverlayProduct } from './types.ts'

/** What is said about a product or an option; what is left out stays as the reseller has it. */
export type ProductEdit = Partial<Omit<OverlayProduct, 'code'>>
export type OptionEdit = Partial<Pick<OverlayOption, 'isEnabled' | 'rrp'>>

export function editedProduct(overlay: Overlay | undefined, code: string, edit: ProductEdit): OverlayProduct {
  const present = overlay?.products.find((product) => product.code === code)
  return { ...(present ?? { ...UNCHANGED, code }), ...edit }
}

export function editedOption(overlay: Overlay | undefined, key: OptionKey, edit: OptionEdit): OverlayOption {
  const { productCode, fieldId, code } = key
  const present = overlay?.options.find(
    (option) => option.productCode === productCode && option.fieldId === fieldId && option.code === code,
  )
  return { ...(present ?? { productCode, fieldId, code, isEnabled: true, rrp: null }), ...edit }
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
