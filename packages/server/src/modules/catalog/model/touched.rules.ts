import type { Diff, Touched } from './store.types.ts'

export const NOTHING_TOUCHED: Touched = {
  groups: [],
  categories: [],
  products: [],
  options: [],
  levels: [],
  texts: [],
  prices: [],
  permissions: [],
  overlayGroups: [],
  overlayCategories: [],
  overlayProducts: [],
  overlayOptions: [],
}

const KINDS = Object.keys(NOTHING_TOUCHED) as (keyof Touched)[]

export function countTouched(touched: Touched): number {
  return KINDS.reduce((sum, kind) => sum + touched[kind].length, 0)
}

/**
 * Returns JSON parts of at most `max` diffs each, so that a change of every option is not one row of many
 * megabytes.
 */
export function encodeTouched(touched: Touched, max: number): string[] {
  const parts: string[] = []
  let part: Partial<Record<keyof Touched, readonly unknown[]>> = {}
  let room = max
  for (const kind of KINDS) {
    for (let from = 0; from < touched[kind].length; ) {
      const taken = touched[kind].slice(from, from + room)
      part[kind] = taken
      from += taken.length
      room -= taken.length
      if (room > 0) continue
      parts.push(write(part))
      part = {}
      room = max
    }
  }
  return room === max ? parts : [...parts, write(part)]
}

function write(part: unknown): string {
  return JSON.stringify(part, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
}

/** Reads a part that `encodeTouched` wrote, as the database returns it. */
export function decodeTouched(part: unknown): Touched {
  const { prices, permissions, products, options, overlayProducts, overlayOptions, ...rest } =
    part as Partial<Stored>
  return {
    ...NOTHING_TOUCHED,
    ...rest,
    products: (products ?? []).map((diff) => bothSides(diff, PRODUCT_NUMBERS)),
    options: (options ?? []).map((diff) => bothSides(diff, OPTION_NUMBERS)),
    prices: (prices ?? []).map((diff) => bothSides(diff, PRICE_NUMBERS)),
    permissions: (permissions ?? []).map(withOwner),
    overlayGroups: (rest.overlayGroups ?? []).map(withOwner),
    overlayCategories: (rest.overlayCategories ?? []).map(withOwner),
    overlayProducts: (overlayProducts ?? [])
      .map((diff) => withOwner(bothSides(diff, LIMIT_NUMBERS)))
      .map(({ before, after, resellerId }) => ({
        resellerId,
        before: before && withAdjustment(before),
        after: after && withAdjustment(after),
      })),
    overlayOptions: (overlayOptions ?? []).map((diff) => withOwner(bothSides(diff, RRP_NUMBERS))),
  }
}

// JSON has no exact numbers: a bigint in memory is text in the stored part. The type is the one after decoding.
type Stored = Touched

const LIMIT_NUMBERS = ['minAmount', 'maxAmount'] as const
const RRP_NUMBERS = ['rrp'] as const
const PRICE_NUMBERS = ['unitPrice'] as const
const PRODUCT_NUMBERS = ['denominationUnitPrice', ...LIMIT_NUMBERS] as const
const OPTION_NUMBERS = ['denomination', ...RRP_NUMBERS, ...LIMIT_NUMBERS] as const

function bothSides<T extends object, D extends Diff<T>>(diff: D, numbers: readonly (keyof T)[]): D {
  return {
    ...diff,
    before: diff.before && withNumbers(diff.before, numbers),
    after: diff.after && withNumbers(diff.after, numbers),
  }
}

function withNumbers<T extends object>(row: T, numbers: readonly (keyof T)[]): T {
  const read: Partial<Record<keyof T, unknown>> = {}
  for (const name of numbers) read[name] = row[name] === null ? null : BigInt(String(row[name]))
  return { ...row, ...read }
}

function withOwner<D extends { readonly resellerId: bigint }>(diff: D): D {
  return { ...diff, resellerId: BigInt(diff.resellerId) }
}

function withAdjustment<T extends { readonly adjustment: { readonly value: bigint } | null }>(row: T): T {
  const { adjustment } = row
  return adjustment === null ? row : { ...row, adjustment: withNumbers(adjustment, ['value']) }
}

export function joinTouched(parts: readonly Touched[]): Touched {
  const joined = Object.fromEntries(KINDS.map((kind) => [kind, parts.flatMap((part) => [...part[kind]])]))
  return { ...NOTHING_TOUCHED, ...joined }
}
