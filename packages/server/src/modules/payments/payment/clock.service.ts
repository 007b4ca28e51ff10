import type { Queryable } from '../../../db/database.ts'
import { RequestError } from '../../../lib/errors.ts'
import { advanceClock, findClock } from './sql.ts'

/**
 * Staging's clocks, one for each account: advancing one brings the account's due times and questions nearer.
 * Signatures, leases and the ledger know nothing of it.
 */
export type TestClocks = {
  /** Seconds that the account's clock was moved forward in all. */
  find(resellerId: bigint): Promise<number>
  advance(resellerId: bigint, seconds: number): Promise<number>
}

export function createTestClocks(connection: Queryable): TestClocks {
  return {
    find: async (resellerId) => Number(await findClock(connection, resellerId)),
    advance: async (resellerId, seconds) => Number(await advanceClock(connection, resellerId, seconds)),
  }
}

/** For callers that reach it in every environment; the API leaves the operations out instead. */
export function refuseInProduction(environment: 'staging' | 'production'): void {
  if (environment !== 'production') return
  throw new RequestError({
    status: 404,
    code: 'staging_only',
    publicText: 'Production has no test clock: there, time only passes.',
  })
}
