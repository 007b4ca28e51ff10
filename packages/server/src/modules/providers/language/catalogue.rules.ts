import { minutesAhead } from '../../../lib/dates.ts'
import { currency, unit } from './money.rules.ts'
import { anyPath, path, paths, severalOf } from './path.rules.ts'
import { valuesOf } from './products.rules.ts'
import type { Reader } from './reading.rules.ts'
import {
  below,
  byType,
  complain,
  entriesOf,
  integer,
  isObject,
  needed,
  object,
  oneOf,
  optional,
  text,
} from './reading.rules.ts'
import { requestMembers, requestOf } from './request.rules.ts'
import { headerName, template, uses } from './sources.rules.ts'
import type { Path, Template } from './types.ts'
import { CATALOGUE_WORDS } from './words.rules.ts'

// Reads how a supplier's list of offers is asked for, and where an offer is in it.

/** Segments at the beginning of an offer's path: the element around this one; the member of `each`, and its name. */
export const OUTER = '$outer'
export const EACH = '$each'
export const KEY = '$key'
/** Segment that leads to what belongs to the member of `each`, in another list or object. */
export const SAME = '$same'

/** Lists around an offer, and whether one element is several offers: they say what its paths may name. */
type Surroundings = { readonly levels: number; readonly hasEach: boolean }

function offerPath({ levels, hasEach }: Surroundings): Reader<Path> {
  return (value, site) => {
    const segments = anyPath(value, site)
    const outers = segments.findIndex((segment) => segment !== OUTER)
    const own = outers === -1 ? [] : segments.slice(outers)
    if (segments.length > 0 && own.length === 0) return complain(site, `must name a member of ${OUTER}`, [])
    if (outers > levels) return complain(site, `has more ${OUTER} than there are lists around an element`, [])
    const isBegun = own[0] === EACH || own[0] === KEY
    if ((isBegun || own.includes(SAME)) && !hasEach) return complain(site, 'needs "each"', [])
    const misplaced = own.find(
      (segment, at) => [OUTER, EACH, KEY].includes(segment) && (at > 0 || (outers > 0 && segment !== SAME)),
    )
    if (misplaced !== undefined) return complain(site, `has ${misplaced} where it means nothing`, [])
    const sames = own.filter((segment) => segment === SAME).length
    if (sames > 1 || own[0] === SAME)
      return complain(site, `takes one ${SAME}, behind the path of a list`, [])
    return segments
  }
}

/** Text of an offer: at a path, or written with values at several. */
export type OfferText =
  | { readonly path: Path }
  | { readonly text: Template; readonly names: readonly (readonly [string, Path])[] }

/** Reads a text of an offer; of several the first that has a value counts. */
function offerText(around: Surroundings): Reader<readonly OfferText[]> {
  const readPath = offerPath(around)
  const written: Reader<OfferText> = object(
    { text: needed(template({ '': 'text' }), []) },
    ({ text: parts }, seen) => {
      const names = parts.flatMap((part) => (typeof part === 'string' ? [] : [part.name]))
      const at = below(seen.site, 'text')
      return { text: parts, names: names.map((name) => [name, readPath(name, at)] as const) }
    },
  )
  return severalOf((value, site) =>
    isObject(value) ? written(value, site) : { path: readPath(value, site) },
  )
}

// ── Money ──

/** Place of an amount; `divisor` has the paths of a power of ten. */
export type OfferAmount = {
  readonly paths: readonly Path[]
  readonly unit: 'major' | 'minor'
  readonly divisor: readonly Path[] | null
}

export type OfferCurrency = { readonly code: string } | { readonly texts: readonly OfferText[] }

function offerCurrency(around: Surroundings): Reader<OfferCurrency> {
  const place = object({ path: needed(offerText(around), []) }, ({ path: texts }) => ({ texts }))
  return (value, site) => (isObject(value) ? place(value, site) : { code: currency(value, site) })
}

function amountMembers(around: Surroundings) {
  const read = severalOf(offerPath(around))
  return { unit: optional(unit, 'major'), divisor: optional(read, null) }
}

function face(around: Surroundings) {
  const read = optional(severalOf(offerPath(around)), null)
  return object(
    {
      currency: needed(offerCurrency(around), { code: '' }),
      amount: read,
      min: read,
      max: read,
      ...amountMembers(around),
    },
    ({ amount, min, max, unit: written, ...others }, { site }) => {
      const isOne = amount !== null && min === null && max === null
      const isRange = amount === null && min !== null && max !== null
      if (!isOne && !isRange) complain(site, 'must have either amount, or min and max', 0)
      return { ...others, unit: written, min: amount ?? min ?? [], max: amount ?? max ?? [] }
    },
  )
}

function cost(around: Surroundings) {
  const one = offerPath(around)
  const several = severalOf(one)
  const less = object({
    path: needed(several, []),
    of: needed<1 | 100>(
      (value, site) => (value === 1 ? 1 : value === 100 ? 100 : complain(site, 'must be 1 or 100', 100)),
      100,
    ),
  })
  const long = object({
    path: needed(several, []),
    ...amountMembers(around),
    currency: optional(offerCurrency(around), null),
    less: optional(less, null),
    plus: optional(several, null),
  })
  return (value: unknown, site: Parameters<typeof long>[1]) =>
    long(isObject(value) ? value : { path: value }, site)
}

// ── Hours ──

const GMT8 = 8 * 60

