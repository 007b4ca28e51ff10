import type { Environment } from '../../../config.ts'
import type { Database } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import type { Amount } from '../../../lib/money.ts'
import type { LivePlans } from '../../../lib/numbers/plans.ts'
import type { Approvals } from '../../approvals/types.ts'
import type { AuditLog } from '../../audit/types.ts'
import type { Cases } from '../../cases/service.ts'
import type { DeliveryLog } from '../../events/log/log.service.ts'

/** Limits of what one operator may decide about without a second person, in cost of payments. */
export type AloneLimits = {
  /** Limit of one payment. */
  readonly each: Amount
  /** Limit of the sum over 24 hours; it holds for the operator's sum and for the reseller's. */
  readonly day: Amount
  /** Limit of the sum over 7 days; it holds for both as well. */
  readonly week: Amount
}

/** Dependencies of the operations on money, payments and deliveries. */
export type MoneyContext = {
  readonly database: Database
  readonly vault: Vault
  readonly environment: Environment
  readonly log: AuditLog
  readonly approvals: Approvals
  readonly cases: Pick<Cases, 'listOfPayment'>
  readonly deliveryLog: DeliveryLog
  /** Limits up to which one operator alone may resolve or void payments. */
  readonly aloneLimits: AloneLimits
  readonly nowMs: () => number
  /** Plans by which numbers are read. */
  readonly numbers: LivePlans
  /** Called after a commit that changed an account. */
  readonly onCommitted: () => void
  readonly onProblem: (text: string, error: unknown) => void
}
