import { readWithin } from '../../../db/bounded.ts'
import type { Database } from '../../../db/database.ts'
import type { DayRange } from '../../../lib/dates.ts'
import { statusOf } from '../read/history.rules.ts'
import { sumSales } from './sales.sql.ts'
import type { ProductSales } from './sales.types.ts'

/** Limit of the statement: it holds a connection that payments need. */
const TIMEOUT_MS = 8_000

/** Sums the payments of all resellers; days without payments are left out. */
export async function listSales(database: Database, days: DayRange): Promise<ProductSales[]> {
  const rows = await readWithin(database, TIMEOUT_MS, (tx) => sumSales(tx, days))
  return rows.map((row) => ({
    day: row.day,
    productCode: row.product_code,
    status: statusOf(row.code),
    payments: row.payments,
    faceValue: row.face_value,
    charged: row.cost,
    told: {
      payments: row.told_payments,
      faceValue: row.told_face_value,
      charged: row.told_charged,
      supplierCost: row.told_cost,
    },
  }))
}
