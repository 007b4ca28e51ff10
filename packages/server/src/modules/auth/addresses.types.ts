export type AddressBlock = {
  /** IPv4 address or IPv6 /64, as `networkOf` writes it. This holds for all types here. */
  readonly address: string
  readonly blockedAt: Date
  readonly blockedUntil: Date
  readonly requests: bigint
}

/** Present window of an address, as the database has it. */
export type SharedCount = {
  readonly address: string
  readonly requests: number
  /** Time since the window began, by the database's clock. */
  readonly windowAgeMs: number
}

export type ActiveBlock = { readonly address: string; readonly remainingMs: number }
