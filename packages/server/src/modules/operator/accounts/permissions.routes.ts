import { Type } from 'typebox'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { orNull } from '../../../http/schemas.ts'
import { getReseller } from '../../accounts/service.ts'
import { permit } from '../../catalog/acts.ts'
import { listPermissions } from '../../catalog/operators.service.ts'
import { namedSummaryView } from '../../catalog/summary.view.ts'
import { Summary } from '../catalog/catalog.schemas.ts'
import type { CatalogContext } from '../catalog/catalog.service.ts'
import { show } from '../catalog/catalog.service.ts'
import type { OperatorStage } from '../kit/acts.service.ts'
import { operatorAct } from '../kit/acts.service.ts'
import { rolesFor } from '../kit/roles.rules.ts'
import { listOf, ResellerParameters } from '../kit/schemas.ts'

const TAG = 'Price levels'
const PATH = '/operator/v1/resellers/:account/permissions'

export function operatorPermissionOperations(
  stage: OperatorStage<unknown>,
  context: Pick<CatalogContext, 'catalog'>,
): Operation[] {
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: {
        operationId: 'listResellerPermissions',
        summary: 'Permissions of a reseller',
        description: 'Products that a reseller may buy, or may not, unlike the others.',
        tag: TAG,
      },
      schemas: {
        params: ResellerParameters,
        responses: {
          200: listOf(
            Type.Object(
              { product: Type.String(), is_allowed: Type.Boolean() },
              { title: 'Product permission' },
            ),
          ),
        },
      },
      authenticate: stage.authenticate(...rolesFor('permissions.read')),
      async handle({ params }) {
        const { id } = await getReseller(stage.log.database, params.account)
        const permissions = await listPermissions(stage.log.database, id)
        const data = permissions.map((each) => ({ product: each.productCode, is_allowed: each.isAllowed }))
        return { status: 200, body: { data, cursor: null, has_more: false } }
      },
    }),
    operatorAct(stage, {
      act: permit,
      method: 'PUT',
      path: `${PATH}/:product`,
      permission: 'permissions.write',
      docs: {
        operationId: 'setResellerPermission',
        summary: 'Let a reseller buy a product, or keep it from doing so',
        tag: TAG,
      },
      body: 'Permission request',
      answer: Type.Object({
        product: Type.String(),
        is_allowed: orNull(
          Type.Boolean(),
          'null: as for everybody, an open product may be bought and a restricted one may not',
        ),
        summary: Summary,
      }),
      view: ({ product, isAllowed, summary }) => ({
        product,
        is_allowed: isAllowed,
        summary: namedSummaryView(summary),
      }),
      onDone: () => show(context),
    }),
  ]
}
