import type { Environment } from '../../../config.ts'
import type { Database } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import type { Amount } from '../../../lib/money.ts'
import type { Approvals } from '../../approvals/types.ts'
import type { AuditLog } from '../../audit/types.ts'
import type { Cases } from '../../cases/service.ts'
import type { DeliveryLog } from '../../events/log/log.service.ts'

/** What the desks that look after money, payments and deliveries stand on. */
export type MoneyContext = {
  readonly database: Database
  readonly vault: Vault
  readonly environment: Environment
  readonly log: AuditLog
  readonly approvals: Approvals
  readonly cases: Pick<Cases, 'listOfPayment'>
  readonly deliveryLog: DeliveryLog
  /** Payments up to this cost are resolved, and voided, by one operator alone. */
  readonly resolveAloneMax: Amount
  readonly nowMs: () => number
  /** Something happened to an account. */
  readonly onCommitted: () => void
  readonly onProblem: (text: string, error: unknown) => void
}
