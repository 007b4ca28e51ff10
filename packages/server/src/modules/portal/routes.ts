import type { Operation } from '../../http/operation.ts'
import { portalCatalogueOperations } from './catalogue.routes.ts'
import { portalDeliveryOperations } from './deliveries.routes.ts'
import { portalEndpointOperations } from './endpoints.routes.ts'
import { portalKeyOperations } from './keys.routes.ts'
import { overviewOperations } from './overview.routes.ts'
import { portalPaymentOperations } from './payments.routes.ts'
import { requestLogOperations } from './request-log.routes.ts'
import { portalSettingsOperations } from './settings.routes.ts'
import { portalStatementOperations } from './statement.routes.ts'
import { portalTeamOperations } from './team.routes.ts'
import type { PortalSettings } from './types.ts'

/** The portal's own operations, in the order in which its document shows them. */
export function portalOperations(settings: PortalSettings): Operation[] {
  return [
    ...overviewOperations(settings),
    ...portalPaymentOperations(settings),
    ...portalStatementOperations(settings),
    ...portalCatalogueOperations(settings),
    ...portalKeyOperations(settings),
    ...portalSettingsOperations(settings),
    ...portalEndpointOperations(settings),
    ...portalDeliveryOperations(settings),
    ...requestLogOperations(settings),
    ...portalTeamOperations(settings),
  ]
}
