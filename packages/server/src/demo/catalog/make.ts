import { assert } from '../../lib/errors.ts'
import { formatMoney, parseMoney } from '../../lib/money.ts'
import { parseRate, RATE_ONE } from '../../lib/rates.ts'
import { picturePath } from '../../modules/catalog/model/pictures.rules.ts'
import type {
  Field,
  Fulfillment,
  LegacyFields,
  Option,
  Product,
  WholesalePrice,
} from '../../modules/catalog/model/types.ts'

/** Product with its options and the prices of the demo's two price levels. */
export type DemoProduct = {
  readonly product: Product
  readonly options: readonly Option[]
  readonly standard: WholesalePrice
  readonly borneo: WholesalePrice
}

export type Prices = Pick<DemoProduct, 'standard' | 'borneo'>

export function ringgit(text: string): bigint {
  const amount = parseMoney(text)
  assert(amount !== undefined, `${text} is an amount`)
  return amount
}

export function rate(text: string): bigint {
  const parsed = parseRate(text)
  assert(parsed !== undefined, `${text} is a rate`)
  return parsed
}

/** Returns prices where each level pays a part of the face value. */
export function percentage(standard: string, borneo: string): Prices {
  return { standard: percentageOf(standard), borneo: percentageOf(borneo) }
}

/** Returns prices where each level gets a discount in ringgit. */
export function fixed(standard: string, borneo: string): Prices {
  return { standard: fixedOf(standard), borneo: fixedOf(borneo) }
}

function percentageOf(text: string): WholesalePrice {
  return { discountType: 'percentage', unitPrice: rate(text), currency: 'MYR' }
}

function fixedOf(text: string): WholesalePrice {
  return { discountType: 'fixed', unitPrice: -rate(text), currency: 'MYR' }
}

// ── Products ──

type Given = Pick<Product, 'code' | 'categoryCode' | 'kind' | 'name' | 'fields' | 'fulfillment'> &
  Prices & {
    readonly note?: string
    readonly redemption?: string
    readonly processingTime?: Product['processingTime']
    readonly isActive?: boolean
    readonly isHidden?: boolean
    readonly isRestricted?: boolean
    readonly isRefundable?: boolean
    /** Unit of the amount, and the price of one unit in ringgit. */
    readonly unit?: { readonly currency: string; readonly price: string }
    readonly options?: readonly OptionDraft[]
    readonly accountType?: LegacyFields['accountType']
  }

export function product(given: Given): DemoProduct {
  const pricing = given.fields.find((field) => field.role === 'pricing')
  const options = (given.options ?? []).map((draft, index) => optionOf(given, draft, index))
  const denominations = options
    .filter((option) => option.fieldId === pricing?.id)
    .flatMap(({ denomination }) => (denomination === null ? [] : [plain(denomination)]))
  return {
    product: {
      code: given.code,
      categoryCode: given.categoryCode,
      kind: given.kind,
      name: given.name,
      note: given.note ?? null,
      redemption: given.redemption ?? null,
      imageUrl: picturePath('products', given.code),
      processingTime: given.processingTime ?? 'instant',
      displayOrder: 0,
      isActive: given.isActive ?? true,
      isHidden: given.isHidden ?? false,
      isRestricted: given.isRestricted ?? false,
      isRefundable: given.isRefundable ?? false,
      denomination: denominations.length > 0 ? unique(denominations).join(',') : rangeOf(pricing),
      denominationCurrency: given.unit?.currency ?? 'MYR',
      denominationUnitPrice: given.unit === undefined ? RATE_ONE : rate(given.unit.price),
      fields: given.fields.map((field, index) => ({ ...field, order: index + 1 })),
      fulfillment: given.fulfillment,
      minAmount: null,
      maxAmount: null,
      legacy: legacyOf(given, unique(denominations)),
    },
    options,
    standard: given.standard,
    borneo: given.borneo,
  }
}

/** Writes a denomination as people do: `10`, `12.90`. */
function plain(denomination: bigint): string {
  return formatMoney(denomination).replace(/\.00$/, '')
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)]
}

function rangeOf(field: Field | undefined): string | null {
  const { min, max } = field?.validation ?? {}
  return min === undefined || max === undefined ? null : `${min}-${max}`
}

function legacyOf(given: Given, denominations: readonly string[]): LegacyFields {
  const account = given.fields.find((field) => field.role === 'account')
  const pricing = given.fields.find((field) => field.role === 'pricing')
  const isWhole = pricing?.type !== 'money' && denominations.every((each) => !each.includes('.'))
  return {
    accountLabel: account?.label ?? null,
    keyboardType: account?.inputMode ?? '',
    commonDenominations: denominations.join(','),
    denominationDataType: isWhole ? 'Integer' : 'Decimal',
    accountType: given.accountType ?? accountTypeOf(account),
  }
}

function accountTypeOf(account: Field | undefined): LegacyFields['accountType'] {
  if (account === undefined) return 'not_required'
  return account.inputMode === 'tel' ? 'phone_number' : 'account_number'
}

// ── Options ──

export type OptionDraft = Partial<Omit<Option, 'productCode' | 'displayOrder'>> &
  Pick<Option, 'fieldId' | 'code' | 'label'>

function optionOf({ code }: Given, draft: OptionDraft, index: number): Option {
  return {
    productCode: code,
    displayOrder: index + 1,
    description: null,
    isActive: true,
    denomination: null,
    validity: null,
    features: null,
    rrp: null,
    minAmount: null,
    maxAmount: null,
    suggestedCategory: null,
    additionalDescription: null,
    requiresRef2: false,
    ...draft,
  }
}

/** Choices of a field `amount`: `RM 10` for ordinary products, `60 gems` for others. */
export function amounts(
  productCode: string,
  values: readonly number[],
  label: (value: number) => string = (value) => `RM ${value}`,
): OptionDraft[] {
  return values.map((value) => ({
    fieldId: 'amount',
    code: `${productCode}${value}`,
    label: label(value),
    denomination: ringgit(String(value)),
  }))
}

// ── Fulfillment ──

/**
 * Returns the usual fulfillment: the account as it was typed; the amount of the chosen option, or as it was
 * typed.
 */
export function fulfill(fields: readonly Field[], extras?: Fulfillment['extras']): Fulfillment {
  const account = fields.find((field) => field.role === 'account')
  const pricing = fields.find((field) => field.role === 'pricing')
  assert(pricing !== undefined, 'every product has a field that prices it')
  return {
    ...(account === undefined ? {} : { account: { fromField: account.id } }),
    amount: {
      fromField: pricing.id,
      ...(pricing.type === 'select' ? { path: 'denomination' } : {}),
    },
    ...(extras === undefined ? {} : { extras }),
  }
}
