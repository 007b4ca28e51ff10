import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import type { OperatorAuthenticator } from '../../sessions/people/types.ts'
import { contextFor } from '../catalog/catalog.service.ts'
import { namedSummaryView } from '../catalog/catalog.view.ts'
import { rolesFor } from '../console/roles.rules.ts'
import { ResellerParameters } from '../console/schemas.ts'
import {
  PermissionBody,
  PermissionListResponse,
  PermissionParameters,
  PermissionResponse,
} from './permissions.schemas.ts'
import type { PermissionsContext } from './permissions.service.ts'
import { listPermissionsOf, permit } from './permissions.service.ts'

const TAG = 'Price levels'
const PATH = '/operator/v1/resellers/:account/permissions'

export function operatorPermissionOperations(
  authenticate: OperatorAuthenticator,
  context: PermissionsContext,
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
        responses: { 200: PermissionListResponse },
      },
      authenticate: authenticate(...rolesFor('permissions.read')),
      async handle({ params }) {
        const permissions = await listPermissionsOf(context, params.account)
        const data = permissions.map((each) => ({ product: each.productCode, is_allowed: each.isAllowed }))
        return { status: 200, body: { data, cursor: null, has_more: false } }
      },
    }),
    operation({
      method: 'PUT',
      path: `${PATH}/:product`,
      docs: {
        operationId: 'setResellerPermission',
        summary: 'Let a reseller buy a product, or keep it from doing so',
        tag: TAG,
      },
      schemas: {
        params: PermissionParameters,
        body: PermissionBody,
        responses: { 200: PermissionResponse },
      },
      authenticate: authenticate(...rolesFor('permissions.write')),
      async handle({ caller, request, params, body: { is_allowed: isAllowed, reason } }) {
        const summary = await permit(contextFor(context, request), caller, params, { isAllowed, reason })
        const data = { product: params.product, is_allowed: isAllowed, summary: namedSummaryView(summary) }
        return { status: 200, body: { data } }
      },
    }),
  ]
}
