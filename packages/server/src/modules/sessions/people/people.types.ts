import type { OperatorRole, UserRole } from '../../accounts/types.ts'

export const PERSON_KINDS = ['operator', 'member'] as const
/** Operators sign in to the back office, members of a reseller to the portal. */
export type PersonKind = (typeof PERSON_KINDS)[number]

export type PersonKey = {
  readonly kind: PersonKind
  /** 0: an operator, who belongs to no reseller. */
  readonly resellerId: bigint
  readonly id: bigint
}

export type Person = PersonKey & {
  /** Name that they sign in with: the address of an operator, the user name of a member. */
  readonly login: string
  readonly email: string
  readonly name: string
  readonly role: OperatorRole | UserRole
  /** Account of the reseller; empty for operators. */
  readonly account: string
  readonly resellerName: string
}

/** A person at the moment a password is checked. */
export type Credentials = Person & {
  readonly isActive: boolean
  readonly isDemo: boolean
  readonly passwordHash: string
  /** Changes with the password, and has no other meaning. */
  readonly passwordVersion: string
}

/** Shared till of a session, as far as the session depends on it. */
export type SessionTill = {
  readonly id: bigint
  readonly name: string
  /** Seconds without a key or a touch after which the page locks the till. */
  readonly idleSeconds: number
}

export type Session = {
  readonly id: bigint
  readonly address: string
  readonly userAgent: string
  /** Passkey that opened the session, or was registered in it. null: a password opened it. */
  readonly passkeyId: bigint | null
  readonly isByPin: boolean
  readonly createdAt: Date
  readonly lastSeenAt: Date
  readonly expiresAt: Date
}
