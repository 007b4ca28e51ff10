import type { Queryable } from '../../../db/database.ts'
import type { SuccessQuery } from './successes.sql.ts'
import { findLastSuccessRow } from './successes.sql.ts'

export type Success = { readonly productCode: string; readonly createdAt: Date }

/** Finds the reseller's latest successful payment of one of the products to a canonical account. */
export async function findLastSuccess(
  connection: Queryable,
  query: SuccessQuery,
  nowMs: number,
): Promise<Success | undefined> {
  const row = await findLastSuccessRow(connection, query, nowMs)
  return row && { productCode: row.product_code, createdAt: row.created_at }
}
