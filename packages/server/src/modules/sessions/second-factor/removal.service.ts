import type { Tx } from '../../../db/database.ts'
import type { PersonKey } from '../people/people.types.ts'
import { endSessions } from '../people/sql.ts'
import { deleteFactor } from './totp.sql.ts'

/**
 * Removes the second factor of a person who lost both app and codes, and ends their sessions. The caller of this
 * function writes the log. False: there was no second factor.
 */
export async function removeSecondFactor(tx: Tx, key: PersonKey): Promise<boolean> {
  if (!(await deleteFactor(tx, key))) return false
  await endSessions(tx, key, {})
  return true
}
