import type { Database } from '../../../db/database.ts'
import { findTokenRow } from './sql.ts'

/** Time for which the page of an order is still there after the final state; its token reads it as long. */
const SHOWN_SECONDS = 86_400

/** Finds the account of an order that can be shown; undefined: there is none. Tells nothing else of the order. */
export async function findOrderAccount(database: Database, code: string): Promise<bigint | undefined> {
  const row = await findTokenRow(database, code, SHOWN_SECONDS)
  return row?.is_readable === true ? row.reseller_id : undefined
}
