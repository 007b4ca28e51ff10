import type { OperatorRole } from '../../accounts/types.ts'

/** Token as it may be shown after its creation: without the token itself. */
export type OperatorToken = {
  readonly id: bigint
  readonly label: string
  readonly role: OperatorRole
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly lastUsedAt: Date | null
  readonly revokedAt: Date | null
}
