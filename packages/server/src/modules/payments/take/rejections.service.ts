import type { Queryable } from '../../../db/database.ts'
import { NONCE_SKEW_MAX_SECONDS } from '../../auth/service.ts'
import { findRejectedAt, sweepRejections } from './rejections.sql.ts'

/**
 * Seconds that a rejection is kept. A signature is valid for 5 minutes on either side of its time: no request older
 * than the rejection can arrive after this.
 */
const REJECTIONS_KEPT_SECONDS = 2 * NONCE_SKEW_MAX_SECONDS + 60
const SWEEP_STEP = 5_000

/** Deletes rejections that no request can be older than, in small steps. */
export async function forgetRejections(database: Queryable): Promise<void> {
  while ((await sweepRejections(database, SWEEP_STEP, REJECTIONS_KEPT_SECONDS)) === SWEEP_STEP) {
    // Each step is a transaction of its own: nothing waits for the whole sweep.
  }
}

/** Finds when a refid was rejected, while the rejection is remembered; undefined: it was not. */
export function findRejection(
  database: Queryable,
  resellerId: bigint,
  refid: string,
): Promise<Date | undefined> {
  return findRejectedAt(database, resellerId, refid)
}
