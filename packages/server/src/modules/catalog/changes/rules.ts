import { createHash } from 'node:crypto'
import type {
  Affected,
  CatalogEvent,
  Codes,
  Described,
  EventResource,
  EventType,
} from '../model/changes.types.ts'

/**
 * Returns the events for an account that saw `before` and sees `after`; compares only the affected resources.
 * The events turn a copy of the old view into the new one. Creations and updates carry the whole resource,
 * containers first; deletions come last and containers last, so that a resource is never without its container.
 */
export function* eventsBetween(
  before: Described,
  after: Described,
  affected: Affected,
): Generator<CatalogEvent> {
  const gone: CatalogEvent[] = []
  for (const { resource, id, was, is } of pairsOf(before, after, affected)) {
    if (was === is) continue
    if (is === null) gone.push({ resource, id, type: typeOf(resource, 'deleted'), data: null })
    else yield { resource, id, type: typeOf(resource, was === null ? 'created' : 'updated'), data: is }
  }
  yield* gone.reverse()
}

const WORDS = { groups: 'group', categories: 'category', products: 'product', options: 'option' } as const

function typeOf(resource: EventResource, what: 'created' | 'updated' | 'deleted'): EventType {
  return `${WORDS[resource]}.${what}`
}

type Pair = {
  readonly resource: EventResource
  readonly id: string
  readonly was: string | null
  readonly is: string | null
}

function* pairsOf(before: Described, after: Described, affected: Affected): Generator<Pair> {
  for (const id of these(affected.groups, before.groupCodes, after.groupCodes)) {
    yield { resource: 'groups', id, was: before.group(id), is: after.group(id) }
  }
  for (const id of these(affected.categories, before.categoryCodes, after.categoryCodes)) {
    yield { resource: 'categories', id, was: before.category(id), is: after.category(id) }
  }
  for (const id of these(affected.products, before.productCodes, after.productCodes)) {
    yield { resource: 'products', id, was: before.product(id), is: after.product(id) }
  }
  for (const [productCode, fields] of affected.options) {
    for (const [fieldId, codes] of fields) {
      const known = [before, after].map((each) => each.optionCodes(productCode, fieldId))
      for (const code of these(codes, ...known)) {
        yield {
          resource: 'options',
          id: `${productCode}:${fieldId}:${code}`,
          was: before.option(productCode, fieldId, code),
          is: after.option(productCode, fieldId, code),
        }
      }
    }
  }
}

function these(codes: Codes, ...known: readonly (readonly string[])[]): Iterable<string> {
  return codes === 'all' ? new Set(known.flat()) : codes
}

/** Returns a UUID that is equal for equal events, so that a set written again after a crash meets the first one. */
export function eventSetId(events: readonly CatalogEvent[]): string {
  const hash = createHash('sha256')
  for (const { type, id, data } of events) hash.update(JSON.stringify([type, id, data]))
  const hex = hash.digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  )
}
