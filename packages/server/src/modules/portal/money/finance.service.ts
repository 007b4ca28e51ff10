import type { FinanceApi } from '../../finance/apis.types.ts'
import type { Comparisons } from '../../finance/compare.service.ts'
import type { MemberCaller } from '../../sessions/people/types.ts'
import type { PortalSettings } from '../access/types.ts'

export type PortalFinanceSettings = Pick<PortalSettings, 'authenticate' | 'exports' | 'reads' | 'now'> & {
  readonly database: FinanceApi<MemberCaller>['database']
  readonly comparisons: Comparisons
  readonly issuer: string
}

/** Finance operations, open to viewers too: they change nothing, and show nothing that the statement does not show. */
export function portalFinanceApi(settings: PortalFinanceSettings): FinanceApi<MemberCaller> {
  const { authenticate, database, exports, reads, comparisons, now, issuer } = settings
  return {
    prefix: '/portal/v1',
    operationIds: {
      month: 'portalListDays',
      csv: 'portalExportMonth',
      pdf: 'portalPrintMonth',
      compare: 'portalCompareBooks',
    },
    tag: 'Statement',
    mayRead: authenticate('statement.read'),
    mayCompare: authenticate('statement.read'),
    ownerOf: async ({ reseller }) => reseller,
    send: (owner, table, isAwaited) => exports.begin(owner, table, isAwaited),
    reads,
    database,
    comparisons,
    now,
    issuer,
  }
}
