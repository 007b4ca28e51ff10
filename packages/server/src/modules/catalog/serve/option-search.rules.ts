import type { EffectiveOption, Option } from '../model/types.ts'

// Search among the options of a field as somebody types, such as tens of thousands of billers.

/** Texts of an option in the form in which they are compared. */
type SearchTexts = {
  readonly label: string
  /** Label without spaces, so that "tnb" finds "T.N.B.". */
  readonly joined: string
  readonly code: string
}

/** Reduces a text to lower-case letters and digits, words apart by one space; accents and other signs do not count. */
export function normalise(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

const joinedOf = (text: string) => text.replaceAll(' ', '')

// Options are shared by all accounts and outlive changes of others, so each is normalised once.
const known = new WeakMap<Option, SearchTexts>()

function textsOf(option: Option): SearchTexts {
  const found = known.get(option)
  if (found !== undefined) return found
  const label = normalise(option.label)
  const made = { label, joined: joinedOf(label), code: joinedOf(normalise(option.code)) }
  known.set(option, made)
  return made
}

/** Ranks, best first: the thing itself, its beginning, beginnings of its words, anything inside. */
const RANKS = 5

type Wanted = { readonly text: string; readonly joined: string; readonly words: readonly string[] }

/**
 * Finds the options that match, best first and otherwise in their own order. Every word of the search has to be in the
 * label or in the code.
 */
export function searchOptions(
  options: readonly EffectiveOption[],
  search: string,
): readonly EffectiveOption[] {
  const text = normalise(search)
  if (text === '') return []
  const wanted = { text, joined: joinedOf(text), words: text.split(' ') }
  const ranked: EffectiveOption[][] = Array.from({ length: RANKS }, () => [])
  for (const each of options) ranked[rankOf(textsOf(each.option), wanted)]?.push(each)
  return ranked.flat()
}

/** Returns the rank, or -1 if it does not match. */
function rankOf({ label, joined, code }: SearchTexts, wanted: Wanted): number {
  if (label === wanted.text || code === wanted.joined) return 0
  if (label.startsWith(wanted.text)) return 1
  if (code.startsWith(wanted.joined)) return 2
  // Most options end here: one comparison for each word.
  if (!wanted.words.every((word) => label.includes(word) || code.includes(word))) {
    return joined.includes(wanted.joined) ? 4 : -1
  }
  return wanted.words.every((word) => label.startsWith(word) || label.includes(` ${word}`)) ? 3 : 4
}
