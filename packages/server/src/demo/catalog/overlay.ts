import { picturePath } from '../../modules/catalog/model/pictures.rules.ts'
import type { OverlayChange } from '../../modules/catalog/model/store.types.ts'
import type { OverlayProduct } from '../../modules/catalog/model/types.ts'
import { rate, ringgit } from './make.ts'

/** Overlay of the demo's second reseller, with one example of each thing that a reseller can change. */
export const DEMO_OVERLAY: Required<Omit<OverlayChange, 'removed'>> = {
  groups: [
    {
      code: 'BORNEO_PICKS',
      isOwn: true,
      name: 'Borneo picks',
      iconUrl: picturePath('groups', 'BORNEO_PICKS'),
      displayOrder: 0,
    },
    { code: 'EWALLETS', isOwn: false, name: 'Dompet digital', iconUrl: null, displayOrder: 2 },
  ],
  categories: [
    {
      code: 'BORNEO_RELOAD',
      isOwn: true,
      groupCode: 'BORNEO_PICKS',
      name: 'Reload in Sabah and Sarawak',
      iconUrl: null,
      displayOrder: 1,
    },
  ],
  products: [
    changed('RIMBA', {
      categoryCode: 'BORNEO_RELOAD',
      displayName: 'Rimba Sabah & Sarawak',
      displayOrder: 1,
      minAmount: ringgit('10'),
      maxAmount: ringgit('200'),
    }),
    changed('BAYU', { categoryCode: 'BORNEO_RELOAD', displayOrder: 2 }),
    changed('SELAT', { adjustment: { type: 'fixed', value: ringgit('0.50') } }),
    changed('ZAMRUD', { adjustment: { type: 'percentage', value: rate('1.02') } }),
    // This price is below cost: the loss risk is shown, and the reseller may take it.
    changed('LANGIT', { adjustment: { type: 'percentage', value: rate('0.95') } }),
    changed('KOPIKU', { isEnabled: false }),
  ],
  options: [
    { productCode: 'BAYU', fieldId: 'amount', code: 'BAYU15', isEnabled: false, rrp: null },
    { productCode: 'BAYUD', fieldId: 'plan', code: 'BD45', isEnabled: true, rrp: ringgit('46.90') },
  ],
}

function changed(code: string, change: Partial<Omit<OverlayProduct, 'code'>>): OverlayProduct {
  return {
    code,
    categoryCode: null,
    displayName: null,
    imageUrl: null,
    displayOrder: null,
    isEnabled: true,
    adjustment: null,
    minAmount: null,
    maxAmount: null,
    ...change,
  }
}
