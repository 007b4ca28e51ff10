/** Stored set of events: the number of creations and updates (`coming`), and of deletions (`going`). */
export type SetSize = { readonly id: string; readonly coming: number; readonly going: number }

/** Run of events of one set: either its creations and updates or its deletions, in the order of their positions. */
export type Slice = {
  readonly setId: string
  readonly isGoing: boolean
  readonly skip: number
  readonly count: number
  /** Position of the first event in the account's order. */
  readonly position: number
}

/**
 * Finds where the events from `first` to `last` are stored. An account gets creations and updates set by set,
 * then deletions from the last set to the first: options before their product, and products before their
 * category.
 */
export function locate(sets: readonly SetSize[], first: number, last: number): readonly Slice[] {
  const runs = [
    ...sets.map(({ id, coming }) => ({ id, isGoing: false, size: coming })),
    ...sets.toReversed().map(({ id, going }) => ({ id, isGoing: true, size: going })),
  ]
  const slices: Slice[] = []
  let before = 0
  for (const { id, isGoing, size } of runs) {
    const from = Math.max(first, before + 1)
    const to = Math.min(last, before + size)
    if (from <= to) {
      slices.push({
        setId: id,
        isGoing,
        skip: from - before - 1,
        count: to - from + 1,
        position: from,
      })
    }
    before += size
    if (before >= last) break
  }
  return slices
}
