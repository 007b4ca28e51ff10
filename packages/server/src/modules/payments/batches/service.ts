import { readWithin } from '../../../db/bounded.ts'
import type { Database } from '../../../db/database.ts'
import { findBatchOwner, listBatchLineRows, listBatchRows } from './sql.ts'
import type { Batch, BatchLine } from './types.ts'

const TIMEOUT_MS = 8_000

/** Lists a reseller's batches, newest first. They are bounded: see `BATCHES_MAX`. */
export function listBatches(database: Pick<Database, 'transaction'>, resellerId: bigint): Promise<Batch[]> {
  return readWithin(database, TIMEOUT_MS, (tx) => listBatchRows(tx, resellerId))
}

/** Lists lines of a batch behind a line; undefined: there is no such batch. */
export function listBatchLines(
  database: Pick<Database, 'transaction'>,
  resellerId: bigint,
  batchId: bigint,
  page: { readonly after: number; readonly limit: number },
): Promise<BatchLine[] | undefined> {
  return readWithin(database, TIMEOUT_MS, async (tx) => {
    const isKnown = (await findBatchOwner(tx, resellerId, batchId)) !== undefined
    return isKnown ? listBatchLineRows(tx, resellerId, batchId, page) : undefined
  })
}
