import { readReason } from '../../audit/service.ts'
import type { ProductPermission } from '../../catalog/operators.service.ts'
import { listPermissions } from '../../catalog/operators.service.ts'
import type { ChangeSummary } from '../../catalog/product/store.types.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import type { CatalogueDesk } from '../catalog/catalog.service.ts'
import { changeCatalogueRow, getProduct } from '../catalog/catalog.service.ts'
import type { AccountsDesk } from './resellers.service.ts'
import { getForOperators } from './resellers.service.ts'

export type PermissionsDesk = AccountsDesk & CatalogueDesk

export async function listPermissionsOf(
  desk: PermissionsDesk,
  account: string,
): Promise<ProductPermission[]> {
  return listPermissions(desk.database, (await getForOperators(desk, account)).id)
}

export async function permit(
  desk: PermissionsDesk,
  caller: OperatorCaller,
  place: { readonly account: string; readonly product: string },
  { isAllowed, reason: given }: { readonly isAllowed: boolean | null; readonly reason: unknown },
): Promise<ChangeSummary> {
  const reason = readReason(given)
  const { id: resellerId } = await getForOperators(desk, place.account)
  getProduct(desk, place.product)
  const permission = { resellerId, account: place.account, product: place.product, isAllowed }
  return changeCatalogueRow(desk, caller, reason, { row: 'permission', permission })
}
