import type { WholesalePrice } from '../catalog/model/types.ts'
import type { EarlierPrice } from './types.ts'

// Prices that move in small steps. Each step alone is within the limit of one person; all steps together are
// compared with the last price that a second person knew.

export type Terms = { readonly denominationUnitPrice: bigint; readonly wholesale: WholesalePrice }

/** Lists the terms of one level for one product, oldest first, the present ones last. `steps`: newest first. */
export function listTerms(present: Terms, steps: readonly EarlierPrice[], level: string): Terms[] {
  const found = [present]
  let { denominationUnitPrice } = present
  let wholesale: WholesalePrice | null = present.wholesale
  for (const step of steps) {
    if (step.levelCode !== null && step.levelCode !== level) continue
    if (step.levelCode === null) denominationUnitPrice = step.denominationUnitPrice ?? denominationUnitPrice
    else wholesale = step.wholesale
    if (wholesale !== null) found.push({ denominationUnitPrice, wholesale })
  }
  return found.reverse()
}

/**
 * Returns the terms that a change is compared with: the oldest known ones, or the last ones that moved too far,
 * because a second person was asked about those.
 */
export function referenceTerms(
  past: readonly Terms[],
  isFar: (from: Terms, to: Terms) => boolean,
): Terms | undefined {
  let [reference] = past
  for (const terms of past) {
    if (reference !== undefined && isFar(reference, terms)) reference = terms
  }
  return reference
}
