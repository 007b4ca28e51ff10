const WORD_LENGTH_MAX = 60
const CANDIDATES_MAX = 100_000

/** Names that somebody may have meant, nearest first; none when nothing is near. */
export function nearest(word: string, candidates: Iterable<string>, max = 3): string[] {
  const wanted = word.slice(0, WORD_LENGTH_MAX).toLowerCase()
  const limit = Math.max(1, Math.floor(wanted.length / 3))
  const found: { readonly name: string; readonly distance: number }[] = []
  let seen = 0
  for (const name of candidates) {
    seen += 1
    if (seen > CANDIDATES_MAX) break
    const distance = distanceWithin(wanted, name.slice(0, WORD_LENGTH_MAX).toLowerCase(), limit)
    if (distance !== undefined) found.push({ name, distance })
  }
  return found
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, max)
    .map(({ name }) => name)
}

/** Letters to add, take away, change or swap with their neighbour; undefined: more than the limit. */
function distanceWithin(a: string, b: string, limit: number): number | undefined {
  if (Math.abs(a.length - b.length) > limit) return undefined
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const change = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      let cost = Math.min(change, at(last, j) + 1, at(row, j - 1) + 1)
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwapped) cost = Math.min(cost, at(before, j - 2) + 1)
      row.push(cost)
    }
    if (Math.min(...row) > limit) return undefined
    before = last
    last = row
  }
  const distance = at(last, b.length)
  return distance <= limit ? distance : undefined
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}
