export type AddressBlock = {
  /** An IPv4 address or an IPv6 /64, as `networkOf` spells it; so in all types here. */
  readonly address: string
  readonly blockedAt: Date
  readonly blockedUntil: Date
  readonly requests: bigint
}

/** What the database knows of an address's present window. */
export type SharedCount = {
  readonly address: string
  readonly requests: number
  /** How much of the window has passed, by the database's clock. */
  readonly windowAgeMs: number
}

export type ActiveBlock = { readonly address: string; readonly remainingMs: number }