/** Minutes by which the zone is ahead of UTC. */
const zone: Reader<number> = (value, site) =>
  minutesAhead(text(value, site)) ?? complain(site, 'must be a zone such as +07:00 or Z', GMT8)

function hours(around: Surroundings) {
  const read = needed(offerText(around), [])
  return object({ opens: read, closes: read, zone: optional(zone, GMT8) })
}

// ── Fields, and state ──

function requires(around: Surroundings) {
  const long = object({ path: needed(severalOf(offerPath(around)), []), except: optional(texts, []) })
  return (value: unknown, site: Parameters<typeof long>[1]) =>
    long(isObject(value) ? value : { path: value }, site)
}

const TEXTS_MAX = 200

const texts: Reader<readonly string[]> = (value, site) => {
  if (!Array.isArray(value) || value.length === 0 || value.length > TEXTS_MAX) {
    return complain(site, `must be a list of 1 to ${TEXTS_MAX} texts`, [])
  }
  return value.map((each, at) => text(each, below(site, String(at))))
}

/** Values that a member may have in an offer that is open; null: the offer has no such member. */
export type Condition = readonly [path: Path, allowed: readonly (string | null)[]]

function conditions(around: Surroundings): Reader<readonly Condition[]> {
  const readPath = offerPath(around)
  const one: Reader<string | null> = (value, site) => {
    if (value === null) return null
    if (['string', 'boolean', 'number'].includes(typeof value)) return String(value)
    return complain(site, 'must be a text, a number, true, false or null', null)
  }
  const readAll = entriesOf(severalOf(one))
  return (value, site) =>
    readAll(value, site).map(([name, allowed]) => [readPath(name, below(site, name)), allowed])
}

// ── The answer ──

const LEVELS_MAX = 3

/** Reads the paths of the lists that lead to an offer, from the outside in. A text is the path of one list. */
const levels: Reader<readonly Path[]> = (value, site) => {
  if (value === '$') return [[]]
  const found = Array.isArray(value) ? value : [value]
  if (found.length === 0 || found.length > LEVELS_MAX) {
    return complain(site, `must be the path of a list, or of up to ${LEVELS_MAX}, one in the other`, [])
  }
  return found.map((each, at) =>
    each === '$' && at === 0 ? [] : path(each, Array.isArray(value) ? below(site, String(at)) : site),
  )
}

function offerMembers(around: Surroundings) {
  const read = optional(offerText(around), [])
  return {
    code: needed(offerText(around), []),
    name: read,
    brand: read,
    country: read,
    type: read,
    description: read,
    image: read,
    validity: read,
    open: optional(conditions(around), []),
    face: optional(severalOf(face(around)), []),
    cost: optional(severalOf(cost(around)), []),
    hours: optional(hours(around), null),
    requires: optional(requires(around), null),
    values: optional(valuesOf(offerText(around)), []),
    fixed_values: optional(valuesOf(offerText(around)), []),
  }
}

function responseMembers(around: Surroundings) {
  return {
    list: needed(levels, []),
    each: optional(severalOf(offerPath({ ...around, hasEach: false })), null),
    offer: needed(object(offerMembers(around)), NO_OFFER),
    reason: optional(paths, []),
  }
}

/** Stands for an offer that cannot be read: nobody hears of what is missing in it. */
const NO_OFFER = object(offerMembers({ levels: 1, hasEach: false }))(
  { code: 'code' },
  { path: '', problems: [], secretNames: new Set() },
)

const response = (value: unknown, site: Parameters<Reader<unknown>>[1]) => {
  const list = isObject(value) ? value.list : undefined
  const around = {
    levels: Array.isArray(list) ? list.length : 1,
    hasEach: isObject(value) && Object.hasOwn(value, 'each'),
  }
  return object(responseMembers(around))(value, site)
}

// ── Pages ──

const type = <const T extends string>(name: T) => needed(oneOf(name), name)
const COUNTED = { size: needed(integer(1, 100_000), 1), total: optional(path, null) }
const FIRST = { first: optional(text, null) }

const pages = byType(
  {
    number: object({ type: type('number'), first: optional(integer(0, 1), 1), ...COUNTED }),
    offset: object({ type: type('offset'), ...COUNTED }),
    header: object({ type: type('header'), header: needed(headerName, ''), ...FIRST }),
    path: object({ type: type('path'), path: needed(path, []), ...FIRST }),
    values: object({ type: type('values'), values: needed(texts, []) }),
  },
  'number',
)

const WAIT_MS_MAX = 3_600_000

/** Reads the question for the list, by pages. */
export const catalogue = object(
  {
    ...requestMembers(CATALOGUE_WORDS),
    pages: optional(pages, null),
    wait_ms: optional(integer(0, WAIT_MS_MAX), 0),
    response: needed(response, { list: [], each: null, offer: NO_OFFER, reason: [] }),
  },
  (found, seen) => {
    const request = requestOf(found, seen)
    const isPaged = found.pages !== null
    if (isPaged && !uses(request, 'page') && request.path.length > 0) {
      complain(seen.site, 'must send {{page}}: every page would be the first', 0)
    }
    if (!isPaged && (uses(request, 'page') || uses(request, 'page_size'))) {
      complain(seen.site, 'uses {{page}} or {{page_size}}, and has no "pages"', 0)
    }
    return { request, pages: found.pages, waitMs: found.waitMs, response: found.response }
  },
)

export type Catalogue = ReturnType<typeof catalogue>
export type OfferReading = Catalogue['response']
