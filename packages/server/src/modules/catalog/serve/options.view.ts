import type { Amount } from '../../../lib/money.ts'
import { moneyToNumber } from '../../../lib/money.ts'
import type { DynamicOption } from '../../providers/port/types.ts'
import { KIND_TRAITS } from '../model/kinds.rules.ts'
import { labelOf } from '../model/labels.rules.ts'
import { amountCurrency, optionMoney } from '../model/pricing.rules.ts'
import type { EffectiveOption, EffectiveProduct, Field, OptionMoney } from '../model/types.ts'
import type { FormOptionWire, OptionItemWire, OptionsWire } from './schemas.ts'
import { moneyView } from './view.ts'

export type OptionsPage = {
  readonly productCode: string
  readonly fieldId: string
  readonly items: OptionItemWire[]
  readonly page: number
  readonly perPage: number
  /** Number of items on all pages. */
  readonly total: number
}

/** Returns a page. An empty list has one page, so that clients that read until the last page stop at once. */
export function optionsView({ productCode, fieldId, items, page, perPage, total }: OptionsPage): OptionsWire {
  return {
    product_code: productCode,
    field_id: fieldId,
    items,
    meta: {
      current_page: page,
      last_page: Math.max(1, Math.ceil(total / perPage)),
      per_page: perPage,
      total,
    },
  }
}

/** Returns an option in the form of the newest release. */
export function optionItem(
  product: EffectiveProduct,
  field: Field,
  { option, money }: EffectiveOption,
): OptionItemWire {
  const { minAmount, maxAmount } = option
  const currency = amountCurrency(product.product)
  return {
    ...describe(product, field, option, money),
    ...(minAmount !== null && { min_amount: moneyView(minAmount, currency) }),
    ...(maxAmount !== null && { max_amount: moneyView(maxAmount, currency) }),
    ...(option.requiresRef2 && { ref2_required: true as const }),
  }
}

const REFERENCE = /^Ref-([12])\s*:\s*(.*\S)/i

/** Returns an option for a form: billers say what their references are in lines such as `Ref-1: Bill number`. */
export function formOptionItem(
  product: EffectiveProduct,
  field: Field,
  each: EffectiveOption,
): FormOptionWire {
  const labels: Pick<FormOptionWire, 'ref1_label' | 'ref2_label'> = {}
  for (const line of each.option.additionalDescription ?? []) {
    const [, number, label] = REFERENCE.exec(line) ?? []
    if (label === undefined) continue
    if (number === '1') labels.ref1_label ??= label
    else labels.ref2_label ??= label
  }
  return { ...optionItem(product, field, each), ...labels }
}

/** Returns an option that a provider gave for one account, priced like one of our own. */
export function dynamicOptionItem(
  product: EffectiveProduct,
  field: Field,
  option: DynamicOption,
): OptionItemWire {
  return {
    ...describe(product, field, option, dynamicMoney(product, field, option.denomination)),
    ...(option.accountNumber !== null && { account_number: option.accountNumber }),
  }
}

export function dynamicMoney(
  { product, wholesale, adjustment }: EffectiveProduct,
  field: Field,
  denomination: Amount | null,
): OptionMoney | null {
  if (field.role !== 'pricing' || denomination === null || wholesale === null) return null
  const { denominationUnitPrice } = product
  return optionMoney(denomination, { denominationUnitPrice, wholesale, adjustment }, null)
}

type Described = Pick<
  DynamicOption,
  'code' | 'label' | 'denomination' | 'validity' | 'features' | 'description'
>

function describe(
  { product }: EffectiveProduct,
  field: Field,
  option: Described,
  money: OptionMoney | null,
): OptionItemWire {
  const { denomination, validity, features, description } = option
  const isPricing = field.role === 'pricing'
  const isDataPlan = KIND_TRAITS[product.kind].hasDataPlans
  return {
    code: option.code,
    label: labelOf(product.kind, option),
    ...(isPricing && denomination !== null && { denomination: moneyToNumber(denomination) }),
    ...(isDataPlan && validity !== null && { validity }),
    ...(isDataPlan && features !== null && { features: [...features] }),
    ...(description !== null && { description }),
    ...(money !== null && {
      price: moneyView(money.price),
      cost: moneyView(money.cost),
      rrp: moneyView(money.rrp),
      has_loss_risk: money.hasLossRisk,
    }),
  }
}
