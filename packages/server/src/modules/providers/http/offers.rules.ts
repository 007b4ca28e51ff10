import { parseWebUrl } from '../../../lib/input/urls.ts'
import type { Amount } from '../../../lib/money.ts'
import type { OfferAmount, OfferCurrency, OfferReading, OfferText } from '../language/catalogue.rules.ts'
import { EACH, KEY, OUTER, SAME } from '../language/catalogue.rules.ts'
import { countryOf } from '../language/countries.rules.ts'
import { UnwritableValue } from '../language/filters.rules.ts'
import { ExactNumber, numberText } from '../language/numbers.rules.ts'
import { textOfValue, valueAt, valuesAt } from '../language/paths.rules.ts'
import { renderText } from '../language/template.rules.ts'
import type { Path } from '../language/types.ts'
import type { CurrencyAmount, SupplierOffer } from '../port/types.ts'
import { amountOf, currencyAt, lessShare } from './money.rules.ts'

// Rules that read the offers in a supplier's list.

/** Element of a list, with the elements around it. */
export type Element = { readonly json: unknown; readonly outer: Element | null }

/** Member of the list or object that makes several offers of one element. */
type Each = {
  readonly value: unknown
  /** Its name, where it is a member of an object. */
  readonly key: string | null
  readonly at: number
  readonly count: number
}

type Scope = {
  readonly element: Element
  readonly each: Each | null
}

/** `currency` is that of costs without their own. */
export type ListReading = OfferReading & { readonly currency: string }

export type ReadOffers = { readonly offers: SupplierOffer[]; readonly unread: string[] }

/** An entry that is not as the configuration says. */
class UnreadableOffer extends Error {}

/**
 * Reads the offers of one element of the outermost list, and yields between them. What cannot be read is told by its code
 * or its place.
 */
export function* readElement(
  { list, each, offer, currency }: ListReading,
  element: Element,
  place: string,
  found: ReadOffers,
): Generator<void> {
  for (const [leaf, at] of leavesOf(element, list.slice(1), place, found)) {
    const members = each === null ? [null] : eachOf(leaf, each)
    if (members === undefined) found.unread.push(at)
    for (const member of members ?? []) {
      readOffer({ ...offer, currency }, { element: leaf, each: member }, at, found)
      yield
    }
  }
}

function* leavesOf(
  element: Element,
  [path, ...inner]: readonly Path[],
  place: string,
  found: ReadOffers,
): Generator<readonly [Element, string]> {
  if (path === undefined) {
    yield [element, place]
    return
  }
  const items = valueAt(element.json, path)
  if (items === null) return
  if (!Array.isArray(items)) {
    found.unread.push(place)
    return
  }
  for (const [at, json] of items.entries()) {
    yield* leavesOf({ json, outer: element }, inner, `${place}.${at}`, found)
  }
}

/** Returns the members that make an offer each; one without any where the element has none of them. */
function eachOf(element: Element, paths: readonly Path[]): readonly (Each | null)[] | undefined {
  const lists = paths.flatMap((path) => valuesIn({ element, each: null }, path))
  if (lists.some((list) => typeof list !== 'object' || list instanceof ExactNumber)) return undefined
  const entries = lists.map(entriesIn).find(({ length }) => length > 0) ?? []
  if (entries.length === 0) return [null]
  return entries.map(([key, value], at) => ({ value, key, at, count: entries.length }))
}

function entriesIn(list: unknown): readonly (readonly [string | null, unknown])[] {
  if (!Array.isArray(list)) return Object.entries(list as object)
  return list.map((value: unknown) => [null, value] as const)
}

type OfferForm = OfferReading['offer'] & Pick<ListReading, 'currency'>

function readOffer(offer: OfferForm, scope: Scope, place: string, found: ReadOffers): void {
  const code = textOf(scope, offer.code)
  if (code === undefined) {
    found.unread.push(place)
    return
  }
  try {
    found.offers.push(offerOf(offer, scope, code))
  } catch (problem) {
    if (!(problem instanceof UnreadableOffer)) throw problem
    found.unread.push(code)
  }
}

