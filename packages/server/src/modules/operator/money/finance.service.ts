import { getReseller } from '../../accounts/service.ts'
import type { FinanceFace } from '../../finance/apis.types.ts'
import type { Comparisons } from '../../finance/compare.service.ts'
import type { Exports } from '../../portal/access/exports.service.ts'
import type { OperatorAuthenticator, OperatorCaller } from '../../sessions/people/types.ts'
import { isPlain, unknown } from '../console/pages.rules.ts'
import { rolesFor } from '../console/roles.rules.ts'
import type { MoneyDesk } from '../console/types.ts'

export type FinanceDesk = Pick<MoneyDesk, 'database' | 'nowMs'> & {
  readonly exports: Exports
  readonly comparisons: Comparisons
  readonly issuer: string
}

export const FINANCE_TAG = 'Finance'

/** Of any reseller, by the account in the address. */
export function operatorFinanceFace(
  authenticate: OperatorAuthenticator,
  { database, nowMs, exports, comparisons, issuer }: FinanceDesk,
): FinanceFace<OperatorCaller> {
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
