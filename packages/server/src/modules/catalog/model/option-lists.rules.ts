import type { Amount } from '../../../lib/money.ts'
import { isWithinLimits, optionMoney } from './pricing.rules.ts'
import { byDisplayOrder } from './tree.rules.ts'
import type {
  BaseCatalog,
  EffectiveOption,
  EffectiveProduct,
  Field,
  Option,
  OverlayOption,
  PriceAdjustment,
  Product,
  WholesalePrice,
} from './types.ts'

export type OptionList = readonly EffectiveOption[]

/** Static options of a product by field; each list is made when it is first needed. */
export type Lists = (fieldId: string) => OptionList

const NO_OPTIONS: OptionList = []

/** Caches a product's static lists. Unknown field ids come from callers and are not kept. */
function memoised(product: Product, make: (field: Field) => OptionList): Lists {
  const lists = new Map<string, OptionList>()
  return (fieldId) => {
    const made = lists.get(fieldId)
    if (made !== undefined) return made
    const field = product.fields.find((each) => each.id === fieldId)
    if (field === undefined || field.type !== 'select' || field.dataSource?.type === 'dynamic') {
      return NO_OPTIONS
    }
    const list = make(field)
    lists.set(fieldId, list)
    return list
  }
}

export function levelLists(base: BaseCatalog, product: Product, wholesale: WholesalePrice | null): Lists {
  return memoised(product, (field) => {
    const options = base.options.get(product.code)?.get(field.id) ?? []
    const unpriced = unpricedList(options)
    if (field.role !== 'pricing' || wholesale === null) return unpriced
    return unpriced.map((each) =>
      withMoney(withinLimits(each, product, field), product, wholesale, null, null),
    )
  })
}

// Options without money are the same at every level, and in every version of the base that did not touch them.
// They are cached because there are tens of thousands of billers.
const unpricedLists = new WeakMap<readonly Option[], OptionList>()

function unpricedList(options: readonly Option[]): OptionList {
  const known = unpricedLists.get(options)
  if (known !== undefined) return known
  const list = options
    .toSorted(byDisplayOrder)
    .map((option) => ({ option, isActive: option.isActive, money: null }))
  unpricedLists.set(options, list)
  return list
}

const indexes = new WeakMap<OptionList, ReadonlyMap<string, EffectiveOption>>()

export function indexOf(list: OptionList): ReadonlyMap<string, EffectiveOption> {
  const known = indexes.get(list)
  if (known !== undefined) return known
  const index = new Map(list.map((each) => [each.option.code, each]))
  indexes.set(list, index)
  return index
}

type OwnTerms = Pick<EffectiveProduct, 'adjustment' | 'minAmount' | 'maxAmount'>

/**
 * Makes the account's lists; `face` holds the account's terms of the product, `changes` its changes of the
 * options.
 */
export function accountLists(
  shared: EffectiveProduct,
  terms: OwnTerms,
  changes: readonly OverlayOption[],
): Lists {
  const { product, lastWholesale: wholesale } = shared
  const { adjustment } = terms
  const isLimited = terms.minAmount !== shared.minAmount || terms.maxAmount !== shared.maxAmount
  const changed = groupBy(changes, (change) => change.fieldId)
  return memoised(product, (field) => {
    const changeOf = new Map(changed.get(field.id)?.map((change) => [change.code, change]))
    const isPriced = field.role === 'pricing' && wholesale !== null
    const isRepriced = isPriced && adjustment !== null
    if (changeOf.size === 0 && !isRepriced && !(isPriced && isLimited)) return shared.options(field.id)
    return shared.options(field.id).map((each) => {
      const change = changeOf.get(each.option.code)
      const limited = isPriced ? withinLimits(each, terms, field) : each
      const option = change?.isEnabled === false ? { ...limited, isActive: false } : limited
      if (!isPriced || (change === undefined && !isRepriced)) return option
      return withMoney(option, product, wholesale, adjustment, change?.rrp ?? null)
    })
  })
}

/** Switches off an option outside the limits, because it cannot be paid for; events show it too. */
function withinLimits(
  each: EffectiveOption,
  limits: Omit<OwnTerms, 'adjustment'>,
  field: Field,
): EffectiveOption {
  return isWithinLimits(limits, field, each.option) ? each : { ...each, isActive: false }
}

function withMoney(
  each: EffectiveOption,
  { denominationUnitPrice }: Product,
  wholesale: WholesalePrice,
  adjustment: PriceAdjustment | null,
  ownRrp: Amount | null,
): EffectiveOption {
  const { denomination, rrp } = each.option
  if (denomination === null) return each
  const terms = { denominationUnitPrice, wholesale, adjustment }
  return { ...each, money: optionMoney(denomination, terms, ownRrp ?? rrp) }
}

export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}
