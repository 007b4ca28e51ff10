import type { Queryable } from '../../../db/database.ts'
import { forgetSecrets } from './retention.sql.ts'

/** Days after its final state in which an order still shows the accounts of its lines. Events are kept as long. */
const SECRETS_KEPT_DAYS = 30
const SWEEP_STEP = 500

/** Forgets what customers typed into orders that ended long ago, in small steps. */
export async function forgetOldInputs(database: Queryable): Promise<void> {
  while ((await forgetSecrets(database, SECRETS_KEPT_DAYS, SWEEP_STEP)) === SWEEP_STEP) {
    // Each step is a transaction of its own: nothing waits for the whole sweep.
  }
}
