import type { Database } from '../../../db/database.ts'
import { getReseller } from '../../accounts/service.ts'
import { readReason } from '../../audit/service.ts'
import type { ProductPermission } from '../../catalog/operators.service.ts'
import { listPermissions } from '../../catalog/operators.service.ts'
import type { ChangeSummary } from '../../catalog/product/store.types.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import type { CatalogContext } from '../catalog/catalog.service.ts'
import { changeCatalogueRow, getProduct } from '../catalog/catalog.service.ts'

export type PermissionsContext = CatalogContext & { readonly database: Database }

export async function listPermissionsOf(
  context: PermissionsContext,
  account: string,
): Promise<ProductPermission[]> {
  return listPermissions(context.database, (await getReseller(context.database, account)).id)
}

export async function permit(
  context: PermissionsContext,
  caller: OperatorCaller,
  place: { readonly account: string; readonly product: string },
  { isAllowed, reason: given }: { readonly isAllowed: boolean | null; readonly reason: unknown },
): Promise<ChangeSummary> {
  const reason = readReason(given)
  const { id: resellerId } = await getReseller(context.database, place.account)
  getProduct(context, place.product)
  const permission = { resellerId, account: place.account, product: place.product, isAllowed }
  return changeCatalogueRow(context, caller, reason, { row: 'permission', permission })
}
