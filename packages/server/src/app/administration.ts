import type { Config } from '../config.ts'
import { describeConfig } from '../config.ts'
import type { Operation } from '../http/operation.ts'
import { createSerial } from '../lib/serial.ts'
import type { Approvals } from '../modules/approvals/types.ts'
import { operatorKeyOperations } from '../modules/operator/accounts/keys.routes.ts'
import { operatorLimitOperations } from '../modules/operator/accounts/limits.routes.ts'
import { operatorOperatorOperations } from '../modules/operator/accounts/operators.routes.ts'
import { operatorPermissionOperations } from '../modules/operator/accounts/permissions.routes.ts'
import { operatorResellerOperations } from '../modules/operator/accounts/resellers.routes.ts'
import { operatorUserOperations } from '../modules/operator/accounts/users.routes.ts'
import { operatorCatalogOperations } from '../modules/operator/catalog/catalog.routes.ts'
import { operatorLevelOperations } from '../modules/operator/catalog/levels.routes.ts'
import { operatorMarginOperations } from '../modules/operator/catalog/margins.routes.ts'
import { operatorNumberPlanOperations } from '../modules/operator/catalog/number-plan.routes.ts'
import { operatorOfferOperations } from '../modules/operator/catalog/offers.routes.ts'
import { operatorProviderOperations } from '../modules/operator/catalog/providers.routes.ts'
import { supplierPackOperations } from '../modules/operator/catalog/supplier-packs.routes.ts'
import { operatorSearchOperations } from '../modules/operator/payments/search.routes.ts'
import { operatorNoticeOperations } from '../modules/operator/service/notices.routes.ts'
import { operatorSettingOperations } from '../modules/operator/service/settings.routes.ts'
import { openTrials } from '../modules/providers/proofs/trials.service.ts'
import { createCatalogThread } from './catalog-thread.ts'
import type { Services } from './services.ts'
import { countUnfinished } from './unfinished.ts'

/**
 * Limit of waiting changes and previews of the catalogue: each may take a second, and a longer queue helps no caller.
 */
const CHANGES_WAITING_MAX = 8

/** Lists the operators' API for accounts, the catalogue, suppliers and routes, and the operators themselves. */
export function administrationOperations(
  config: Config,
  services: Services,
  approvals: Approvals,
): Operation[] {
  const { authenticateOperator: authenticate, audit: log, catalog } = services
  const { environment, priceChangeMaxPercent } = config
  const { database, vault } = log
  const context = {
    database,
    accounts: { database, vault, environment },
    catalog,
    log,
    sessions: services.sessions,
    turn: createSerial(CHANGES_WAITING_MAX),
    work: createCatalogThread(log, { priceChangeMaxPercent }),
    approvals,
    priceChangeMaxPercent,
    nowMs: () => services.clock.nowMs(),
  }
  const world = {
    ...context,
    environment,
    maxPercent: priceChangeMaxPercent,
    held: () => catalog.state(),
    providerOf: (code: string) => services.providers.byCode(code),
  }
  const stage = { authenticate, log, approvals, world }
  const connectors = { vault, kinds: services.providers.kinds, countUnfinished }
  const trials = openTrials({
    database,
    vault,
    kinds: services.providers.kinds,
    onProblem: services.onProblem,
  })
  return [
    ...operatorResellerOperations(stage),
    ...operatorUserOperations(stage),
    ...operatorKeyOperations(stage, services.countedKeys),
    ...operatorPermissionOperations(stage, context),
    ...operatorLimitOperations(stage),
    ...operatorLevelOperations(stage, context),
    ...operatorMarginOperations(authenticate, context),
    ...operatorCatalogOperations(authenticate, context),
    ...operatorProviderOperations(stage, context),
    ...operatorOfferOperations(stage),
    ...supplierPackOperations({ ...stage, world: connectors }, trials),
    ...operatorNoticeOperations(stage),
    ...operatorNumberPlanOperations(stage, services.numbers),
    ...operatorSearchOperations(authenticate, { ...context, numbers: services.numbers }),
    ...operatorSettingOperations(authenticate, () => describeConfig(config)),
    ...operatorOperatorOperations(stage),
  ]
}
