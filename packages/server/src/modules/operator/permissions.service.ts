import { readReason } from '../audit/service.ts'
import type { ProductPermission } from '../catalog/desk.service.ts'
import { listPermissions, setPermission } from '../catalog/desk.service.ts'
import type { ChangeSummary } from '../catalog/store.types.ts'
import type { OperatorCaller } from '../sessions/types.ts'
import type { CatalogueDesk } from './catalogue.service.ts'
import { changeCatalogue, getProduct } from './catalogue.service.ts'
import type { AccountsDesk } from './resellers.service.ts'
import { catalogueReason, getForOperators } from './resellers.service.ts'

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
  const permission = { resellerId, productCode: place.product, isAllowed }
  return changeCatalogue(desk, { caller, action: 'permission.set', reason }, async (_, database) => {
    const change = await setPermission(database, permission, catalogueReason(reason))
    return {
      target: { kind: 'permission', id: `${place.account}/${place.product}` },
      before: { is_allowed: change.before },
      after: { is_allowed: isAllowed },
      result: change.summary,
    }
  })
}