function offerOf(offer: OfferForm, scope: Scope, code: string): SupplierOffer {
  const text = (sources: readonly OfferText[]) => textOf(scope, sources) ?? null
  const face = faceOf(offer.face, scope)
  const isFixed = face === null || face.min === face.max
  const country = text(offer.country)
  const image = text(offer.image)
  return {
    code,
    name: text(offer.name) ?? code,
    brand: text(offer.brand),
    country: country === null ? null : countryOf(country),
    type: text(offer.type),
    description: text(offer.description),
    image: image !== null && parseWebUrl(image) !== undefined ? image : null,
    isOpen: isOpen(offer.open, scope),
    face,
    cost: isFixed ? costOf(offer, scope) : null,
    hours: hoursOf(offer.hours, scope),
    validity: text(offer.validity),
    requires: requiresOf(offer.requires, scope),
    values: Object.fromEntries(
      [...offer.values, ...(isFixed ? offer.fixedValues : [])].flatMap(([name, sources]) => {
        const value = text(sources)
        return value === null ? [] : [[name, value] as const]
      }),
    ),
  }
}

// ── Values ──

function valuesIn({ element, each }: Scope, path: Path): readonly unknown[] {
  const [first = '', ...rest] = path
  if (first === OUTER) {
    return element.outer === null ? [] : valuesIn({ element: element.outer, each }, rest)
  }
  if (first === EACH) return each === null ? [] : valuesAt(each.value, rest)
  if (first === KEY) return each === null || each.key === null ? [] : [each.key]
  const at = path.indexOf(SAME)
  if (at === -1) return valuesAt(element.json, path)
  const same = each === null ? undefined : sameIn(valueAt(element.json, path.slice(0, at)), each)
  return same === undefined ? [] : valuesAt(same, path.slice(at + 1))
}

/**
 * Returns what belongs to a member: at its place in a list that is as long, or under its value as a name. A list of another
 * length belongs to something else.
 */
function sameIn(container: unknown, { value, key, at, count }: Each): unknown {
  if (Array.isArray(container)) return container.length === count ? (container[at] as unknown) : undefined
  if (typeof container !== 'object' || container === null) return undefined
  const wanted = plainNumber(key ?? textOfValue(value) ?? '')
  const found = Object.entries(container).filter(([name]) => plainNumber(name) === wanted)
  return found.length === 1 ? found[0]?.[1] : undefined
}

function plainNumber(text: string): string {
  return numberText(new ExactNumber(text)) ?? text
}

function firstValue(scope: Scope, paths: readonly Path[]): unknown {
  for (const path of paths) {
    const [value] = valuesIn(scope, path)
    if (value !== undefined && value !== '') return value
  }
  return undefined
}

/** Returns the text of the first source that has a value. */
function textOf(scope: Scope, sources: readonly OfferText[]): string | undefined {
  for (const source of sources) {
    const text = 'path' in source ? textAtPath(scope, source.path) : writtenText(scope, source)
    if (text !== undefined && text !== '') return text
  }
  return undefined
}

function textAtPath(scope: Scope, path: Path): string | undefined {
  return textOfValue(valuesIn(scope, path)[0])?.trim()
}

function writtenText(
  scope: Scope,
  { text, names }: Extract<OfferText, { text: unknown }>,
): string | undefined {
  const values = names.map(([name, path]) => [name, textAtPath(scope, path)] as const)
  if (values.some(([, value]) => value === undefined || value === '')) return undefined
  try {
    return renderText(text, Object.fromEntries(values) as Record<string, string>).trim()
  } catch (problem) {
    if (problem instanceof UnwritableValue) return undefined
    throw problem
  }
}

// ── Money ──

/**
 * Returns undefined where there is no amount, as suppliers write by a 0, too; throws UnreadableOffer where there is one
 * that cannot be read.
 */
function amountIn(
  scope: Scope,
  paths: readonly Path[],
  place: Omit<OfferAmount, 'paths'>,
): Amount | undefined {
  const value = firstValue(scope, paths)
  if (value === undefined) return undefined
  const divisor = place.divisor === null ? null : (textOfValue(firstValue(scope, place.divisor)) ?? '')
  const amount = amountOf(textOfValue(value) ?? '', { unit: place.unit, divisor }, 'half_up')
  if (amount === undefined || amount < 0n) throw new UnreadableOffer('an amount')
  return amount === 0n ? undefined : amount
}

