import type { Amount } from '../../lib/money.ts'
import type { HmacKey } from '../../lib/secrets/hmac.ts'

export const SCOPES = ['read', 'pay', 'support', 'configure'] as const
/** read: every GET. pay: payments. support: disputes and voids. configure: callback, webhooks, thresholds. */
export type Scope = (typeof SCOPES)[number]

/** admin: the owner of the shop. */
export const USER_ROLES = ['admin', 'manager', 'cashier', 'accountant', 'viewer'] as const
export type UserRole = (typeof USER_ROLES)[number]

export const OPERATOR_ROLES = ['admin', 'finance', 'support', 'catalogue', 'read_only'] as const
export type OperatorRole = (typeof OPERATOR_ROLES)[number]

export const RESELLER_STATUSES = ['active', 'suspended'] as const
export type ResellerStatus = (typeof RESELLER_STATUSES)[number]

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
  /** Seconds in which the same payment again is refused; 0: it is not. */
  readonly duplicateWindowSeconds: number
  /** True for resellers of the demo seed; production accepts none of their keys and users. */
  readonly demo: boolean
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const LOGIN_STATUSES = ['active', 'disabled'] as const
export type LoginStatus = (typeof LOGIN_STATUSES)[number]

export type User = {
  readonly id: bigint
  readonly resellerId: bigint
  readonly username: string
  readonly email: string
  readonly role: UserRole
  readonly status: LoginStatus
  readonly createdAt: Date
}

/** Data that a password is checked against. */
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
  /** Time of creation, re-activation, another role or a vouch. Rights from before it no longer count. */
  readonly empoweredAt: Date
  /** Operator who did that; null when it was done at the machine itself or a second person vouched. */
  readonly empoweredBy: bigint | null
}

/** An entry of the IP allowlist: an address or a CIDR, in one spelling. */
export type AllowedNetwork = {
  readonly network: string
  readonly label: string
  readonly createdAt: Date
}

export const API_KEY_STATES = ['active', 'in_grace', 'expired', 'revoked'] as const
export type ApiKeyState = (typeof API_KEY_STATES)[number]

/** Bounds of a key beside its scopes, all inside those of its reseller. null: no bound of its own. */
export type KeyPurpose = {
  readonly scopes: readonly Scope[]
  /** Codes of products, categories and groups of the base catalogue. */
  readonly products: readonly string[] | null
  /** Cost of one payment; sums of the cost of a day and of a month, by GMT+8. */
  readonly maxAmount: Amount | null
  readonly dailyCap: Amount | null
  readonly monthlyCap: Amount | null
  /** End that was given to it, apart from that of a rotation. */
  readonly endsAt: Date | null
  /** Addresses and CIDRs in one spelling each. */
  readonly networks: readonly string[] | null
  readonly note: string
}

/** Data of a key that may be shown after its creation; never the secret. */
export type ApiKey = KeyPurpose & {
  readonly id: bigint
  readonly resellerId: bigint
  /** Stays the same when the key is rotated: the sums of its caps hang on it. */
  readonly purposeId: bigint
  readonly key: string
  readonly label: string
  readonly hasSecret: boolean
  readonly state: ApiKeyState
  /** Its end, or that of its grace, whichever comes first. */
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  readonly createdAt: Date
  /** Time of the last proven request with it, to about a minute; null: there was none. */
  readonly lastUsedAt: Date | null
}

/** A new key with its secret, which is shown only once. */
export type NewApiKey = ApiKey & { readonly signingSecret: string | null }

// ── The directory: read on every request, held in memory ──

export type DirectoryReseller = {
  readonly id: bigint
  readonly account: string
  readonly name: string
  readonly priceLevel: string
  readonly access: Access
  readonly status: ResellerStatus
  readonly topupRequiresApiKey: boolean
  /** Seconds in which the same payment again is refused; 0: it is not. */
  readonly duplicateWindowSeconds: number
  /** True when the address may call; always true without an allowlist. */
  readonly allowsAddress: (address: string) => boolean
}

/** Caps of what a key spends, in cost; null: none of this kind. */
export type KeyCaps = {
  readonly purposeId: bigint
  readonly maxAmount: Amount | null
  readonly dailyCap: Amount | null
  readonly monthlyCap: Amount | null
}

/** Sums of what the keys of one purpose have spent; null: nobody counts them, or not all are counted yet. */
export type KeySums = {
  readonly today: Amount | null
  readonly thisMonth: Amount | null
  /** End of the day. */
  readonly resetsAt: Date
}

/** A key with what the keys of its purpose have spent. */
export type CountedKey = ApiKey & { readonly sums: KeySums }

export type CountedKeys = {
  get(resellerId: bigint, keyId: bigint): Promise<CountedKey>
  /** Lists the newest first, ended keys included. */
  list(resellerId: bigint): Promise<CountedKey[]>
}

export type DirectoryKey = {
  readonly id: bigint
  readonly key: string
  readonly purposeId: bigint
  readonly scopes: ReadonlySet<Scope>
  /** Codes of products, categories and groups that it may sell; undefined: all. */
  readonly products: ReadonlySet<string> | undefined
  /** undefined: it has no cap. */
  readonly caps: KeyCaps | undefined
  /** True when the address may use the key, as far as the key itself says. */
  readonly allowsAddress: (address: string) => boolean
  /** HMAC key, or null when the key has no signing secret. */
  readonly secret: HmacKey | null
  readonly reseller: DirectoryReseller
}

export type DirectoryUser = {
  readonly id: bigint
  readonly role: UserRole
  /** Refresh tokens given out before this instant are no longer valid. */
  readonly passwordChangedAt: Date
  readonly reseller: DirectoryReseller
}

/** This node's view of the accounts: complete, in memory, and never more than a few seconds old. */
export type Directory = {
  /** Finds a key that works now; undefined when it is unknown, revoked or past its grace. */
  findKey(key: string): DirectoryKey | undefined
  /** Finds an active user of a reseller by id. */
  findUser(resellerId: bigint, userId: bigint): DirectoryUser | undefined
  findReseller(id: bigint): DirectoryReseller | undefined
  /** Milliseconds on the monotonic clock since the view was last known to equal the database. */
  ageMs(): number
  /** Reads the database now instead of at the next poll. */
  refresh(): Promise<void>
  close(): Promise<void>
}
