import type { Queryable } from '../../../db/database.ts'
import type { PriceStep } from './price-history.sql.ts'
import { listPriceSteps } from './price-history.sql.ts'

/** Lists the prices and unit prices of these products before each change of the last days, newest first. */
export function listPastPrices(
  connection: Queryable,
  productCodes: readonly string[],
  window: { readonly days: number; readonly limit: number },
): Promise<PriceStep[]> {
  return listPriceSteps(connection, productCodes, window)
}
