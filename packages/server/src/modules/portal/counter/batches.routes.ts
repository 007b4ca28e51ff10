import { Type } from 'typebox'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { documentedAs, parameter } from '../../../http/parameters.ts'
import { readFields } from '../../../lib/input/fields.ts'
import { ID, parseId } from '../../../lib/input/ids.ts'
import { count, optional } from '../../../lib/input/parameters.ts'
import { keepBatch } from '../../payments/batches/acts.ts'
import { BATCH, BATCH_LINE, KEPT_BATCH } from '../../payments/batches/codec.ts'
import { listBatches, listBatchLines } from '../../payments/batches/service.ts'
import { LINES_MAX } from '../../payments/batches/types.ts'
import { notFound } from '../access/access.service.ts'
import { memberAct } from '../access/acts.service.ts'
import { listOf } from '../access/schemas.ts'
import type { PortalSettings } from '../access/types.ts'

const TAG = 'Sell'
const PATH = '/portal/v1/sell/bulk/batches'
const MIB = 1_024 * 1_024
/** Values of a line in JSON, its object included. */
const VALUES_PER_LINE = 12
const LINE_MAX = 1_000_000

const PAGE_RULES = { after: optional(count(0, LINE_MAX), null) }

/** Operations on the files of payments that the shop has paid. */
export function portalBatchOperations(settings: PortalSettings): Operation[] {
  const { authenticate, database, log, reader } = settings
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: {
        operationId: 'portalListBatches',
        summary: 'Files of payments that were paid, newest first',
        description:
          'The last 50 of them, of at most 50,000 lines together, with what became of their lines.',
        tag: TAG,
      },
      schemas: { responses: { 200: listOf(BATCH.schema) } },
      authenticate: authenticate('payments.read'),
      async handle({ caller }) {
        const found = await listBatches(reader, caller.reseller.id)
        return { status: 200, body: { data: found.map((each) => BATCH.encode(each)) } }
      },
    }),
    operation({
      method: 'GET',
      path: `${PATH}/:id/lines`,
      docs: {
        operationId: 'portalListBatchLines',
        summary: 'Lines of such a file, in its order',
        description: `${LINES_MAX} at a time. Identity numbers are not kept.`,
        tag: TAG,
      },
      schemas: {
        params: Type.Object({ id: documentedAs(ID, Type.String({ description: 'The id of a batch' })) }),
        query: Type.Object({
          after: parameter(PAGE_RULES.after, 'Lines behind this one; left out: from the first'),
        }),
        responses: { 200: listOf(BATCH_LINE.schema) },
      },
      authenticate: authenticate('payments.read'),
      async handle({ caller, params, query }) {
        const { after } = readFields(PAGE_RULES, { after: query.after })
        const id = parseId(params.id)
        const page = { after: after ?? -1, limit: LINES_MAX }
        const found =
          id === undefined ? undefined : await listBatchLines(database, caller.reseller.id, id, page)
        if (found === undefined) throw notFound('batch')
        return { status: 200, body: { data: found.map((each) => BATCH_LINE.encode(each)) } }
      },
    }),
    memberAct(
      { authenticate, log, world: undefined },
      {
        act: keepBatch,
        method: 'POST',
        path: PATH,
        permission: 'bulk',
        docs: {
          operationId: 'portalKeepBatch',
          summary: 'Keep the lines of a file that is about to be paid',
          description:
            'Nothing is paid by it: each line is paid as a payment of its own, with the refid of its preview. A file of ' +
            'more lines than a request takes is kept in parts, the further ones with `batch`.',
          tag: TAG,
        },
        body: 'Batch request',
        isStrict: true,
        bodyLimits: { bytesMax: 2 * MIB, valuesMax: VALUES_PER_LINE * LINES_MAX },
        status: 201,
        answer: KEPT_BATCH.schema,
        view: (kept) => KEPT_BATCH.encode(kept),
      },
    ),
  ]
}
