import type { Queryable } from '../../../db/database.ts'
import type { EntryKey } from './entries.sql.ts'
import { listRemarks } from './entries.sql.ts'

/** Reads the remarks of entries of many wallets, in the order of the keys; undefined if there is no such entry. */
export async function readRemarks(
  connection: Queryable,
  keys: readonly EntryKey[],
): Promise<(string | undefined)[]> {
  if (keys.length === 0) return []
  const rows = await listRemarks(connection, keys)
  const found = new Map(rows.map((row) => [`${row.reseller_id} ${row.sequence}`, row.remarks]))
  return keys.map(({ resellerId, sequence }) => found.get(`${resellerId} ${sequence}`))
}
