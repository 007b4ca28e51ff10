import type { Tx } from '../db/database.ts'
import { countVoidsAt } from '../modules/cases/operators.service.ts'
import { countUnfinishedPayments } from '../modules/payments/fulfil/work.sql.ts'

/** Counts what only this supplier can decide: payments that are not final, and voids. */
export async function countUnfinished(tx: Tx, provider: string): Promise<number> {
  return (await countUnfinishedPayments(tx, provider)) + (await countVoidsAt(tx, provider))
}
