import type { FulfilmentOf } from './types.ts'

type SoldProducts = {
  readonly products: readonly { readonly code: string; readonly processingTime: string }[]
}

/** Tells the simulator how a product is fulfilled, from its processing time in the catalogue. */
export function fulfilmentOf(catalog: { base(): SoldProducts }): FulfilmentOf {
  let known: { base: SoldProducts; times: ReadonlyMap<string, string> } | undefined
  return (productCode) => {
    const base = catalog.base()
    if (known?.base !== base) {
      known = { base, times: new Map(base.products.map((each) => [each.code, each.processingTime])) }
    }
    const time = known.times.get(productCode)
    return time === 'pin' || time === 'link' ? time : 'plain'
  }
}
