import type { PortalCatalogue } from '../../api/portal.generated.ts'
import type { Draft, PlaceDraft, ProductDraft } from './draft.ts'
import { countOf, EMPTY_DRAFT, withProduct } from './draft.ts'
import { DRAFT_STORED_AS } from './forget-draft.ts'

// Changes that are not applied yet are kept in the tab, so that neither another page nor a reload loses them.

type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Keeps the changes of a member; an empty draft leaves nothing behind. */
export function keepDraft(storage: DraftStorage, member: string, draft: Draft): void {
  try {
    if (countOf(draft) === 0) storage.removeItem(DRAFT_STORED_AS)
    else storage.setItem(DRAFT_STORED_AS, JSON.stringify({ member, draft }))
  } catch {
    // A full storage: the page itself still holds the changes.
  }
}

/**
 * Returns the changes that the member left in this tab, as far as they still change something. Those of another member
 * are not shown: others use the tab now.
 */
export function storedDraft(storage: DraftStorage, member: string, catalog: PortalCatalogue): Draft {
  const kept = read(storage)
  if (kept?.member !== member || !isRecord(kept.draft)) return EMPTY_DRAFT
  const { products, groups, categories } = kept.draft
  const changed = isRecord(products) ? products : {}
  let draft: Draft = { ...EMPTY_DRAFT, groups: placesOf(groups), categories: placesOf(categories) }
  for (const product of catalog.products) {
    const changes = changed[product.code]
    if (isRecord(changes)) draft = withProduct(draft, product, changesOf(changes))
  }
  return draft
}

function read(storage: DraftStorage): Record<string, unknown> | undefined {
  try {
    const kept: unknown = JSON.parse(storage.getItem(DRAFT_STORED_AS) ?? 'null')
    return isRecord(kept) ? kept : undefined
  } catch {
    // Text that this page did not write counts as nothing.
    return undefined
  }
}

function changesOf({ enabled, name, category, display_order: order, adjustment }: Record<string, unknown>) {
  const changes: { -readonly [K in keyof ProductDraft]: ProductDraft[K] } = {}
  if (typeof enabled === 'boolean') changes.enabled = enabled
  if (typeof name === 'string') changes.name = name
  if (typeof category === 'string') changes.category = category
  if (typeof order === 'number') changes.display_order = order
  if (isRecord(adjustment) && typeof adjustment.text === 'string') {
    const type = adjustment.type === 'percentage' ? 'percentage' : 'fixed'
    changes.adjustment = { type, text: adjustment.text }
  }
  return changes
}

function placesOf(kept: unknown): Record<string, PlaceDraft> {
  const places = Object.entries(isRecord(kept) ? kept : {}).flatMap(([code, place]) => {
    if (!isRecord(place) || typeof place.name !== 'string') return []
    const group = typeof place.group === 'string' ? { group: place.group } : {}
    return [[code, { name: place.name, isOwn: place.isOwn === true, ...group }] as const]
  })
  return Object.fromEntries(places)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
