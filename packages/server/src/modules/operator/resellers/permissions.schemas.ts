import { Type } from 'typebox'
import { orNull } from '../../../http/schemas.ts'
import { Summary } from '../catalog/catalog.schemas.ts'
import { Account, bodyOf, dataOf, listOf, ProductCode, Reason } from '../console/schemas.ts'

export const PermissionListResponse = listOf(
  Type.Object({ product: Type.String(), is_allowed: Type.Boolean() }, { title: 'Product permission' }),
)

export const PermissionParameters = Type.Object({ account: Account, product: ProductCode })

const IsAllowed = orNull(
  Type.Boolean(),
  'null: as for everybody, an open product may be bought and a restricted one may not',
)

export const PermissionBody = bodyOf('Permission request', { is_allowed: IsAllowed, reason: Reason })

export const PermissionResponse = dataOf(
  Type.Object({ product: Type.String(), is_allowed: IsAllowed, summary: Summary }),
)
