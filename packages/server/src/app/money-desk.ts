import type { Config } from '../config.ts'
import type { Operation } from '../http/operation.ts'
import { UNITS_PER_RINGGIT } from '../lib/money.ts'
import { operatorAlertOperations } from '../modules/operator/alerts.routes.ts'
import { operatorApprovalOperations } from '../modules/operator/approvals.routes.ts'
import { createMoneyDesk } from '../modules/operator/approvals.service.ts'
import { operatorAuditOperations } from '../modules/operator/audit.routes.ts'
import { operatorBlockOperations } from '../modules/operator/blocks.routes.ts'
import { operatorCaseOperations } from '../modules/operator/cases.routes.ts'
import { operatorDeliveryOperations } from '../modules/operator/deliveries.routes.ts'
import { operatorLedgerOperations } from '../modules/operator/ledger.routes.ts'
import { operatorMoneyOperations } from '../modules/operator/money.routes.ts'
import { operatorPaymentOperations } from '../modules/operator/payments.routes.ts'
import type { Services } from './services.ts'

/** What the back office does with money, payments and what becomes of them. */
export function moneyDeskOperations(config: Config, services: Services): Operation[] {
  const { authenticateOperator, audit, clock, facts } = services
  const desk = createMoneyDesk({
    database: audit.database,
    vault: audit.vault,
    environment: config.environment,
    log: audit,
    resolveAloneMax: BigInt(config.resolveAloneMax) * UNITS_PER_RINGGIT,
    nowMs: () => clock.nowMs(),
    onCommitted: facts.fire,
    onProblem: services.onProblem,
  })
  return [
    operatorMoneyOperations,
    operatorApprovalOperations,
    operatorPaymentOperations,
    operatorCaseOperations,
    operatorDeliveryOperations,
    operatorBlockOperations,
    operatorAlertOperations,
    operatorLedgerOperations,
    operatorAuditOperations,
  ].flatMap((operations) => operations(authenticateOperator, desk))
}
