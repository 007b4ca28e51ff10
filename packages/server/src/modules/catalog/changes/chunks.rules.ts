import type { Affected, Codes, OptionCodes } from '../model/changes.types.ts'
import type { BaseCatalog } from '../model/types.ts'
import { NOTHING_AFFECTED, optionCodesOf } from './affected.rules.ts'

// Accounts that see the same get the same events, written once. The affected resources are cut into chunks, and
// each chunk is compared and shared on its own. So an account that switched off one of 20,000 billers has only
// that biller's chunk to itself, and shares the others with everybody.

export type ChunkSizes = { readonly products: number; readonly options: number }

/** Chunk sizes that take a few milliseconds to compare. */
const SIZES: ChunkSizes = { products: 50, options: 500 }

/**
 * Returns the same resources in chunks, containers first. Groups and categories form one chunk: they are few
 * and depend on each other.
 */
export function chunksOf(
  affected: Affected,
  [before, after]: readonly [BaseCatalog, BaseCatalog],
  sizes = SIZES,
): readonly Affected[] {
  const { groups, categories } = affected
  const tree = isEmpty(groups) && isEmpty(categories) ? [] : [{ ...NOTHING_AFFECTED, groups, categories }]
  const products = allOf(affected.products, () => [...before.products, ...after.products])
  const options = [...affected.options].flatMap(([productCode, fields]) =>
    [...fields].flatMap(([fieldId, codes]) => {
      const listed = (base: BaseCatalog) => base.options.get(productCode)?.get(fieldId) ?? []
      return allOf(codes, () => [...listed(before), ...listed(after)]).map((code) => ({
        productCode,
        fieldId,
        code,
      }))
    }),
  )
  return [
    ...tree,
    ...slices(products, sizes.products).map((codes) => ({ ...NOTHING_AFFECTED, products: new Set(codes) })),
    ...slices(options, sizes.options).map((keys) => ({ ...NOTHING_AFFECTED, options: optionCodesOf(keys) })),
  ]
}

function allOf(codes: Codes, list: () => readonly { readonly code: string }[]): readonly string[] {
  return [...(codes === 'all' ? new Set(list().map((row) => row.code)) : codes)]
}

function slices<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size))
}

/** Returns the resources of one chunk to compare for an account. */
export function intersect(affected: Affected, chunk: Affected): Affected {
  return {
    groups: common(affected.groups, chunk.groups),
    categories: common(affected.categories, chunk.categories),
    products: common(affected.products, chunk.products),
    options: commonOptions(affected.options, chunk.options),
  }
}

function common(one: Codes, other: Codes): Codes {
  if (one === 'all' || other === 'all') return one === 'all' ? other : one
  return new Set([...other].filter((code) => one.has(code)))
}

function commonOptions(one: OptionCodes, other: OptionCodes): OptionCodes {
  const products = [...other].map(([productCode, fields]) => {
    const lists = [...fields].map(([fieldId, codes]) => {
      const mine = one.get(productCode)?.get(fieldId)
      return [fieldId, mine === undefined ? new Set<string>() : common(mine, codes)] as const
    })
    return [productCode, new Map(lists.filter(([, codes]) => !isEmpty(codes)))] as const
  })
  return new Map(products.filter(([, fields]) => fields.size > 0))
}

export function isNothing({ groups, categories, products, options }: Affected): boolean {
  return options.size === 0 && [groups, categories, products].every(isEmpty)
}

function isEmpty(codes: Codes): boolean {
  return codes !== 'all' && codes.size === 0
}
