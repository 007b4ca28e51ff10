import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { putReceiptHeader } from '../../receipts/acts.ts'
import { RECEIPT_HEADER } from '../../receipts/header.codec.ts'
import { getReceiptHeader } from '../../receipts/service.ts'
import { memberAct } from '../access/acts.service.ts'
import { dataOf } from '../access/schemas.ts'
import type { PortalSettings } from '../access/types.ts'

const TAG = 'Sell'
const PATH = '/portal/v1/receipt-header'

/** Operations on what stands on every receipt of a shop. */
export function portalReceiptHeaderOperations({ authenticate, database, log }: PortalSettings): Operation[] {
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: { operationId: 'portalGetReceiptHeader', summary: 'What stands on your receipts', tag: TAG },
      schemas: { responses: { 200: dataOf(RECEIPT_HEADER.schema) } },
      authenticate: authenticate('payments.own'),
      async handle({ caller }) {
        const header = await getReceiptHeader(database, caller.reseller.id)
        return { status: 200, body: { data: RECEIPT_HEADER.encode(header) } }
      },
    }),
    memberAct(
      { authenticate, log, world: undefined },
      {
        act: putReceiptHeader,
        method: 'PUT',
        path: PATH,
        permission: 'developers.write',
        docs: {
          operationId: 'portalPutReceiptHeader',
          summary: 'Say what stands on your receipts',
          description: 'The whole header: a member that is left out is empty.',
          tag: TAG,
        },
        body: 'Receipt header request',
        isStrict: true,
        answer: RECEIPT_HEADER.schema,
        view: (header) => RECEIPT_HEADER.encode(header),
      },
    ),
  ]
}
