import type { Database, Tx } from '../../../db/database.ts'
import { invalidFields } from '../../../lib/errors.ts'
import { noSuchName } from '../../../lib/input/nearest.ts'
import { mergeOverlay, removalOf } from '../product/merge.rules.ts'
import { EMPTY_STATE, optionMap, patched } from '../product/state.rules.ts'
import type { OverlayChange, OverlaySummary, OwnView, Touched } from '../product/store.types.ts'
import { countTouched, NOTHING_TOUCHED } from '../product/touched.rules.ts'
import type { BaseCatalog, Overlay } from '../product/types.ts'
import { listCategories, listGroups, listTheseProducts } from '../store/base.sql.ts'
import { listLevelRows } from '../store/levels.sql.ts'
import { readOwnView } from '../store/load.service.ts'
import { listTheseOptions } from '../store/options.sql.ts'
import {
  writeOverlayCategories,
  writeOverlayGroups,
  writeOverlayOptions,
  writeOverlayProducts,
} from '../store/overlays.sql.ts'
import { lockVersion, takeVersion } from '../store/version.sql.ts'
import { stampViews } from '../store/views.sql.ts'
import { getAccount, recordChange, refuse } from '../store/write.service.ts'
import { checkOverlay } from './check-overlay.rules.ts'

/** Changes one account's customisation, all or nothing. */
export function changeOverlay(
  database: Pick<Database, 'transaction'>,
  resellerId: bigint,
  change: OverlayChange,
  reason: string,
): Promise<OverlaySummary> {
  return writeOverlay(database, resellerId, () => change, reason)
}

/** Removes the customisation, so that the account sees the base again. */
export function removeOverlay(
  database: Pick<Database, 'transaction'>,
  resellerId: bigint,
  reason: string,
): Promise<OverlaySummary> {
  return writeOverlay(
    database,
    resellerId,
    (overlay) => (overlay === undefined ? {} : removalOf(overlay)),
    reason,
  )
}

function writeOverlay(
  database: Pick<Database, 'transaction'>,
  resellerId: bigint,
  changeOf: (overlay: Overlay | undefined) => OverlayChange,
  reason: string,
): Promise<OverlaySummary> {
  return database.transaction(async (tx) => {
    const present = await lockVersion(tx)
    await getAccount(tx, resellerId)
    const own = await readOwnView(tx, resellerId)
    const touched = mergeOverlay(resellerId, own.overlay, changeOf(own.overlay))
    if (countTouched(touched) === 0) return { version: present.version, isChanged: false }
    await refuseInvalid(tx, resellerId, own, touched)

    const { version } = await takeVersion(tx, false)
    await stampViews(tx, [resellerId], version, 'overlay')
    await writeOverlayGroups(tx, touched.overlayGroups)
    await writeOverlayCategories(tx, touched.overlayCategories)
    await writeOverlayProducts(tx, touched.overlayProducts)
    await writeOverlayOptions(tx, touched.overlayOptions)
    await recordChange(tx, { version, reason, touched })
    return { version, isChanged: true }
  })
}

async function refuseInvalid(tx: Tx, resellerId: bigint, own: OwnView, touched: Touched): Promise<void> {
  const state = { ...EMPTY_STATE, views: new Map([[resellerId, own]]) }
  const overlay = patched(state, touched, 'after').views.get(resellerId)?.overlay
  if (overlay !== undefined) refuse(checkOverlay(await readBaseFor(tx, overlay), overlay))
}

/** Reads the base with only the products and options that the overlay names, instead of tens of thousands. */
async function readBaseFor(tx: Tx, overlay: Overlay): Promise<BaseCatalog> {
  const options = await listTheseOptions(tx, overlay.options)
  const codes = overlay.products.map((product) => product.code)
  return {
    groups: (await listGroups(tx, 0n)).map((each) => each.row),
    categories: (await listCategories(tx, 0n)).map((each) => each.row),
    products: await listTheseProducts(tx, codes),
    options: optionMap(options),
    updatedAt: EMPTY_STATE.base.updatedAt,
  }
}

/**
 * Records that an account moves to another level. It must run in the transaction that moves the account, and
 * before the move, because it reads the old level from the account. The accounts module does the move itself.
 */
export async function changePriceLevel(
  tx: Tx,
  resellerId: bigint,
  levelCode: string,
  reason: string,
): Promise<void> {
  await lockVersion(tx)
  const { priceLevel } = await getAccount(tx, resellerId)
  if (priceLevel === levelCode) return
  const levels = await listLevelRows(tx, 0n)
  const codes = levels.map(({ row }) => row.code)
  if (!codes.includes(levelCode)) {
    throw invalidFields({ price_level: [noSuchName('price level', levelCode, codes)] })
  }
  const { version } = await takeVersion(tx, false)
  await stampViews(tx, [resellerId], version, 'access')
  await recordChange(tx, {
    version,
    reason,
    touched: NOTHING_TOUCHED,
    levelSwitch: { resellerId, from: priceLevel, to: levelCode },
  })
}
