import type { Environment } from '../../../config.ts'
import type { Database } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import type { Amount } from '../../../lib/money.ts'
import type { Approvals } from '../../approvals/types.ts'
import type { AuditLog } from '../../audit/types.ts'
import type { Cases } from '../../cases/service.ts'
import type { DeliveryLog } from '../../events/log/log.service.ts'

/** Dependencies of the operations on money, payments and deliveries. */
export type MoneyContext = {
  readonly database: Database
  readonly vault: Vault
  readonly environment: Environment
  readonly log: AuditLog
  readonly approvals: Approvals
  readonly cases: Pick<Cases, 'listOfPayment'>
  readonly deliveryLog: DeliveryLog
  /** Limit of the cost up to which one operator alone may resolve or void a payment. */
  readonly resolveAloneMax: Amount
  readonly nowMs: () => number
  /** Called after a commit that changed an account. */
  readonly onCommitted: () => void
  readonly onProblem: (text: string, error: unknown) => void
}
