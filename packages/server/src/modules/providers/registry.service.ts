import type { Provider } from './types.ts'

/** Who fulfils what. */
export type Providers = {
  /** Who takes new orders for a product; undefined: nobody does. */
  forProduct(productCode: string): Provider | undefined
  /** The one that a payment names, whoever takes new orders now. */
  byCode(code: string): Provider | undefined
}

/** One provider for everything. */
export function createProviders(provider: Provider | undefined): Providers {
  return {
    forProduct: () => provider,
    byCode: (code) => (provider?.code === code ? provider : undefined),
  }
}
