import type { SupplierCode } from '../providers/language/types.ts'
import type { Place } from './types.ts'

// Products of a connection's configuration: our product code → the supplier's code, or one for each amount or plan.
// Any code may be a text, or { code, values } with further values that an order of it sends.

type Json = Readonly<Record<string, unknown>>

const MAPS = [
  ['amount', 'by_amount'],
  ['subproduct', 'by_subproduct'],
] as const

/** Returns the places of each of the supplier's codes. */
export function placesOf(config: unknown): ReadonlyMap<string, readonly Place[]> {
  const found = new Map<string, Place[]>()
  const add = (entry: unknown, place: Place) => {
    const code = codeOf(entry)
    if (code === undefined) return
    const isClosed = isObject(entry) && entry.closed === true
    const known = found.get(code) ?? []
    found.set(code, known)
    known.push(isClosed ? { ...place, isClosed } : place)
  }
  for (const [product, entry] of Object.entries(productsOf(config))) {
    add(entry, { product, by: 'product' })
    for (const [by, member] of MAPS) {
      for (const [key, each] of Object.entries(memberOf(entry, member))) add(each, { product, by, key })
    }
  }
  return found
}

/** Returns the code at a place; undefined: there is none. */
export function codeAt(config: unknown, place: Place): string | undefined {
  return placesOfProduct(config, place.product).find(([, each]) => isSamePlace(each, place))?.[0]
}

/** Returns how the codes of a product are told apart; undefined: it has none. */
export function formOf(config: unknown, product: string): Place['by'] | undefined {
  const products = productsOf(config)
  if (!Object.hasOwn(products, product)) return undefined
  const entry = products[product]
  return MAPS.find(([, member]) => isObject(entry) && Object.hasOwn(entry, member))?.[0] ?? 'product'
}

/** Lists the places of a product. */
export function placesOfProduct(config: unknown, product: string): (readonly [code: string, place: Place])[] {
  const own = Object.hasOwn(productsOf(config), product) ? productsOf(config)[product] : undefined
  const places = placesOf({ products: { [product]: own } })
  return [...places].flatMap(([code, found]) => found.map((place) => [code, place] as const))
}

/**
 * Returns the configuration with a code at a place, or without one. undefined: the product's code is one for all amounts,
 * or is told by something else than this place.
 */
export function withCode(config: unknown, place: Place, given: SupplierCode | null): unknown {
  const products = productsOf(config)
  const present = Object.hasOwn(products, place.product) ? products[place.product] : undefined
  const entry = entryWith(present, place, given === null ? null : entryOf(given))
  if (entry === undefined) return undefined
  const others = Object.entries(products).filter(([name]) => name !== place.product)
  const all = entry === null ? others : [...others, [place.product, entry] as const]
  return { ...(config as object), products: Object.fromEntries(all) }
}

/** null: nothing is left of the product's entry. */
function entryWith(present: unknown, place: Place, made: unknown): unknown {
  if (place.by === 'product') {
    return present === undefined || codeOf(present) !== undefined ? made : undefined
  }
  const name = place.by === 'amount' ? 'by_amount' : 'by_subproduct'
  if (present !== undefined && !Object.hasOwn(present as object, name)) return undefined
  const others = Object.entries(memberOf(present, name)).filter(([key]) => key !== place.key)
  const all = made === null ? others : [...others, [place.key, made] as const]
  return all.length === 0 ? null : { [name]: Object.fromEntries(all) }
}

function entryOf({ code, values, isClosed }: SupplierCode): unknown {
  const hasValues = Object.keys(values).length > 0
  return hasValues || isClosed === true
    ? { code, ...(hasValues && { values }), ...(isClosed === true && { closed: true }) }
    : code
}

function codeOf(entry: unknown): string | undefined {
  if (typeof entry === 'string') return entry
  const code = isObject(entry) && Object.hasOwn(entry, 'code') ? entry.code : undefined
  return typeof code === 'string' ? code : undefined
}

function productsOf(config: unknown): Json {
  return memberOf(config, 'products')
}

function memberOf(value: unknown, name: string): Json {
  if (!isObject(value) || !Object.hasOwn(value, name)) return {}
  const member = value[name]
  return isObject(member) ? member : {}
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isSamePlace(a: Place, b: Place): boolean {
  return a.product === b.product && a.by === b.by && keyOf(a) === keyOf(b)
}

function keyOf(place: Place): string {
  return place.by === 'product' ? '' : place.key
}
