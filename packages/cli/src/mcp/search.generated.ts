// Generated from packages/docs/src/search/search.ts by npm run sdk-api. Do not edit.
import { termsOf } from './text.generated.ts'

/** Index that is built with the site and loaded when the search is first used. */
export type SearchIndex = {
  /** Page, title of the part, address, and the beginning of its text. */
  readonly parts: readonly (readonly [page: string, title: string, url: string, snippet: string])[]
  /** Pairs of a part's number and its weight, one after the other, by term. */
  readonly terms: Readonly<Record<string, readonly number[]>>
}

export type Found = {
  readonly page: string
  readonly title: string
  readonly url: string
  readonly snippet: string
}

const PREFIX_FACTOR = 0.7
const FUZZY_FACTORS = [1, 0.45, 0.25] as const
const FUZZY_FROM = 4
const TWO_MISTAKES_FROM = 8

/** Finds parts by words that may be incomplete or mistyped, best first. */
export function search(index: SearchIndex, query: string, limit = 12): Found[] {
  const wanted = [...new Set(termsOf(query))]
  if (wanted.length === 0) return []
  const vocabulary = Object.keys(index.terms)
  const scores = new Map<number, { score: number; matched: number }>()
  for (const term of wanted) {
    for (const [part, score] of scoresOf(term, vocabulary, index)) {
      const total = scores.get(part) ?? { score: 0, matched: 0 }
      scores.set(part, { score: total.score + score, matched: total.matched + 1 })
    }
  }
  // A part that has all words comes before one that has a single word often.
  const worth = ({ score, matched }: { score: number; matched: number }) =>
    score * (matched / wanted.length) ** 2
  return [...scores]
    .sort(([a, left], [b, right]) => worth(right) - worth(left) || a - b)
    .slice(0, limit)
    .flatMap(([part]) => {
      const found = index.parts[part]
      if (found === undefined) return []
      const [page, title, url, snippet] = found
      return [{ page, title, url, snippet }]
    })
}

/** Returns the best score of each part for one word. */
function scoresOf(term: string, vocabulary: readonly string[], index: SearchIndex): Map<number, number> {
  const best = new Map<number, number>()
  for (const known of vocabulary) {
    const factor = likeness(term, known)
    if (factor === 0) continue
    const postings = index.terms[known] ?? []
    const rarity = Math.log(1 + index.parts.length / (postings.length / 2))
    for (let at = 0; at < postings.length; at += 2) {
      const part = postings[at] ?? 0
      const score = factor * rarity * Math.log2(1 + (postings[at + 1] ?? 0))
      if (score > (best.get(part) ?? 0)) best.set(part, score)
    }
  }
  return best
}

/** Returns 1 for the same word, less for a beginning of it or a mistyped one, 0 for another word. */
export function likeness(term: string, known: string): number {
  if (term === known) return 1
  if (known.startsWith(term))
    return term.length < 2 ? 0 : PREFIX_FACTOR * Math.sqrt(term.length / known.length)
  if (term.length < FUZZY_FROM) return 0
  const most = term.length >= TWO_MISTAKES_FROM ? 2 : 1
  if (Math.abs(term.length - known.length) > most) return 0
  const distance = distanceOf(term, known, most)
  return distance > most ? 0 : (FUZZY_FACTORS[distance] ?? 0)
}

/** Returns how many letters differ (changed, added, left out, or two swapped); more than `most` may be any such number. */
function distanceOf(a: string, b: string, most: number): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1]
      let least = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (isSame ? 0 : 1))
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwapped) least = Math.min(least, (before[j - 2] ?? 0) + 1)
      next.push(least)
    }
    if (Math.min(...next) > most) return most + 1
    before = row
    row = next
  }
  return row[b.length] ?? most + 1
}
