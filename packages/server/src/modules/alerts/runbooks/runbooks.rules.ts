import type { AlertKind } from '../alert/types.ts'
import { PAYMENT_RUNBOOKS } from './payments.rules.ts'
import type { Runbook } from './runbooks.types.ts'
import { SERVICE_RUNBOOKS } from './service.rules.ts'
import { SUPPLIER_RUNBOOKS } from './suppliers.rules.ts'

/**
 * Runbook of every kind of alert. The compiler refuses a kind without one. `npm run monitoring` writes docs/runbooks.md
 * from it.
 */
export const RUNBOOKS: Readonly<Record<AlertKind, Runbook>> = {
  ...PAYMENT_RUNBOOKS,
  ...SUPPLIER_RUNBOOKS,
  ...SERVICE_RUNBOOKS,
}
