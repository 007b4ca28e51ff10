import type { Queryable, Tx } from '../../../db/database.ts'
import type { By } from '../../acts/types.ts'
import type { CountUnfinished } from './connections.service.ts'
import { readPreparedAlone, writePreparedAlone } from './connections.sql.ts'
import type { Connection } from './connections.types.ts'

/**
 * Tells whether the caller may change a connection without a second person. One operator alone prepares a connection
 * that takes no orders and has none; a second one decides when it is enabled.
 */
export async function mayChangeAlone(
  tx: Tx,
  { code, isEnabled }: Pick<Connection, 'code' | 'isEnabled'>,
  { consent, world }: By<{ readonly countUnfinished: CountUnfinished }>,
): Promise<boolean> {
  if (consent.kind !== 'alone') return true
  return !isEnabled && (await world.countUnfinished(tx, code)) === 0
}

/** Notes that a connection was changed by one operator alone. */
export async function noteChange(
  tx: Tx,
  code: string,
  { consent }: Pick<By<unknown>, 'consent'>,
): Promise<void> {
  if (consent.kind === 'alone') await writePreparedAlone(tx, code, true)
}

/** Tells whether one person alone added or changed a connection since it last took orders. */
export function isPreparedAlone(connection: Queryable, code: string): Promise<boolean> {
  return readPreparedAlone(connection, code)
}

/** Notes that a second person, or one at the machine, has seen a connection as it is. */
export function endPreparation(tx: Tx, code: string): Promise<void> {
  return writePreparedAlone(tx, code, false)
}
