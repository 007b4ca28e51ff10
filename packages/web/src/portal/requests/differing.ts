/** Two texts, cut where they differ. */
type Differing = {
  readonly before: string
  readonly ours: string
  readonly yours: string
  readonly after: string
}

/** Finds the part between the equal beginning and the equal end. A text that was cut has no end to compare. */
export function differingOf(ours: string, yours: string, isCut: boolean): Differing {
  const shorter = Math.min(ours.length, yours.length)
  let start = 0
  while (start < shorter && ours[start] === yours[start]) start += 1
  let end = 0
  while (!isCut && end < shorter - start && ours.at(-1 - end) === yours.at(-1 - end)) end += 1
  return {
    before: ours.slice(0, start),
    ours: ours.slice(start, ours.length - end),
    yours: yours.slice(start, yours.length - end),
    after: ours.slice(ours.length - end),
  }
}

/** Makes line breaks, tabs and spaces visible, which a difference may consist of. */
export function visible(text: string): string {
  return text
    .replaceAll('\r', '␍')
    .replaceAll('\n', '↵\n')
    .replaceAll('\t', '⇥')
    .replaceAll(' ', '·')
    .replaceAll('\uFEFF', '⟨BOM⟩')
}
