import type { SearchIndex } from './search.ts'
import { termsOf } from './text.ts'

/** Part of a page, as the index takes it. */
export type Entry = {
  /** Title of the page. */
  readonly page: string
  /** Title of the part; empty for the page's beginning. */
  readonly title: string
  readonly url: string
  readonly text: string
  /** Further words that count as much as a title, such as the name of an operation. */
  readonly names: string
  /** Weight of its group: guides for integrators come before what fewer people look for. */
  readonly weight: number
}

const TITLE_WEIGHT = 12
const PAGE_WEIGHT = 6
const TEXT_MAX = 4
const SNIPPET_LENGTH = 120

/** Builds the index: for every term the parts that have it, with a weight for each. */
export function buildIndex(entries: readonly Entry[]): SearchIndex {
  const terms = new Map<string, number[]>()
  for (const [id, entry] of entries.entries()) {
    for (const [term, weight] of weightsOf(entry)) {
      const postings = terms.get(term) ?? []
      postings.push(id, Math.max(1, Math.round(weight * entry.weight)))
      terms.set(term, postings)
    }
  }
  return {
    parts: entries.map(({ page, title, url, text }) => [page, title, url, snippetOf(text)]),
    terms: Object.fromEntries([...terms].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

function weightsOf({ page, title, text, names }: Entry): Map<string, number> {
  const counts = new Map<string, number>()
  for (const term of termsOf(text)) counts.set(term, Math.min((counts.get(term) ?? 0) + 1, TEXT_MAX))
  const add = (from: string, weight: number) => {
    for (const term of new Set(termsOf(from))) counts.set(term, (counts.get(term) ?? 0) + weight)
  }
  add(`${title} ${names}`, TITLE_WEIGHT)
  add(page, title === '' ? TITLE_WEIGHT : PAGE_WEIGHT)
  return counts
}

function snippetOf(text: string): string {
  if (text.length <= SNIPPET_LENGTH) return text
  return `${text.slice(0, text.lastIndexOf(' ', SNIPPET_LENGTH))} …`
}
