/** A stored set of events: how many tell of what is there, and how many of what is gone. */
export type SetSize = { readonly id: string; readonly coming: number; readonly going: number }

/** A run of events of one set: those of one sort, in the order of their positions. */
export type Slice = {
  readonly setId: string
  readonly isGoing: boolean
  readonly passOver: number
  readonly count: number
  /** Where its first one stands in the account's order. */
  readonly position: number
}

/**
 * Where the events from `first` to `last` lie. An account is told of what comes set by set, and after it of what
 * goes, from the last set to the first: options before their product, and products before their category.
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
        passOver: from - before - 1,
        count: to - from + 1,
        position: from,
      })
    }
    before += size
    if (before >= last) break
  }
  return slices
}
