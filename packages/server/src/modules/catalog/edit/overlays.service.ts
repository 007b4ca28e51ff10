import type { Database, Tx } from '../../../db/database.ts'
import { invalidFields } from '../../../lib/errors.ts'
import { noSuchName } from '../../../lib/input/nearest.ts'
import { compileLevel, compileSnapshot } from '../model/compile.rules.ts'
import { mergeOverlay, removalOf } from '../model/merge.rules.ts'
import { findPricingField } from '../model/pricing.rules.ts'
import { EMPTY_STATE, optionKey, optionMap, patched } from '../model/state.rules.ts'
import type { OverlayChange, OverlaySummary, OwnView, Touched } from '../model/store.types.ts'
import { countTouched, NOTHING_TOUCHED } from '../model/touched.rules.ts'
import type { BaseCatalog, Overlay } from '../model/types.ts'
import { listCategories, listGroups, listTheseProducts } from '../store/base.sql.ts'
import { listLevelRows, listTheseLevelPrices } from '../store/levels.sql.ts'
import { readOwnView } from '../store/load.service.ts'
import { listOptionsOfFields, listTheseOptions } from '../store/options.sql.ts'
import {
  writeOverlayCategories,
  writeOverlayGroups,
  writeOverlayOptions,
  writeOverlayProducts,
} from '../store/overlays.sql.ts'
import { lockVersion, takeVersion } from '../store/version.sql.ts'
import { stampViews } from '../store/views.sql.ts'
import { getAccount, recordChange, refuse } from '../store/write.service.ts'
import { checkOverlayChange, checkRepeated } from './check-overlay.rules.ts'
import { checkPrices, touchedProducts } from './check-prices.rules.ts'

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
    const { priceLevel } = await getAccount(tx, resellerId)
    const own = await readOwnView(tx, resellerId)
    const change = changeOf(own.overlay)
    refuse(checkRepeated(change))
    const touched = mergeOverlay(resellerId, own.overlay, change)
    if (countTouched(touched) === 0) return { version: present.version, isChanged: false }
    await refuseInvalid(tx, { id: resellerId, priceLevel }, own, touched)

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

type Owner = { readonly id: bigint; readonly priceLevel: string }

async function refuseInvalid(tx: Tx, owner: Owner, own: OwnView, touched: Touched): Promise<void> {
  const state = { ...EMPTY_STATE, views: new Map([[owner.id, own]]) }
  const changed = patched(state, touched, 'after').views.get(owner.id)
  if (changed?.overlay === undefined) return
  const base = await readBaseFor(tx, changed.overlay, touchedProducts(touched))
  refuse(checkOverlayChange(base, own.overlay, changed.overlay))
  const codes = base.products.map((product) => product.code)
  const prices = await listTheseLevelPrices(tx, owner.priceLevel, codes)
  const level = compileLevel(base, { code: owner.priceLevel, name: '', prices }, { base: '', level: '' })
  const viewOf = (view: OwnView) => compileSnapshot(level, { levelCode: owner.priceLevel, ...view })
  refuse(checkPrices(viewOf(own), viewOf(changed), touched))
}

/**
 * Reads the base with only the products and options that the overlay names, instead of tens of thousands. Products
 * whose prices the change can move also come with all the options that price them.
 */
async function readBaseFor(tx: Tx, overlay: Overlay, repriced: ReadonlySet<string>): Promise<BaseCatalog> {
  const products = await listTheseProducts(
    tx,
    overlay.products.map((product) => product.code),
  )
  const pricing = products.flatMap((product) => {
    const field = repriced.has(product.code) ? findPricingField(product) : undefined
    return field === undefined ? [] : [{ productCode: product.code, fieldId: field.id }]
  })
  const named = await listTheseOptions(tx, overlay.options)
  const options = new Map(named.map((option) => [optionKey(option), option]))
  for (const option of await listOptionsOfFields(tx, pricing)) options.set(optionKey(option), option)
  return {
    groups: (await listGroups(tx, 0n)).map((each) => each.row),
    categories: (await listCategories(tx, 0n)).map((each) => each.row),
    products,
    options: optionMap([...options.values()]),
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
