import type { EffectiveProduct } from '../model/types.ts'
import { RELEASE_2026_09_16 } from './release-2026-09-16.view.ts'
import type { Release } from './releases.rules.ts'
import type { CatalogWire, OptionsWire } from './schemas.ts'

/** Undoes what one release changed: turns the form of that release into the one before it. */
type DatedChange = {
  readonly date: Release
  /** Converts the catalogue; `products` are the ones it was made of, by code. */
  readonly catalog: (newer: CatalogWire, products: ReadonlyMap<string, EffectiveProduct>) => CatalogWire
  readonly options: (newer: OptionsWire, product: EffectiveProduct) => OptionsWire
}

/** Changes, newest first: the order in which they are undone. */
const CHANGES: readonly DatedChange[] = [{ date: '2026-09-16', ...RELEASE_2026_09_16 }]

export function catalogFor(
  release: Release,
  newest: CatalogWire,
  products: ReadonlyMap<string, EffectiveProduct>,
): CatalogWire {
  return changesAfter(release).reduce((wire, change) => change.catalog(wire, products), newest)
}

export function optionsFor(release: Release, newest: OptionsWire, product: EffectiveProduct): OptionsWire {
  return changesAfter(release).reduce((wire, change) => change.options(wire, product), newest)
}

function changesAfter(release: Release): readonly DatedChange[] {
  return CHANGES.filter((change) => change.date > release)
}
