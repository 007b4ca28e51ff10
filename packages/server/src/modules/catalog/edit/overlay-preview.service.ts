import { setImmediate } from 'node:timers/promises'
import type { Database, Tx } from '../../../db/database.ts'
import { RequestError } from '../../../lib/errors.ts'
import { compileLevel, compileSnapshot } from '../model/compile.rules.ts'
import { mergeOverlay } from '../model/merge.rules.ts'
import { getLevel, NO_OWN_VIEW, patched } from '../model/state.rules.ts'
import type { Catalog, CatalogState, OptionKey, OverlayChange, OverlaySummary } from '../model/store.types.ts'
import type { EffectiveProduct, Overlay, Snapshot } from '../model/types.ts'
import { readOwnView } from '../store/load.service.ts'
import { lockVersion } from '../store/version.sql.ts'
import { getAccount, refuse } from '../store/write.service.ts'
import { checkOverlayChange, checkRepeated } from './check-overlay.rules.ts'
import { checkPrices } from './check-prices.rules.ts'
import type { OptionEdit, ProductEdit } from './overlay-edit.rules.ts'
import { editedOptions, editedProducts } from './overlay-edit.rules.ts'
import { changeOverlay } from './overlays.service.ts'
import type { PriceLine } from './price-lines.rules.ts'

export type PricedLine = PriceLine

/**
 * Edits of an overlay. Absent parts of products and options stay as the account has them; groups and categories
 * are replaced whole.
 */
export type OverlayEdits = Pick<OverlayChange, 'groups' | 'categories' | 'removed'> & {
  readonly products: readonly { readonly code: string; readonly edit: ProductEdit }[]
  readonly options: readonly { readonly key: OptionKey; readonly edit: OptionEdit }[]
}

export type PreviewedProduct = {
  readonly before: EffectiveProduct
  readonly after: EffectiveProduct
}

export type OverlayPreview = {
  /** Fingerprint of the account's view before the edits: equal until something else changes it. */
  readonly fingerprint: string
  readonly before: Snapshot
  readonly after: Snapshot
  /** Products that the edits name and that the account may sell. */
  readonly products: readonly PreviewedProduct[]
  /** Codes of those products that could be sold below cost afterwards, and could not before. */
  readonly newlyLosing: readonly string[]
}

type Owner = { readonly id: bigint; readonly priceLevel: string }

/** Returns the result of the edits; throws the same problems as applying them. */
export function previewOverlay(state: CatalogState, owner: Owner, edits: OverlayEdits): OverlayPreview {
  const own = state.views.get(owner.id) ?? NO_OWN_VIEW
  const change = changeOf(own.overlay, edits)
  const touched = mergeOverlay(owner.id, own.overlay, change)
  const withOwn = { ...state, views: new Map([[owner.id, own]]) }
  const changed = patched(withOwn, touched, 'after').views.get(owner.id) ?? NO_OWN_VIEW
  refuse([...checkRepeated(change), ...checkOverlayChange(state.base, own.overlay, changed.overlay)])
  const level = compileLevel(state.base, getLevel(state, owner.priceLevel), {
    base: String(state.baseVersion),
    level: String(state.levelVersions.get(owner.priceLevel) ?? 0n),
  })
  const before = compileSnapshot(level, { levelCode: owner.priceLevel, ...own })
  const after = compileSnapshot(level, { levelCode: owner.priceLevel, ...changed })
  refuse(checkPrices(before, after, touched))
  const products = [...namedProducts(edits)].flatMap((code) => {
    const [was, is] = [before.products.get(code), after.products.get(code)]
    if (was === undefined || is === undefined) return []
    // A product that the account may not sell does not exist for it, even if the account customised it.
    return was.isOffered && was.isPurchasable ? [{ before: was, after: is }] : []
  })
  return {
    fingerprint: before.fingerprint,
    before,
    after,
    products,
    newlyLosing: products.flatMap((each) =>
      each.after.hasLossRisk && !each.before.hasLossRisk ? [each.after.product.code] : [],
    ),
  }
}

export type Confirmation = {
  /** Fingerprint of the preview that was agreed to; null: any present state. */
  readonly fingerprint: string | null
  readonly acceptsLoss: boolean
}

export type AppliedOverlay = { readonly preview: OverlayPreview; readonly summary: OverlaySummary }

/** Applies the previewed edits, unless something else changed the view meanwhile. */
export async function applyOverlayEdits(
  settings: {
    readonly database: Database
    readonly catalog: Pick<Catalog, 'state' | 'refresh'>
    /** Runs in the same commit, as its last step. */
    readonly record?: (tx: Tx, applied: AppliedOverlay) => Promise<void>
  },
  owner: Owner,
  edits: OverlayEdits,
  confirmation: Confirmation,
  reason: string,
): Promise<AppliedOverlay> {
  const { database, catalog } = settings
  await catalog.refresh()
  const applied = await database.transaction(async (tx) => {
    // If two edits come at once, the second must see the first.
    const { version } = await lockVersion(tx)
    // The lock may have been held by a writer of prices: the preview must be of the catalogue that the edits meet.
    if (catalog.state().version !== version) await catalog.refresh()
    const own = await readOwnView(tx, owner.id)
    const { priceLevel } = await getAccount(tx, owner.id)
    // Other waiting work, such as payments, runs before the preview.
    await setImmediate()
    const state = catalog.state()
    const present = { ...state, views: new Map([[owner.id, own]]) }
    const preview = previewOverlay(present, { id: owner.id, priceLevel }, edits)
    refuseUnconfirmed(preview, confirmation)
    const change = changeOf(own.overlay, edits)
    const summary = await changeOverlay({ transaction: (work) => work(tx) }, owner.id, change, reason)
    if (summary.isChanged) await settings.record?.(tx, { preview, summary })
    return { preview, summary }
  })
  // If this fails the edit is still made, and this node shows it at its next refresh, like every other node.
  await catalog.refresh().catch(() => {})
  return applied
}

function refuseUnconfirmed(preview: OverlayPreview, { fingerprint, acceptsLoss }: Confirmation): void {
  if (fingerprint !== null && fingerprint !== preview.fingerprint) {
    throw new RequestError({
      status: 409,
      code: 'changed_meanwhile',
      publicText: 'The catalogue has changed since the preview. Nothing was changed; make a new preview.',
    })
  }
  if (preview.newlyLosing.length > 0 && !acceptsLoss) {
    const text = `can be sold below cost: ${preview.newlyLosing.join(', ')}`
    throw new RequestError({
      status: 409,
      code: 'loss_not_accepted',
      publicText: 'Some products could be sold below their cost. Nothing was changed.',
      fields: { accept_loss: [text] },
    })
  }
}

function changeOf(overlay: Overlay | undefined, edits: OverlayEdits): OverlayChange {
  const { products, options, ...others } = edits
  return {
    ...others,
    products: editedProducts(overlay, products),
    options: editedOptions(overlay, options),
  }
}

function namedProducts({ products, options, removed }: OverlayEdits): ReadonlySet<string> {
  return new Set([
    ...products.map(({ code }) => code),
    ...options.map(({ key }) => key.productCode),
    ...(removed?.products ?? []),
    ...(removed?.options ?? []).map(({ productCode }) => productCode),
  ])
}
