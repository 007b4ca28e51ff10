import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { readClosingsState } from '../../finance/closings/closings-behind.service.ts'
import type { OperatorAuthenticator } from '../../sessions/people/types.ts'
import { rolesFor } from '../console/roles.rules.ts'
import type { MoneyContext } from '../console/types.ts'
import { ClosingsResponse } from './finance.schemas.ts'
import { FINANCE_TAG } from './finance.service.ts'
import { closingsView } from './finance.view.ts'

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
        tag: FINANCE_TAG,
      },
      schemas: { responses: { 200: ClosingsResponse } },
      authenticate: authenticate(...rolesFor('money.read')),
      async handle() {
        return { status: 200, body: { data: closingsView(await readClosingsState(database)) } }
      },
    }),
  ]
}
