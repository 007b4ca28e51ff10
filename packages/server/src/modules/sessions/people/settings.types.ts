import type { Config } from '../../../config.ts'
import type { Database } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import type { AuditLog } from '../../audit/types.ts'

/** Settings on which sessions depend: where the service is reached, and who may sign in how. */
export type SessionSettings = Pick<
  Config,
  'environment' | 'publicUrl' | 'dashboardUrl' | 'operatorSecondFactor' | 'issuer'
>

/** Dependencies of sessions and of everything around them. */
export type SessionsOptions = {
  readonly database: Database
  readonly vault: Vault
  readonly audit: AuditLog
  readonly config: SessionSettings
  /** Address at which this process listens, for links where no public address is configured; commands have none. */
  readonly baseUrl?: () => string
  readonly nowMs: () => number
  /** Sessions of operators, where they lie in another group's database; left out: they lie here. */
  readonly operators?: SessionsOptions | undefined
  readonly onProblem: (text: string, error: unknown) => void
}
