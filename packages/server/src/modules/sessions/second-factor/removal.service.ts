import type { Tx } from '../../../db/database.ts'
import type { PersonKey } from '../people/people.types.ts'
import { endSessions } from '../people/sql.ts'
import { deleteFactor } from './totp.sql.ts'

/**
 * For somebody who lost app and codes: whoever looks after them calls it, and writes it down. Who is signed in signs in
 * again. False: there was none.
 */
export async function removeSecondFactor(tx: Tx, key: PersonKey): Promise<boolean> {
  if (!(await deleteFactor(tx, key))) return false
  await endSessions(tx, key, {})
  return true
}
