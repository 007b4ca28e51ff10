import type { OperatorRole } from '../../accounts/types.ts'

/** What may be shown of a token after its creation: never the token. */
export type OperatorToken = {
  readonly id: bigint
  readonly label: string
  readonly role: OperatorRole
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly lastUsedAt: Date | null
  readonly revokedAt: Date | null
}
