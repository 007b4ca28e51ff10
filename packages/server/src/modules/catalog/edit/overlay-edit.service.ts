import type { Database } from '../../../db/database.ts'
import type { OptionKey, OverlayChange, OverlaySummary } from '../product/store.types.ts'
import type { Overlay } from '../product/types.ts'
import { findOverlay } from '../store/load.service.ts'
import { lockVersion } from '../store/version.sql.ts'
import type { OptionEdit, ProductEdit } from './overlay-edit.rules.ts'
import { editedOptions, editedProducts } from './overlay-edit.rules.ts'
import { changeOverlay } from './overlays.service.ts'

type TransactionRunner = Pick<Database, 'transaction'>

/** Changes the named parts of a reseller's customisation of a product, and leaves the others. */
export function editOverlayProduct(
  database: TransactionRunner,
  resellerId: bigint,
  code: string,
  edit: ProductEdit,
  reason: string,
): Promise<OverlaySummary> {
  return edited(database, resellerId, reason, (overlay) => ({
    products: editedProducts(overlay, [{ code, edit }]),
  }))
}

export function editOverlayOption(
  database: TransactionRunner,
  resellerId: bigint,
  key: OptionKey,
  edit: OptionEdit,
  reason: string,
): Promise<OverlaySummary> {
  return edited(database, resellerId, reason, (overlay) => ({
    options: editedOptions(overlay, [{ key, edit }]),
  }))
}

function edited(
  database: TransactionRunner,
  resellerId: bigint,
  reason: string,
  changeOf: (overlay: Overlay | undefined) => OverlayChange,
): Promise<OverlaySummary> {
  return database.transaction(async (tx) => {
    // If two edits of one product come at once, the second must see the first.
    await lockVersion(tx)
    const overlay = await findOverlay(tx, resellerId)
    return changeOverlay({ transaction: (work) => work(tx) }, resellerId, changeOf(overlay), reason)
  })
}
