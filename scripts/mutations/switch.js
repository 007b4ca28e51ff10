/** Name of the global function that says whether a mutant is the active one. */
export const SWITCH = '__mutantIsActive'

/**
 * Returns a source that contains all mutants of a file, each behind a switch: one import serves them all. `mutants` are
 * changes with an id. The text of a mutant is the source as it was written, without further switches.
 */
export function withSwitches(text, mutants) {
  const places = []
  for (const mutant of [...mutants].sort(byPlace)) {
    const last = places.at(-1)
    if (last && isSamePlace(last, mutant)) last.mutants.push(mutant)
    else places.push({ ...mutant, mutants: [mutant] })
  }
  return render(text, 0, text.length, places)
}

/** Orders places from the outside to the inside; a statement lies outside its expression, which may be as long. */
function byPlace(a, b) {
  return a.start - b.start || b.end - a.end || Number(b.isStatement ?? false) - Number(a.isStatement ?? false)
}

function isSamePlace(a, b) {
  return a.start === b.start && a.end === b.end && Boolean(a.isStatement) === Boolean(b.isStatement)
}

function render(text, start, end, places) {
  let out = ''
  let at = start
  for (let index = 0; index < places.length; ) {
    const place = places[index]
    let next = index + 1
    while (next < places.length && places[next].start < place.end) next++
    const inner = render(text, place.start, place.end, places.slice(index + 1, next))
    out += text.slice(at, place.start) + switched(place, inner)
    at = place.end
    index = next
  }
  return out + text.slice(at, end)
}

function switched({ isStatement, mutants }, inner) {
  const ask = ({ id }) => `globalThis.${SWITCH}(${id})`
  // The outer braces keep an `else` after the statement with the `if` before it.
  if (isStatement) return `{if(!${ask(mutants[0])}){${inner}}}`
  return `(${mutants.map((mutant) => `${ask(mutant)}?(${mutant.replacement}):`).join('')}(${inner}))`
}
