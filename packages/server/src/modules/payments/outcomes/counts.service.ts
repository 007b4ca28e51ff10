import type { Catalog } from '../../catalog/model/store.types.ts'
import type { BaseCatalog } from '../../catalog/model/types.ts'
import type { Providers } from '../../providers/registry.service.ts'
import type { ResolveCommand } from './resolve.service.ts'

export type PaymentCount = {
  readonly outcome: 'succeeded' | 'failed' | 'voided'
  readonly kind: string
  readonly supplier: string
  readonly count: number
}

export type PaymentCounts = {
  /** Counts the payment that this command moved. */
  take(command: ResolveCommand): void
  list(): Iterable<PaymentCount>
}

/** Label for a product or supplier that was removed meanwhile, so that labels name only what exists. */
const UNKNOWN = 'unknown'

/** Counts payments that ended, by outcome, kind of product and supplier: in memory, since the start. */
export function createPaymentCounts(settings: {
  readonly catalog: Pick<Catalog, 'base'>
  readonly providers: Pick<Providers, 'byCode'>
}): PaymentCounts {
  const { catalog, providers } = settings
  const counts = new Map<string, { -readonly [Name in keyof PaymentCount]: PaymentCount[Name] }>()
  let known: { base: BaseCatalog; kinds: ReadonlyMap<string, string> } | undefined

  function kindOf(product: string): string {
    const base = catalog.base()
    if (known?.base !== base) {
      known = { base, kinds: new Map(base.products.map(({ code, kind }) => [code, kind])) }
    }
    return known.kinds.get(product) ?? UNKNOWN
  }

  return {
    take({ outcome: { kind: outcome }, about }) {
      if (outcome === 'pending' || outcome === 'unknown') return
      const kind = about === undefined ? UNKNOWN : kindOf(about.product)
      const supplier = about === undefined ? undefined : providers.byCode(about.provider)?.code
      const key = `${outcome} ${kind} ${supplier}`
      const counted = counts.get(key)
      if (counted === undefined) counts.set(key, { outcome, kind, supplier: supplier ?? UNKNOWN, count: 1 })
      else counted.count += 1
    },
    list: () => counts.values(),
  }
}
