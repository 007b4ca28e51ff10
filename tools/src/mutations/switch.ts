import type { Change } from './typescript.ts'

/** Name of the global function that says whether a mutant is the active one. */
export const SWITCH = '__mutantIsActive'

declare global {
  var __mutantIsActive: (id: number) => boolean
}

type Numbered = Change & { id: number }
/** Place of the source, with its mutants. */
type Place = Change & { mutants: Numbered[] }

/**
 * Returns a source that contains all mutants of a file, each behind a switch: one import serves them all. `mutants` are
 * changes with an id. The text of a mutant is the source as it was written, without further switches.
 */
export function withSwitches(text: string, mutants: readonly Numbered[]): string {
  const places: Place[] = []
  for (const mutant of [...mutants].sort(byPlace)) {
    const last = places.at(-1)
    if (last && isSamePlace(last, mutant)) last.mutants.push(mutant)
    else places.push({ ...mutant, mutants: [mutant] })
  }
  return render(text, 0, text.length, places)
}

/** Orders places from the outside to the inside; a statement lies outside its expression, which may be as long. */
function byPlace(a: Change, b: Change) {
  return a.start - b.start || b.end - a.end || Number(b.isStatement ?? false) - Number(a.isStatement ?? false)
}

function isSamePlace(a: Change, b: Change) {
  return a.start === b.start && a.end === b.end && Boolean(a.isStatement) === Boolean(b.isStatement)
}

function render(text: string, start: number, end: number, places: readonly Place[]) {
  let out = ''
  let at = start
  for (let rest = places; rest[0] !== undefined; ) {
    const [place, ...others] = rest
    const behind = others.findIndex((each) => each.start >= place.end)
    const inside = behind === -1 ? others : others.slice(0, behind)
    const inner: string = render(text, place.start, place.end, inside)
    out += text.slice(at, place.start) + switched(place, inner)
    at = place.end
    rest = others.slice(inside.length)
  }
  return out + text.slice(at, end)
}

function switched({ isStatement, mutants }: Place, inner: string) {
  const ask = (id: number | undefined) => `globalThis.${SWITCH}(${id})`
  // The outer braces keep an `else` after the statement with the `if` before it.
  if (isStatement) return `{if(!${ask(mutants[0]?.id)}){${inner}}}`
  return `(${mutants.map((mutant) => `${ask(mutant.id)}?(${mutant.replacement}):`).join('')}(${inner}))`
}
