import { ANY, isPosition, ONLY } from './paths.rules.ts'
import type { Reader } from './reading.rules.ts'
import {
  below,
  complain,
  complainOfOutdated,
  entriesOf,
  needed,
  object,
  optional,
  text,
} from './reading.rules.ts'
import { containsUnaltered, template } from './sources.rules.ts'
import type { ListReading, Path, Verdict, Vocabulary } from './types.ts'

// Reads the paths of a configuration, and how the element of a list is found.

const PATH_SEGMENTS_MAX = 20

/** Reads a path such as `data.item.serial`. */
export const path: Reader<Path> = (value, site) => {
  const segments = anyPath(value, site)
  return segments.includes(ANY)
    ? complain(site, `takes no ${ANY}: only a table, a reason and an offer do`, [])
    : segments
}

/** Reads a path that may lead to several values. */
export const anyPath: Reader<Path> = (value, site) => {
  const written = text(value, site)
  if (written === '') return []
  const segments = written.split('.')
  if (segments.includes('')) return complain(site, 'must be names joined by single dots', [])
  if (segments.length > PATH_SEGMENTS_MAX) return complain(site, 'is too long a path', [])
  return segments.some(isPosition) ? complainOfOutdated(site, byPosition(segments), segments) : segments
}

/** Reads one, or a list of those of which the first that leads to a value counts. */
export function severalOf<T>(reader: Reader<T>): Reader<readonly T[]> {
  return (value, site) => {
    if (!Array.isArray(value)) return [reader(value, site)]
    if (value.length === 0) return complain(site, 'must have at least one', [])
    return value.map((each, at) => reader(each, below(site, String(at))))
  }
}

/** Reads one path or several, of which the first that leads to a value counts. */
export const paths = severalOf(anyPath)
/** Reads the same, of a single value each. */
export const places = severalOf(path)

function byPosition(segments: Path): string {
  const at = segments.slice(0, segments.findIndex(isPosition)).join('.')
  const place = at === '' ? '' : `"at": "${at}", `
  return (
    'takes an element of a list by its position, which may be another order: pick ours with ' +
    `"list": { ${place}"where": { "reference": "{{reference}}" } } in the response, or write ${ONLY} for ` +
    'the element of a list that has only one'
  )
}

export function leadsIntoList(each: Path): boolean {
  return each.some((segment) => segment === ONLY || isPosition(segment))
}

// ── Lists ──

/** Reads how our element of a list is found: by one value, which is the reference where it is about an order. */
export function listOf<Name extends string>(
  words: Vocabulary,
  absent: Verdict<Name> | null = null,
): Reader<ListReading<Name>> {
  return object(
    { at: optional(path, []), where: needed(entriesOf(template(words)), []) },
    ({ at, where }, { site }) => {
      const [first] = where
      const whereSite = below(site, 'where')
      if (first === undefined || where.length > 1) {
        const standIn = { at: [], key: [], wanted: [], absent: null }
        return complain(whereSite, 'must have one member: the path of a value, and the value', standIn)
      }
      const [written, wanted] = first
      const names = ['reference', 'supplier_id'].filter((name) => name in words)
      if (names.length > 0 && wanted.length > 0 && !names.some((name) => containsUnaltered(wanted, name))) {
        complain(below(whereSite, written), 'must be {{reference}}, whole: it tells our order from others', 0)
      }
      return { at, key: path(written, whereSite), wanted, absent }
    },
  )
}
