import type { TabStorage } from '../sale.ts'

/** Name of the basket in the storage of the tab. */
export const BASKET_STORED_AS = 'warung.basket'

/** Removes a basket that was not paid; without the basket's code, because every page signs out. */
export function forgetBasket(storage: TabStorage): void {
  if (storage.getItem(BASKET_STORED_AS)?.includes('"isPaid":true') === true) return
  storage.removeItem(BASKET_STORED_AS)
}
