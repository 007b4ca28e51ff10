const NAME_LENGTH_MAX = 100
const NAMES_MAX = 50_000
const SHOWN_MAX = 3

/** Finds the names that a misspelt one may have meant, nearest first; at most three, and none where nothing is near. */
export function nearestNames(wanted: string, names: Iterable<string>): string[] {
  const sought = wanted.slice(0, NAME_LENGTH_MAX).toUpperCase()
  const farthest = Math.max(1, Math.floor(sought.length / 3))
  const found: { name: string; distance: number }[] = []
  let seen = 0
  for (const name of names) {
    seen += 1
    if (seen > NAMES_MAX) break
    const candidate = name.slice(0, NAME_LENGTH_MAX).toUpperCase()
    if (Math.abs(candidate.length - sought.length) > farthest) continue
    const distance = editDistance(sought, candidate)
    if (distance <= farthest) found.push({ name, distance })
  }
  found.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
  return found.slice(0, SHOWN_MAX).map(({ name }) => name)
}

/** Builds ` (did you mean NOVA?)` for the end of a sentence; empty where nothing is near. */
export function nearestHint(wanted: string, names: Iterable<string>): string {
  const nearest = nearestNames(wanted, names)
  return nearest.length === 0 ? '' : ` (did you mean ${nearest.join(' or ')}?)`
}

const HINTS_MAX = 20

/**
 * Builds hints for a document in which many names may be wrong. Each hint compares with every known name, so only the
 * first ones get a hint.
 */
export function createHints(known: { keys(): Iterable<string> }): (wanted: string) => string {
  let given = 0
  return (wanted) => {
    given += 1
    return given > HINTS_MAX ? '' : nearestHint(wanted, known.keys())
  }
}

/** Builds `There is no price level STANDRD. Did you mean STANDARD?` */
export function noSuchName(what: string, wanted: string, names: Iterable<string>): string {
  const shown = wanted.slice(0, NAME_LENGTH_MAX)
  const nearest = nearestNames(wanted, names)
  return `There is no ${what} ${shown}.${nearest.length === 0 ? '' : ` Did you mean ${nearest.join(' or ')}?`}`
}

/** Counts the insertions, deletions, replacements and swaps of neighbours that lead from one text to the other. */
export function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1]
      let best = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
      )
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        best = Math.min(best, (beforePrevious[column - 2] ?? 0) + 1)
      }
      current.push(best)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[b.length] ?? 0
}
