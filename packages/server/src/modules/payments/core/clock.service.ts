import type { Queryable } from '../../../db/database.ts'
import { RequestError } from '../../../lib/errors.ts'
import { advanceClock, findClock } from './sql.ts'

/**
 * Test clocks of staging, one per account. Advancing a clock brings the account's due times and questions nearer.
 * Signatures, leases and the ledger do not use it.
 */
export type TestClocks = {
  /** Seconds by which the account's clock was moved forward in total. */
  find(resellerId: bigint): Promise<number>
  advance(resellerId: bigint, seconds: number): Promise<number>
}

export function createTestClocks(connection: Queryable): TestClocks {
  return {
    find: async (resellerId) => Number(await findClock(connection, resellerId)),
    advance: async (resellerId, seconds) => Number(await advanceClock(connection, resellerId, seconds)),
  }
}

/** Refuses in production, for callers that exist in every environment. The API leaves its operations out instead. */
export function refuseInProduction(environment: 'staging' | 'production'): void {
  if (environment !== 'production') return
  throw new RequestError({
    status: 404,
    code: 'staging_only',
    publicText: 'Production has no test clock.',
  })
}
