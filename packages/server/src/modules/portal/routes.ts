import type { Operation, OperationInput } from '../../http/operation.ts'
import { anyone } from '../../http/operation.ts'
import type { Turns } from '../../lib/turns.ts'
import type { MemberCaller } from '../sessions/people/types.ts'
import type { PortalSettings } from './access/types.ts'
import { portalCatalogOperations } from './catalog/routes.ts'
import { portalBatchOperations } from './counter/batches.routes.ts'
import { portalFilterOperations } from './counter/filters.routes.ts'
import { portalNumberOperations } from './counter/numbers.routes.ts'
import { portalQuoteOperations } from './counter/quotes.routes.ts'
import { portalReceiptHeaderOperations } from './counter/receipt-header.routes.ts'
import { portalScheduleOperations } from './counter/schedules.routes.ts'
import { portalChecklistOperations } from './developers/checklist.routes.ts'
import { portalDeliveryOperations } from './developers/deliveries.routes.ts'
import { portalEndpointOperations } from './developers/endpoints.routes.ts'
import { portalAllowlistOperations, portalKeyOperations } from './developers/keys.routes.ts'
import { requestLogOperations } from './developers/request-log.routes.ts'
import { portalSettingsOperations } from './developers/settings.routes.ts'
import { portalDepositRequestOperations } from './money/deposit-requests.routes.ts'
import { portalStatementOperations } from './money/statement.routes.ts'
import { portalBulkOperations } from './payments/bulk.routes.ts'
import { portalLimitOperations } from './payments/limits.routes.ts'
import { balanceOperations, overviewOperations } from './payments/overview.routes.ts'
import { portalPaymentOperations } from './payments/payments.routes.ts'
import { portalSearchOperations } from './payments/search.routes.ts'
import { portalReportOperations } from './reports/routes.ts'
import { portalAlertOperations } from './team/alerts.routes.ts'
import { portalApprovalOperations } from './team/approvals.routes.ts'
import { portalTeamOperations } from './team/routes.ts'
import { portalTillOperations } from './tills/routes.ts'
import { portalShiftOperations } from './tills/shifts.routes.ts'

/** Operations of the portal, in the order in which its document shows them. */
export function portalOperations(settings: PortalSettings): Operation[] {
  const inTurn = takingTurns(settings.reads)
  return [
    ...overviewOperations(settings).map(inTurn),
    ...balanceOperations(settings),
    ...portalSearchOperations(settings).map(inTurn),
    ...portalChecklistOperations(settings).map(inTurn),
    ...portalPaymentOperations(settings).map(inTurn),
    ...portalFilterOperations(settings),
    ...portalQuoteOperations(settings),
    ...portalNumberOperations(settings),
    ...portalReceiptHeaderOperations(settings),
    ...portalBulkOperations(settings).map(inTurn),
    ...portalBatchOperations(settings).map(inTurn),
    ...portalTillOperations(settings),
    ...portalShiftOperations(settings),
    ...portalScheduleOperations(settings),
    ...portalStatementOperations(settings).map(inTurn),
    ...portalReportOperations(settings).map(inTurn),
    ...portalDepositRequestOperations(settings),
    ...portalCatalogOperations(settings),
    ...portalKeyOperations(settings),
    ...portalAllowlistOperations(settings),
    ...portalSettingsOperations(settings),
    ...portalLimitOperations(settings),
    ...portalEndpointOperations(settings),
    ...portalDeliveryOperations(settings),
    ...requestLogOperations(settings).map(inTurn),
    ...portalTeamOperations(settings),
    ...portalAlertOperations(settings),
    ...portalApprovalOperations(settings),
  ].map(forMembers)
}

/** Adds the refusals that its services share: an operation may give any of them, whether it has a body or not. */
function forMembers(operation: Operation): Operation {
  if (operation.authenticate === anyone) return operation
  const { also = [], method } = operation
  return { ...operation, also: method === 'GET' ? [...also, 400] : [...also, 400, 404, 409, 413, 415] }
}

function takingTurns(turns: Turns): (operation: Operation) => Operation {
  return (operation) => {
    // Exports take turns of their own, for each page of a file.
    if (/\.(?:csv|zip)$/.test(operation.path)) return operation
    return {
      ...operation,
      also: [...(operation.also ?? []), 429],
      handle(input) {
        const { caller, request } = input as OperationInput<MemberCaller, never, never, never>
        return turns.take(caller.reseller.id, () => operation.handle(input), request.isAwaited)
      },
    }
  }
}
