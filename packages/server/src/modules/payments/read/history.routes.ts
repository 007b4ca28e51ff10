import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { addressesAt } from '../../../lib/own-addresses.ts'
import type { Authenticator } from '../../auth/service.ts'
import { masksFor } from '../core/masks.service.ts'
import { readHistoryParameters } from './history.rules.ts'
import { HistoryParameters, HistoryResponse } from './history.schemas.ts'
import type { History } from './history.service.ts'
import { historyView } from './history.view.ts'

/** Lists the operations of the history. `baseUrl` is put before the paths of pictures. */
export function historyOperations(
  authenticate: Authenticator,
  history: History,
  baseUrl: () => string,
): Operation[] {
  return [
    operation({
      method: 'GET',
      path: '/v2/transactions',
      docs: {
        operationId: 'listTransactions',
        summary: 'Payments of a day or of a range of days, with totals',
        description:
          'Newest first, by the time of initiation. A payment that arrives between two pages may repeat a row ' +
          'on the next one, but never hides one. Bearer tokens of viewers get PINs and voucher links masked.',
        tag: 'Payments',
      },
      schemas: {
        query: HistoryParameters,
        responses: { 200: HistoryResponse },
      },
      authenticate: authenticate('read'),
      async handle({ caller, query }) {
        const page = await history.list(caller.reseller.id, readHistoryParameters(query))
        return { status: 200, body: historyView(page, masksFor(caller), addressesAt(baseUrl)) }
      },
    }),
  ]
}
