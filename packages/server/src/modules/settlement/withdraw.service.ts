import type { Database } from '../../db/database.ts'
import { readFields, text } from '../../lib/fields.ts'
import { aloneWith, compareSettlement, noSuchFile, withdrawn } from './compare.service.ts'
import { findFile, listTouching, withdrawFile } from './sql.ts'
import type { SettlementFile } from './types.ts'

const RULES = { reason: text(1, 500) }

/**
 * A file that should not have been imported counts for nothing from now on, and may be imported again. What it hid or
 * showed in other files is compared again. Payments that it ended stay as they are.
 */
export async function withdrawSettlement(
  database: Database,
  fileId: bigint,
  input: { reason: string },
): Promise<SettlementFile> {
  const { reason } = readFields(RULES, input)
  const file = await findFile(database, fileId)
  if (file === undefined) throw noSuchFile()
  await aloneWith(database, fileId, async (connection) => {
    if (!(await withdrawFile(connection, fileId, reason))) throw withdrawn()
  })
  for (const touched of await listTouching(database, fileId)) await compareSettlement(database, touched)
  return (await findFile(database, fileId)) ?? file
}