/** Returns undefined where no currency is named, and where a unit is that is no currency. */
function currencyOf(scope: Scope, source: OfferCurrency): string | undefined {
  if ('code' in source) return source.code
  return currencyAt({ currency: textOf(scope, source.texts) }, { path: ['currency'] }, '')
}

function faceOf(faces: OfferReading['offer']['face'], scope: Scope): SupplierOffer['face'] {
  for (const { currency: source, min: mins, max: maxs, ...place } of faces) {
    const currency = currencyOf(scope, source)
    const min = currency === undefined ? undefined : amountIn(scope, mins, place)
    const max = min === undefined ? undefined : amountIn(scope, maxs, place)
    if (currency === undefined || min === undefined || max === undefined) continue
    if (min > max) throw new UnreadableOffer('a range')
    return { currency, min, max }
  }
  return null
}

function costOf({ cost: costs, currency: usual }: OfferForm, scope: Scope): CurrencyAmount | null {
  for (const { path, currency: source, less, plus, ...place } of costs) {
    const listed = amountIn(scope, path, place)
    if (listed === undefined) continue
    const currency = source === null ? usual : currencyOf(scope, source)
    const share = less === null ? undefined : textOfValue(firstValue(scope, less.path))
    const reduced = share === undefined || less === null ? listed : lessShare(listed, share, less.of)
    const added = plus === null ? 0n : (amountIn(scope, plus, place) ?? 0n)
    if (currency === undefined || reduced === undefined) throw new UnreadableOffer('a cost')
    return { amount: reduced + added, currency }
  }
  return null
}

// ── State ──

function isOpen(conditions: OfferReading['offer']['open'], scope: Scope): boolean {
  const holds = conditions.map(([path, allowed]) => {
    const value = firstValue(scope, [path])
    const text = value === undefined ? null : textOfValue(value)
    if (text === undefined || (text === null && !allowed.includes(null)))
      throw new UnreadableOffer('its state')
    return allowed.includes(text)
  })
  return holds.every((each) => each)
}

const DAY = 24 * 60
const GMT8 = 8 * 60
const TIME = /^(\d{1,2}):(\d{1,2})(?::\d{1,2})?$/

function hoursOf(hours: OfferReading['offer']['hours'], scope: Scope): SupplierOffer['hours'] {
  if (hours === null) return null
  const texts = [textOf(scope, hours.opens), textOf(scope, hours.closes)]
  if (texts.every((each) => each === undefined)) return null
  const [opens, closes] = texts.map((each) => minuteOf(each, hours.zone))
  if (opens === undefined || closes === undefined) throw new UnreadableOffer('its hours')
  return opens === closes ? null : { opens: timeOf(opens), closes: timeOf(closes) }
}

/** Returns the minute of the day in GMT+8. */
function minuteOf(text: string | undefined, zone: number): number | undefined {
  const [, hour, minute] = TIME.exec(text ?? '') ?? []
  if (hour === undefined || Number(hour) > 24 || Number(minute) > 59) return undefined
  return (60 * Number(hour) + Number(minute) + GMT8 - zone + DAY) % DAY
}

function timeOf(minute: number): string {
  const two = (number: number) => String(number).padStart(2, '0')
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`
}

// ── Fields ──

/** Names the fields that an order needs; of lists of fields, one of which is enough, the one with the fewest further ones. */
function requiresOf(requires: OfferReading['offer']['requires'], scope: Scope): readonly string[] {
  if (requires === null) return []
  const except = new Set<string>(requires.except)
  const namesOf = (values: readonly unknown[]) =>
    values.flatMap((value) => textOfValue(value) ?? []).filter((name) => !except.has(name))
  const found = requires.path.flatMap((path) => {
    const values = valuesIn(scope, path).flatMap((value: unknown) => value)
    const lists = values.filter((value) => Array.isArray(value)).map(namesOf)
    return lists.length === 0 ? namesOf(values) : (lists.sort((a, b) => a.length - b.length)[0] ?? [])
  })
  return [...new Set(found)]
}
