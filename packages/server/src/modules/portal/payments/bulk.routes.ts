import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { masksFor, maySee } from '../access/access.service.ts'
import type { PortalSettings } from '../access/types.ts'
import { BULK_LINES_MAX } from './bulk.rules.ts'
import { BulkBody, BulkResponse, StatusesBody, StatusesResponse } from './bulk.schemas.ts'
import { previewBulk } from './bulk.service.ts'
import { bulkPreviewView, statusesView } from './bulk.view.ts'
import { currenciesOf } from './payments.service.ts'

const KIB = 1_024
/** Values of a line in JSON, its object and its extras included. */
const VALUES_PER_LINE = 16

export function portalBulkOperations(settings: PortalSettings): Operation[] {
  const { authenticate } = settings
  return [
    operation({
      method: 'POST',
      path: '/portal/v1/sell/bulk/preview',
      docs: {
        operationId: 'portalPreviewBulk',
        summary: 'Judge a file of payments, and pay nothing',
        description:
          'Each line gets the refid to pay it with, derived from the account, the batch and the line’s content: the same ' +
          'file again, in any order, names the same payments, and none is made twice. Equal lines of one file are ' +
          'numbered, and are payments of their own. The identity number is no part of the refid.',
        tag: 'Sell',
      },
      schemas: { body: BulkBody, responses: { 200: BulkResponse } },
      never: [404, 409],
      bodyLimits: { bytesMax: 2 * KIB * KIB, valuesMax: VALUES_PER_LINE * BULK_LINES_MAX },
      authenticate: authenticate('bulk'),
      async handle({ caller, body, request }) {
        const preview = await previewBulk(settings, caller, body, request)
        return { status: 200, body: { data: bulkPreviewView(preview, body.file_digest) } }
      },
    }),
    operation({
      method: 'POST',
      path: '/portal/v1/payments/statuses',
      docs: {
        operationId: 'portalListPaymentStatuses',
        summary: 'Payments of many refids at once',
        description:
          'In the order of the request; `payment` is null where there is none. Viewers and accountants get PINs masked.',
        tag: 'Payments',
      },
      schemas: { body: StatusesBody, responses: { 200: StatusesResponse } },
      never: [404, 409],
      bodyLimits: { bytesMax: 256 * KIB },
      authenticate: authenticate('payments.own'),
      async handle({ caller, body: { refids } }) {
        const known = [...new Set(refids)].filter((refid) => !refid.includes('\0'))
        const found = await settings.payments.listByRefids(caller.reseller.id, known)
        const payments = found.filter((each) => maySee(caller, each))
        const data = statusesView(refids, payments, masksFor(caller), currenciesOf(settings))
        return { status: 200, body: { data } }
      },
    }),
  ]
}
