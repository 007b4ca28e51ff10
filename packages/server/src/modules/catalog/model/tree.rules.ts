import type {
  BaseCatalog,
  Category,
  EffectiveCategory,
  EffectiveGroup,
  Group,
  Overlay,
  OverlayCategory,
  OverlayGroup,
} from './types.ts'

/** Groups and categories as one account sees them, each in display order, with inactive and empty ones. */
export type Tree = {
  readonly groups: readonly EffectiveGroup[]
  readonly categories: readonly EffectiveCategory[]
  /** Codes of the categories that can be shown: they and their groups are active. */
  readonly activeCategories: ReadonlySet<string>
}

/** Order of own groups and categories that have none: they come first. */
const OWN_ORDER = 0

export function compileTree(base: BaseCatalog, overlay: Overlay | undefined): Tree {
  const groups = mergeGroups(base.groups, overlay?.groups ?? [])
  const categories = mergeCategories(base, groups, overlay?.categories ?? [])
  return {
    groups: inDisplayOrder(groups.values()),
    categories: inDisplayOrder(categories),
    activeCategories: new Set(categories.filter((each) => each.isActive).map((each) => each.code)),
  }
}

function mergeGroups(
  base: readonly Group[],
  changes: readonly OverlayGroup[],
): ReadonlyMap<string, EffectiveGroup> {
  const groups = new Map(base.map((group) => [group.code, labelsOf(group)]))
  for (const change of changes) {
    const group = groups.get(change.code) ?? (change.isOwn ? ownLabels(change.code) : undefined)
    if (group !== undefined) groups.set(change.code, withLabels(group, change))
  }
  return groups
}

function mergeCategories(
  base: BaseCatalog,
  groups: ReadonlyMap<string, EffectiveGroup>,
  changes: readonly OverlayCategory[],
): EffectiveCategory[] {
  const changeOf = new Map(changes.map((change) => [change.code, change]))
  // A category that the base switches off is off for everybody, wherever a reseller has moved it.
  const activeGroups = new Set(base.groups.filter((group) => group.isActive).map((group) => group.code))
  const merged = base.categories.map((category) => {
    const change = changeOf.get(category.code)
    changeOf.delete(category.code)
    const isActive = category.isActive && activeGroups.has(category.groupCode)
    const groupCode = findActiveGroup(groups, change) ?? category.groupCode
    return { ...withLabels(labelsOf(category), change), groupCode, isActive }
  })
  const own = [...changeOf.values()].flatMap((change) => {
    const groupCode = findActiveGroup(groups, change)
    if (!change.isOwn || groupCode === undefined) return []
    return [{ ...withLabels(ownLabels(change.code), change), groupCode }]
  })
  return [...merged, ...own]
}

/** Finds the group that a category moves to; a group that is gone or switched off does not count. */
function findActiveGroup(
  groups: ReadonlyMap<string, EffectiveGroup>,
  change: OverlayCategory | undefined,
): string | undefined {
  const groupCode = change?.groupCode ?? undefined
  return groupCode !== undefined && groups.get(groupCode)?.isActive === true ? groupCode : undefined
}

function labelsOf({ code, name, iconUrl, displayOrder, isActive }: Group | Category): EffectiveGroup {
  return { code, name, iconUrl, displayOrder, isActive }
}

function ownLabels(code: string): EffectiveGroup {
  return { code, name: code, iconUrl: '', displayOrder: OWN_ORDER, isActive: true }
}

function withLabels(
  labels: EffectiveGroup,
  change: OverlayGroup | OverlayCategory | undefined,
): EffectiveGroup {
  if (change === undefined) return labels
  return {
    ...labels,
    name: change.name ?? labels.name,
    iconUrl: change.iconUrl ?? labels.iconUrl,
    displayOrder: change.displayOrder ?? labels.displayOrder,
  }
}

type Ordered = { readonly displayOrder: number; readonly code: string }

export function inDisplayOrder<T extends Ordered>(items: Iterable<T>): T[] {
  return [...items].sort(byDisplayOrder)
}

/**
 * Compares display orders. Equal orders are decided by the character codes of the codes, so that every node
 * shows the same order.
 */
export function byDisplayOrder(a: Ordered, b: Ordered): number {
  return a.displayOrder - b.displayOrder || (a.code < b.code ? -1 : a.code > b.code ? 1 : 0)
}
