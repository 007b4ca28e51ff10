import { createAuditLog } from '../modules/audit/service.ts'
import { createOperatorApprovals } from '../modules/operator/approvals/service.ts'
import type { AccountsContext } from '../modules/operator/resellers/resellers.service.ts'
import type { TestDatabase } from './database.ts'
import { sessionsOf } from './sessions.ts'

/** Dependencies of the back office's operations on accounts. */
export function contextOf(test: Pick<TestDatabase, 'database' | 'vault'>): AccountsContext {
  const { database, vault } = test
  const log = createAuditLog({ database, vault })
  const sessions = sessionsOf(test, log)
  const approvals = createOperatorApprovals({ log, priceChangeMaxPercent: 20, sessions })
  return { database, accounts: { database, vault, environment: 'staging' }, log, sessions, approvals }
}
