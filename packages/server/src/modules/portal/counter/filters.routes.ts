import { Type } from 'typebox'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { dropFilter, saveFilter } from '../../counter/filters.acts.ts'
import { SAVED_FILTER } from '../../counter/filters.codec.ts'
import { listFilters } from '../../counter/service.ts'
import { memberAct } from '../access/acts.service.ts'
import { dataOf } from '../access/schemas.ts'
import type { PortalSettings } from '../access/types.ts'

const TAG = 'Payments'
const PATH = '/portal/v1/payment-filters'

/** Operations on the views of the payments that people save. */
export function portalFilterOperations({ authenticate, database, log }: PortalSettings): Operation[] {
  const stage = { authenticate, log, world: undefined }
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: { operationId: 'portalListFilters', summary: 'Saved filters of the payments', tag: TAG },
      schemas: {
        responses: {
          200: dataOf(
            Type.Array(SAVED_FILTER.schema, { description: 'Your own first, then those of the shop' }),
          ),
        },
      },
      authenticate: authenticate('payments.own'),
      async handle({ caller: { reseller, userId } }) {
        const filters = await listFilters(database, reseller.id, userId)
        return { status: 200, body: { data: filters.map((each) => SAVED_FILTER.encode(each)) } }
      },
    }),
    memberAct(stage, {
      act: saveFilter,
      method: 'POST',
      path: PATH,
      permission: 'sell',
      docs: { operationId: 'portalSaveFilter', summary: 'Save a view of the payments', tag: TAG },
      body: 'Filter request',
      isStrict: true,
      status: 201,
      answer: SAVED_FILTER.schema,
      view: (filter) => SAVED_FILTER.encode(filter),
    }),
    memberAct(stage, {
      act: dropFilter,
      method: 'DELETE',
      path: `${PATH}/:id`,
      permission: 'sell',
      docs: { operationId: 'portalDropFilter', summary: 'Drop a saved filter', tag: TAG },
      hasBody: false,
      answer: SAVED_FILTER.schema,
      view: (filter) => SAVED_FILTER.encode(filter),
    }),
  ]
}
