import { lazyPage } from '../../shell/router.tsx'

/** Form and till of a product, which are loaded when a sale begins: the field for the number comes without them. */
export const LazySale = lazyPage(async () => ({ Page: (await import('./product-sale.tsx')).ProductSale }))

/** End of a basket with its receipt, which is loaded once there is a basket. */
export const LazyBasketEnd = lazyPage(async () => ({ Page: (await import('./basket/end.tsx')).BasketEnd }))

/** Camera that reads the code of a bill, and the sale of that bill. */
export const LazyScanDialog = lazyPage(async () => ({ Page: (await import('./scan/scan.tsx')).ScanDialog }))
export const LazyScannedSale = lazyPage(async () => ({
  Page: (await import('./scan/scanned-sale.tsx')).ScannedSale,
}))
