import type { Tx } from '../../../db/database.ts'
import type { PersonKey } from '../people/people.types.ts'
import { endSessions } from '../people/sql.ts'
import { deletePasskeys } from './passkeys.sql.ts'
import { deleteFactor } from './totp.sql.ts'

/**
 * Removes the second factor and the passkeys of a person who lost their devices, and ends their sessions. The caller of this
 * function writes the log. False: there was no second factor.
 */
export async function removeSecondFactor(tx: Tx, key: PersonKey): Promise<boolean> {
  const hadCodes = await deleteFactor(tx, key)
  const passkeys = await deletePasskeys(tx, key, null)
  if (!hadCodes && passkeys === 0) return false
  await endSessions(tx, key, {})
  return true
}
