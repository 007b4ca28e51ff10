import { RELEASE_2026_09_16 } from './release-2026-09-16.view.ts'
import type { Release } from './releases.rules.ts'
import type { CatalogWire, OptionsWire } from './schemas.ts'

/** What one release changed, undone: each turns its own form into the one before it. */
type DatedChange = {
  readonly date: Release
  readonly catalog: (newer: CatalogWire) => CatalogWire
  readonly options: (newer: OptionsWire) => OptionsWire
}

/** Newest first: the order in which they are undone. */
const CHANGES: readonly DatedChange[] = [{ date: '2026-09-16', ...RELEASE_2026_09_16 }]

export function catalogFor(release: Release, newest: CatalogWire): CatalogWire {
  return changesAfter(release).reduce((wire, change) => change.catalog(wire), newest)
}

export function optionsFor(release: Release, newest: OptionsWire): OptionsWire {
  return changesAfter(release).reduce((wire, change) => change.options(wire), newest)
}

function changesAfter(release: Release): readonly DatedChange[] {
  return CHANGES.filter((change) => change.date > release)
}
