import type { Tx } from '../../db/database.ts'

// Statements that other modules call as they are.

/**
 * Ends every refresh token of a user, in the transaction that has the reason. A change of password is safe without this
 * call, because a token is bound to the password it was issued for; the call only makes the end visible in the rows.
 */
export async function revokeUserTokens(tx: Tx, resellerId: bigint, userId: bigint): Promise<number> {
  const { rowCount } = await tx.query(
    `update refresh_tokens set revoked_at = statement_timestamp()
     where reseller_id = $1 and user_id = $2 and revoked_at is null`,
    [resellerId, userId],
  )
  return rowCount
}
