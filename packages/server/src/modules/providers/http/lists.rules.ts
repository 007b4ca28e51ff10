import { isPosition, ONLY, textAt, valueAt } from '../language/paths.rules.ts'
import { renderText } from '../language/template.rules.ts'
import type { ListReading, Path, Values } from '../language/types.ts'

// Rules that find the part of an answer that is ours, where the answer is a list.

export type Part =
  /** The answer is no list, by its configuration. */
  | { readonly kind: 'whole'; readonly json: unknown }
  | { readonly kind: 'picked'; readonly json: unknown }
  /** The answer has no list where one was expected: it may be an error. */
  | { readonly kind: 'outside'; readonly json: unknown }
  /** The list has no element of ours. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'unclear'; readonly reason: string; readonly isAmbiguous: boolean }

/**
 * Finds the part of an answer that is about the question, which was written with `values`. The place of an element
 * says nothing: suppliers search by a part of a reference, and sort as they like.
 */
export function partOf(
  list: Pick<ListReading<string>, 'at' | 'key' | 'wanted'> | null,
  json: unknown,
  values: Values,
): Part {
  if (list === null) return { kind: 'whole', json }
  // An answer that is a list itself is the one: some suppliers wrap it in one version of their answers alone.
  const items: unknown = Array.isArray(json) ? json : valueAt(json, list.at)
  if (!Array.isArray(items)) return { kind: 'outside', json }
  const wanted = renderText(list.wanted, values, (value) => value)
  const found = items.filter((item) => textAt(item, list.key) === wanted)
  if (found.length > 1) {
    const reason = `the list in the answer has ${found.length} elements of ours`
    return { kind: 'unclear', reason, isAmbiguous: true }
  }
  if (found.length === 1) return { kind: 'picked', json: found[0] }
  // A mistake in the configuration must not look like an order that does not exist.
  const isReadable = items.every((item) => textAt(item, list.key) !== undefined)
  if (isReadable) return { kind: 'absent' }
  const reason = 'the list in the answer has an element that cannot be told from ours'
  return { kind: 'unclear', reason, isAmbiguous: false }
}

/** Tells whether a path leads by position into a list of several elements. */
export function isCrowded(json: unknown, path: Path): boolean {
  return path.some((segment, at) => {
    if (segment !== ONLY && !isPosition(segment)) return false
    const value = valueAt(json, path.slice(0, at))
    return Array.isArray(value) && value.length > 1
  })
}
