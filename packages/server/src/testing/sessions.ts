import { createAuditLog } from '../modules/audit/service.ts'
import type { AuditLog } from '../modules/audit/types.ts'
import { withActProof } from '../modules/sessions/people/acts.service.ts'
import type { SignedInCaller } from '../modules/sessions/people/proof.service.ts'
import type { SessionsOptions } from '../modules/sessions/people/settings.types.ts'
import type { TestDatabase } from './database.ts'

/** Sessions of a service in staging with a dashboard. */
export function sessionsOf(
  test: Pick<TestDatabase, 'database' | 'vault'>,
  audit: AuditLog = createAuditLog(test),
): SessionsOptions {
  const { database, vault } = test
  const config = {
    environment: 'staging',
    publicUrl: 'https://api.example.com',
    dashboardUrl: 'https://dashboard.example.com',
    operatorSecondFactor: 'optional',
    issuer: 'Kedai Digital',
  } as const
  return { database, vault, audit, config, nowMs: Date.now, onProblem: () => {} }
}

/** Returns the caller as the gate passes it on when the password comes with the request. */
export function proven<C extends SignedInCaller>(
  options: SessionsOptions,
  caller: C,
  password: string,
): Promise<C> {
  return withActProof(options, caller, { password, isRequired: true })
}
