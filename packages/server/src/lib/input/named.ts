import type { Rule } from './fields.ts'

const LENGTH = { min: 2, max: 100 }

/** Text that somebody types to find something. Spaces around it are dropped: nobody means them. */
export const SEARCH_TEXT: Rule<string> = {
  message: `must be ${LENGTH.min} to ${LENGTH.max} characters of text`,
  schema: { type: 'string', minLength: LENGTH.min, maxLength: LENGTH.max },
  read(value) {
    if (typeof value !== 'string' || value.length > LENGTH.max || value.includes('\0')) return undefined
    const text = value.trim()
    return text.length < LENGTH.min ? undefined : text
  },
}

export type Named = { readonly code: string; readonly name: string }

/** Finds those whose code or name holds the text: beginnings of codes first, then of names, then the rest. */
export function findNamed<T extends Named>(all: Iterable<T>, text: string, limit: number): T[] {
  const wanted = text.toLowerCase()
  const ranked: { readonly item: T; readonly rank: number }[] = []
  for (const item of all) {
    const [code, name] = [item.code.toLowerCase(), item.name.toLowerCase()]
    const rank = code.startsWith(wanted)
      ? 0
      : name.startsWith(wanted)
        ? 1
        : code.includes(wanted) || name.includes(wanted)
          ? 2
          : 3
    if (rank < 3) ranked.push({ item, rank })
  }
  return ranked
    .sort((a, b) => a.rank - b.rank || (a.item.name < b.item.name ? -1 : 1))
    .slice(0, limit)
    .map(({ item }) => item)
}
