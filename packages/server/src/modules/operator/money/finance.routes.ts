import { Type } from 'typebox'
import { resource } from '../../../http/codec.ts'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { Instant, orNull } from '../../../http/schemas.ts'
import type { Exports } from '../../../http/streams/exports.ts'
import { formatDay } from '../../../lib/dates.ts'
import { getReseller } from '../../accounts/service.ts'
import type { FinanceApi } from '../../finance/apis.types.ts'
import type { ClosingsState } from '../../finance/closings/closings-behind.service.ts'
import { readClosingsState } from '../../finance/closings/closings-behind.service.ts'
import type { Comparisons } from '../../finance/compare.service.ts'
import type { OperatorAuthenticator, OperatorCaller } from '../../sessions/people/types.ts'
import { isPlain, unknown } from '../kit/pages.rules.ts'
import { rolesFor } from '../kit/roles.rules.ts'
import { dataOf } from '../kit/schemas.ts'
import type { MoneyContext } from '../kit/types.ts'

const TAG = 'Finance'

const CLOSINGS = resource<ClosingsState>()('Closings', {
  last_day: [
    Type.String({ description: 'yyyy-MM-dd, GMT+8: the last day that should be closed by now' }),
    ({ lastDay }) => formatDay(lastDay),
  ],
  is_current: [Type.Boolean({ description: 'No wallet is behind' }), ({ behindTotal }) => behindTotal === 0],
  wallets: [Type.Integer(), ({ wallets }) => wallets],
  behind_total: [Type.Integer(), ({ behindTotal }) => behindTotal],
  behind: [
    Type.Array(
      Type.Object({
        account: Type.String(),
        name: Type.String(),
        day: Type.String({ description: 'The first day that is over and not closed' }),
      }),
      { description: 'At most 100' },
    ),
    ({ behind }) => behind.map(({ account, name, day }) => ({ account, name, day: formatDay(day) })),
  ],
  last_closed_at: [
    orNull(Instant, 'null: nothing was ever closed'),
    ({ closedAt }) => closedAt?.toISOString() ?? null,
  ],
})

export function operatorFinanceOperations(
  authenticate: OperatorAuthenticator,
  { database }: Pick<MoneyContext, 'database'>,
): Operation[] {
  return [
    operation({
      method: 'GET',
      path: '/operator/v1/closings',
      docs: {
        operationId: 'getClosings',
        summary: 'How far the daily closings are, and whose are behind',
        tag: TAG,
      },
      schemas: { responses: { 200: dataOf(CLOSINGS.schema) } },
      authenticate: authenticate(...rolesFor('money.read')),
      async handle() {
        return { status: 200, body: { data: CLOSINGS.encode(await readClosingsState(database)) } }
      },
    }),
  ]
}

export type FinanceContext = Pick<MoneyContext, 'database' | 'nowMs'> & {
  readonly exports: Exports
  readonly comparisons: Comparisons
  readonly issuer: string
}

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
    tag: TAG,
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
