import type { Config } from '../../../config.ts'
import type { Database } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import type { AuditLog } from '../../audit/types.ts'

/** Where the service is reached and who may sign in how, as far as sessions depend on it. */
export type SessionSettings = Pick<
  Config,
  'environment' | 'publicUrl' | 'dashboardUrl' | 'operatorSecondFactor'
>

/** What sessions and everything around them stand on. */
export type SessionsOptions = {
  readonly database: Database
  readonly vault: Vault
  readonly audit: AuditLog
  readonly config: SessionSettings
  readonly nowMs: () => number
  readonly onProblem: (text: string, error: unknown) => void
}
