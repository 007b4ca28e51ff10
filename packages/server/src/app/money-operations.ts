import type { Config } from '../config.ts'
import type { Operation } from '../http/operation.ts'
import { createExports } from '../http/streams/exports.ts'
import { UNITS_PER_RINGGIT } from '../lib/money.ts'
import type { Approvals } from '../modules/approvals/types.ts'
import type { Comparisons } from '../modules/finance/compare.service.ts'
import { financeOperations } from '../modules/finance/routes.ts'
import { operatorApprovalOperations } from '../modules/operator/approvals/routes.ts'
import { operatorDepositRequestOperations } from '../modules/operator/money/deposit-requests.routes.ts'
import { operatorFinanceApi, operatorFinanceOperations } from '../modules/operator/money/finance.routes.ts'
import { operatorLedgerOperations } from '../modules/operator/money/ledger.routes.ts'
import { operatorMoneyOperations } from '../modules/operator/money/money.routes.ts'
import { operatorRateOperations } from '../modules/operator/money/rates.routes.ts'
import { operatorOverviewOperations } from '../modules/operator/overview/routes.ts'
import { operatorCaseOperations } from '../modules/operator/payments/cases.routes.ts'
import { operatorOrderOperations } from '../modules/operator/payments/orders.routes.ts'
import { operatorPaymentOperations } from '../modules/operator/payments/payments.routes.ts'
import {
  operatorAlertOperations,
  operatorBlockOperations,
} from '../modules/operator/service/alerts.routes.ts'
import { operatorAuditOperations } from '../modules/operator/service/audit.routes.ts'
import { operatorDeliveryOperations } from '../modules/operator/service/deliveries.routes.ts'
import { operatorLiveOperations } from '../modules/operator/service/live.routes.ts'
import { createOperatorLive } from '../modules/operator/service/live.service.ts'
import { readStuck } from '../modules/payments/fulfil/work.sql.ts'
import type { OperatorAuthenticator } from '../modules/sessions/people/types.ts'
import type { Services } from './services.ts'

const ringgit = (amount: number) => BigInt(amount) * UNITS_PER_RINGGIT

/** Lists the back office's operations on money, payments and their outcomes. */
export function moneyOperations(
  config: Config,
  services: Services,
  comparisons: Comparisons,
  approvals: Approvals,
): Operation[] {
  const { authenticateOperator, audit, clock, facts } = services
  const context = {
    approvals,
    database: audit.database,
    vault: audit.vault,
    environment: config.environment,
    log: audit,
    cases: services.cases,
    deliveryLog: services.deliveryLog,
    aloneLimits: {
      each: ringgit(config.resolveAlone.max),
      day: ringgit(config.resolveAlone.dayMax),
      week: ringgit(config.resolveAlone.weekMax),
    },
    nowMs: () => clock.nowMs(),
    numbers: services.numbers,
    onCommitted: facts.fire,
    onProblem: services.onProblem,
  }
  const exports = createExports()
  const stage = { authenticate: authenticateOperator, log: audit, approvals, world: context }
  const listed = (each: (authenticate: OperatorAuthenticator, own: typeof context) => Operation[]) =>
    each(authenticateOperator, context)
  const operations = [
    ...listed(operatorOverviewOperations),
    ...operatorMoneyOperations(stage, context),
    ...operatorRateOperations(stage),
    ...operatorDepositRequestOperations(stage, context),
    ...listed(operatorApprovalOperations),
    ...listed(operatorPaymentOperations),
    ...listed(operatorOrderOperations),
    ...listed(operatorCaseOperations),
    ...listed(operatorDeliveryOperations),
    ...operatorBlockOperations(stage),
    ...operatorAlertOperations(stage),
    ...operatorLedgerOperations(stage, context),
    ...listed(operatorFinanceOperations),
    ...listed(operatorAuditOperations),
  ]
  const face = operatorFinanceApi(authenticateOperator, {
    ...context,
    exports,
    comparisons,
    issuer: config.issuer,
  })
  const { live, providers } = services
  const operatorLive = createOperatorLive({
    ...live,
    providers,
    countStuck: async () => (await readStuck(audit.database)).count,
  })
  return [
    ...operations,
    ...operatorLiveOperations(live.authenticateOperator, operatorLive),
    ...financeOperations(face),
  ]
}
