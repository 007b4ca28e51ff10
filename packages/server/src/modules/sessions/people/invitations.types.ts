import type { UserRole } from '../../accounts/types.ts'

export type InvitationState = 'open' | 'accepted' | 'revoked' | 'expired'

export type Invitation = {
  readonly id: bigint
  readonly email: string
  readonly role: UserRole
  readonly state: InvitationState
  readonly createdAt: Date
  readonly expiresAt: Date
}
