import { createAuditLog } from '../modules/audit/service.ts'
import type { AuditLog } from '../modules/audit/types.ts'
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
