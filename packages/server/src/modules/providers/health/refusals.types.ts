export const REFUSAL_OUTCOMES = ['failed', 'not_acted'] as const

/** Answer by which a provider refused an order. */
export type Refusal = {
  readonly provider: string
  readonly outcome: (typeof REFUSAL_OUTCOMES)[number]
  /** The provider's own code or word; empty: it gave none. */
  readonly word: string
  readonly code: number
}

export type CountedRefusal = Omit<Refusal, 'provider'> & { readonly count: number; readonly lastAt: Date }
