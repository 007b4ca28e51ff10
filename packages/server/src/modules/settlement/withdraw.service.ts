import type { Database, Queryable } from '../../db/database.ts'
import { readFields } from '../../lib/input/fields.ts'
import { REASON } from '../../lib/input/records.ts'
import { compareAffected, noSuchFile, withdrawn, withFileLock } from './compare.service.ts'
import { findFile, listAffectedFiles, withdrawFile } from './sql.ts'
import type { SettlementFile } from './types.ts'

const RULES = { reason: REASON }

/** Runs the withdrawal inside the caller's transaction, so that the caller can write in the same commit. */
export type InCommit = (work: (connection: Queryable) => Promise<void>) => Promise<void>

/**
 * Withdraws a file that should not have been imported: it no longer counts and may be imported again. Other files
 * whose differences it affected are compared again. Payments that it ended stay as they are.
 */
export async function withdrawSettlement(
  database: Database,
  fileId: bigint,
  input: { reason: string },
  inCommit?: InCommit,
): Promise<SettlementFile> {
  const { reason } = readFields(RULES, input)
  const file = await findFile(database, fileId)
  if (file === undefined) throw noSuchFile()
  await withFileLock(database, fileId, async (connection) => {
    const work = async (place: Queryable) => {
      if (!(await withdrawFile(place, fileId, reason))) throw withdrawn()
    }
    await (inCommit === undefined ? work(connection) : inCommit(work))
  })
  for (const touched of await listAffectedFiles(database, fileId)) await compareAffected(database, touched)
  return (await findFile(database, fileId)) ?? file
}
