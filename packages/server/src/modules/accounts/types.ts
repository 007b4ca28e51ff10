import type { HmacKey } from '../../lib/secrets/hmac.ts'

export const SCOPES = ['read', 'pay', 'support', 'configure'] as const
/** read: every GET. pay: payments. support: disputes and voids. configure: callback, webhooks, thresholds. */
export type Scope = (typeof SCOPES)[number]

export const USER_ROLES = ['admin', 'viewer'] as const
export type UserRole = (typeof USER_ROLES)[number]

export const OPERATOR_ROLES = ['admin', 'finance', 'support', 'catalogue', 'read_only'] as const
export type OperatorRole = (typeof OPERATOR_ROLES)[number]

export type ResellerStatus = 'active' | 'suspended'

/** 0: may pay. 50: read only. */
export type Access = 0 | 50

export type Reseller = {
  readonly id: bigint
  readonly account: string
  readonly name: string
  readonly email: string
  readonly priceLevel: string
  readonly access: Access
  readonly status: ResellerStatus
  readonly topupRequiresApiKey: boolean
  /** Made by the demo seed; production lets nobody in through it. */
  readonly demo: boolean
  readonly createdAt: Date
  readonly updatedAt: Date
}

export type LoginStatus = 'active' | 'disabled'

export type User = {
  readonly id: bigint
  readonly resellerId: bigint
  readonly username: string
  readonly email: string
  readonly role: UserRole
  readonly status: LoginStatus
  readonly createdAt: Date
}

/** What a password is checked against. */
export type Login = {
  readonly resellerId: bigint
  readonly userId: bigint
  readonly status: LoginStatus
  readonly passwordHash: string
  readonly passwordChangedAt: Date
}

export type Operator = {
  readonly id: bigint
  readonly email: string
  readonly name: string
  readonly role: OperatorRole
  readonly status: LoginStatus
  readonly demo: boolean
  readonly createdAt: Date
  /** When they were made, let in again or given another role: what they could do before counts no more. */
  readonly empoweredAt: Date
  /** The operator who did that; null: it was done at the machine itself. */
  readonly empoweredBy: bigint | null
}

/** An entry of the IP allowlist: an address or a CIDR, in one spelling. */
export type AllowedNetwork = {
  readonly network: string
  readonly label: string
  readonly createdAt: Date
}

export type ApiKeyState = 'active' | 'in_grace' | 'expired' | 'revoked'

/** What may be shown of a key after its creation: never the secret. */
export type ApiKey = {
  readonly id: bigint
  readonly resellerId: bigint
  readonly key: string
  readonly label: string
  readonly scopes: readonly Scope[]
  readonly hasSecret: boolean
  readonly state: ApiKeyState
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  readonly createdAt: Date
}

/** A key at the one moment its secret is shown. */
export type NewApiKey = ApiKey & { readonly signingSecret: string | null }

// ── What the edge reads on every request, held in memory ──

export type DirectoryReseller = {
  readonly id: bigint
  readonly account: string
  readonly name: string
  readonly priceLevel: string
  readonly access: Access
  readonly status: ResellerStatus
  readonly topupRequiresApiKey: boolean
  /** True when the address may call; always true without an allowlist. */
  readonly allowsAddress: (address: string) => boolean
}

export type DirectoryKey = {
  readonly id: bigint
  readonly key: string
  readonly scopes: ReadonlySet<Scope>
  /** HMAC key, or null when the key has no signing secret. */
  readonly secret: HmacKey | null
  readonly reseller: DirectoryReseller
}

export type DirectoryUser = {
  readonly id: bigint
  readonly role: UserRole
  /** What was given out before this instant (refresh tokens) no longer counts. */
  readonly passwordChangedAt: Date
  readonly reseller: DirectoryReseller
}

/** This node's view of the accounts: complete, in memory, and never more than a few seconds old. */
export type Directory = {
  /** A key that works now: neither unknown, revoked nor past its grace. */
  findKey(key: string): DirectoryKey | undefined
  /** An active user of a reseller, by id. */
  findUser(resellerId: bigint, userId: bigint): DirectoryUser | undefined
  findReseller(id: bigint): DirectoryReseller | undefined
  /** How long ago the view was last known to equal the database, on the monotonic clock. */
  ageMs(): number
  /** Looks at the database now rather than at the next poll. */
  refresh(): Promise<void>
  close(): Promise<void>
}
