import type { Exports } from '../../../http/streams/exports.ts'
import { getReseller } from '../../accounts/service.ts'
import type { FinanceApi } from '../../finance/apis.types.ts'
import type { Comparisons } from '../../finance/compare.service.ts'
import type { OperatorAuthenticator, OperatorCaller } from '../../sessions/people/types.ts'
import { isPlain, unknown } from '../console/pages.rules.ts'
import { rolesFor } from '../console/roles.rules.ts'
import type { MoneyContext } from '../console/types.ts'

export type FinanceContext = Pick<MoneyContext, 'database' | 'nowMs'> & {
  readonly exports: Exports
  readonly comparisons: Comparisons
  readonly issuer: string
}

export const FINANCE_TAG = 'Finance'

/** Finance operations for any reseller, who is named by the account in the address. */
export function operatorFinanceApi(
  authenticate: OperatorAuthenticator,
  { database, nowMs, exports, comparisons, issuer }: FinanceContext,
): FinanceApi<OperatorCaller> {
  return {
    prefix: '/operator/v1/resellers/:account',
    operationIds: {
      month: 'listResellerDays',
      csv: 'exportResellerMonth',
      pdf: 'printResellerMonth',
      compare: 'compareResellerBooks',
    },
    tag: FINANCE_TAG,
    mayRead: authenticate(...rolesFor('money.read')),
    mayCompare: authenticate(...rolesFor('money.compare')),
    async ownerOf(_caller, account = '') {
      if (!isPlain(account)) throw unknown('reseller')
      return getReseller(database, account)
    },
    send: (owner, table, isAwaited) => exports.begin(owner, table, isAwaited),
    database,
    comparisons,
    now: () => new Date(nowMs()),
    issuer,
  }
}
