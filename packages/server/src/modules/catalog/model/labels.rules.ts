import { KIND_TRAITS } from './kinds.rules.ts'
import type { ProductKind } from './types.ts'

type Labelled = { readonly label: string; readonly validity: string | null }

/**
 * Returns the label; a mobile data plan's label without its validity: "Nova 10 GB 30 Days" with 30 Days gives
 * "Nova 10 GB".
 */
export function labelOf(kind: ProductKind, { label, validity }: Labelled): string {
  return KIND_TRAITS[kind].hidesValidity && validity !== null ? withoutValidity(label, validity) : label
}

/** Removes the validity as whole words ("30 Days" is not in "130 Days"), in any case and spacing. */
export function withoutValidity(label: string, validity: string): string {
  const words = validity.split(/\s+/).filter((word) => word !== '')
  if (words.length === 0) return label
  const phrase = words.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('\\s+')
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])(?:(?:valid for|valid|for)\\s+)?${phrase}(?![\\p{L}\\p{N}])`,
    'giu',
  )
  const cut = label.replaceAll(pattern, ' ')
  const rest = cut === label ? '' : tidy(cut)
  // A label that is nothing but the validity stays unchanged.
  return rest === '' ? label : rest
}

const SEPARATOR = /^[-–—,/|·•;:+&]+$/

/** Removes empty brackets, separators that separate nothing, and repeated spaces. */
function tidy(label: string): string {
  const kept: string[] = []
  for (const word of label.replaceAll(/\(\s*\)|\[\s*\]|\{\s*\}/g, ' ').split(/\s+/)) {
    const isIdle = SEPARATOR.test(word) && (kept.length === 0 || SEPARATOR.test(kept.at(-1) ?? ''))
    if (word !== '' && !isIdle) kept.push(word)
  }
  return kept
    .join(' ')
    .replaceAll(/ ([,;:])/g, '$1')
    .replace(/^[-–—,/|·•;:]+/, '')
    .replace(/[-–—,/|·•;:+& ]+$/, '')
    .trim()
}
